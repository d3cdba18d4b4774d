import { pageCall } from '../api/page-call.js';
import type {
  Credential,
  Invitation,
  ListedSession,
  OrganizationChoice,
  Provider,
  Session,
} from './session.js';

/** The server's routes for sessions. Each may throw ApiError or ConnectionError. */
export const sessionCalls = {
  /** Returns the session. This does not keep it alive. */
  get: () => pageCall<Session>('GET', 'session'),
  /** Opens a session. The server sets the cookie, and ends an earlier session of this browser. */
  open: (credential: Credential) => pageCall<Session>('POST', 'session', credential),
  /** Moves the end of an idle session. */
  extend: () => pageCall<Session>('POST', 'session/extend'),
  end: () => pageCall<object>('DELETE', 'session'),
  /** Returns the newest 100 open sessions of the same member, or of the same token of the organisation. */
  list: async () => (await pageCall<{ sessions: readonly ListedSession[] }>('GET', 'sessions')).sessions,
  /** Ends one of these sessions. */
  endOne: (id: string) => pageCall<object>('DELETE', `sessions/${encodeURIComponent(id)}`),
  /** Ends all sessions of the same member, or of the same token of the organisation. */
  endAll: () => pageCall<object>('DELETE', 'sessions'),
  /** Creates a one-time link for a member who has no usable API token. */
  createLink: (member_id: string) =>
    pageCall<{ url: string; expires_at: string }>('POST', 'sign-in-links', { member_id }),
  /** Returns what an invitation offers. The invitation stays valid. */
  invitation: (token: string) => pageCall<Invitation>('POST', 'invitation', { token }),
  providers: async () =>
    (await pageCall<{ providers: readonly Provider[] }>('GET', 'oidc/providers')).providers,
  /** Lists the organisations of a visitor who has signed in with a provider. */
  organizations: () => pageCall<readonly OrganizationChoice[]>('GET', 'oidc/organizations'),
  chooseOrganization: (organization_id: string) =>
    pageCall<Session>('POST', 'oidc/organization', { organization_id }),
};
