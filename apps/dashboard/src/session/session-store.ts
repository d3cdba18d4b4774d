import { ApiError } from '@understudy/client';

import { BASE_PATH, listenForSessionEnd } from '../api/client.js';
import { sessionCalls } from './session-calls.js';
import { isSamePrincipal, type Credential, type Session } from './session.js';

/**
 * The session of this page:
 *
 *     unknown → visitor ⇄ active ⇄ ended
 *
 * `ended` keeps the session whose data the page still shows. Signing in again continues with `active` if the principal
 * is the same. Otherwise, the page is loaded again, so that no data of one principal is shown to another.
 */
export type SessionState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'visitor' }
  | { readonly kind: 'active'; readonly session: Session; readonly receivedAt: number }
  | { readonly kind: 'ended'; readonly session: Session };

/** A change that one tab reports to the others. */
type Message = 'signed-in' | 'signed-out' | 'extended';

let state: SessionState = { kind: 'unknown' };
const listeners = new Set<() => void>();
const tabs = new BroadcastChannel('understudy-session');

export const sessionStore = {
  get: (): SessionState => state,

  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },

  /**
   * Asks the server for the session. This does not keep the session alive.
   * @throws ApiError, ConnectionError if the server does not respond
   */
  async load(): Promise<SessionState> {
    try {
      receive(await sessionCalls.get());
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 401)) throw error;
      end();
    }
    return state;
  },

  /** Opens a session. @throws ApiError, ConnectionError */
  async signIn(credential: Credential): Promise<void> {
    receive(await sessionCalls.open(credential));
    tabs.postMessage('signed-in' satisfies Message);
  },

  /** Opens a session in the organisation, after a sign-in by a provider. @throws ApiError, ConnectionError */
  async chooseOrganization(id: string): Promise<void> {
    receive(await sessionCalls.chooseOrganization(id));
    tabs.postMessage('signed-in' satisfies Message);
  },

  /** Moves the end of an idle session. @throws ApiError, ConnectionError */
  async extend(): Promise<void> {
    receive(await sessionCalls.extend());
    tabs.postMessage('extended' satisfies Message);
  },

  /** Ends the session, or all sessions of the principal, and leaves the page. @throws ApiError, ConnectionError */
  async signOut(everywhere: boolean): Promise<void> {
    try {
      await (everywhere ? sessionCalls.endAll() : sessionCalls.end());
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 401)) throw error; // it has ended before
    }
    tabs.postMessage('signed-out' satisfies Message);
    leaveTo('/sign-in');
  },
};

listenForSessionEnd(end);
tabs.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  if (data === 'signed-out') end();
  else if (state.kind !== 'unknown') void sessionStore.load().catch(() => undefined); // the next call reports it
});

function receive(session: Session): void {
  const before = state.kind === 'active' || state.kind === 'ended' ? state.session : undefined;
  if (before && !isSamePrincipal(before, session)) return leaveTo('/');
  change({ kind: 'active', session, receivedAt: Date.now() });
}

function end(): void {
  if (state.kind === 'active') change({ kind: 'ended', session: state.session });
  else if (state.kind === 'unknown') change({ kind: 'visitor' });
}

function change(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

/** Loads the page again, which drops everything that it holds in memory. */
function leaveTo(path: string): void {
  window.location.assign(`${BASE_PATH}/dashboard${path}`);
}
