import { useSyncExternalStore } from 'react';

import { sessionStore, type SessionState } from './session-store.js';
import { allows, type Permission, type Session } from './session.js';

export function useSessionState(): SessionState {
  return useSyncExternalStore(sessionStore.subscribe, sessionStore.get);
}

/**
 * Returns the session of a page inside the frame. After its end, it is the last one, until the page is left.
 * @throws Error outside the frame
 */
export function useSession(): Session {
  const state = useSessionState();
  if (state.kind === 'active' || state.kind === 'ended') return state.session;
  throw new Error('expected a session; use this hook only inside the frame');
}

/** Returns whether the session may do something, to hide or disable what it may not. The server checks it again. */
export function useAllows(needed: Permission): boolean {
  return allows(useSession(), needed);
}

/**
 * Returns the time of the server in ms since 1970, as far as the session shows how much the clock of this device
 * differs. Use it for the time since an event that the server reports.
 */
export function serverNow(): number {
  const state = sessionStore.get();
  return state.kind === 'active' ? Date.now() + Date.parse(state.session.now) - state.receivedAt : Date.now();
}
