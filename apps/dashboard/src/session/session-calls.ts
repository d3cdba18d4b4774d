import { pageCall } from '../api/page-call.js';
import type { Credential, Provider, Session } from './session.js';

/** The server's routes for sessions. Each may throw ApiError or ConnectionError. */
export const sessionCalls = {
  get: () => pageCall<Session>('GET', 'session'),
  open: (credential: Credential) => pageCall<Session>('POST', 'session', credential),
  extend: () => pageCall<Session>('POST', 'session/extend'),
  end: () => pageCall<object>('DELETE', 'session'),
  endAll: () => pageCall<object>('DELETE', 'sessions'),
  providers: async () =>
    (await pageCall<{ providers: readonly Provider[] }>('GET', 'oidc/providers')).providers,
  organizations: () => pageCall<readonly { id: string; name: string }[]>('GET', 'oidc/organizations'),
  chooseOrganization: (organization_id: string) =>
    pageCall<Session>('POST', 'oidc/organization', { organization_id }),
};
