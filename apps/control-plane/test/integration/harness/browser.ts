import { ulid } from 'ulid';

import type { Role } from '../../../src/platform/http/pipeline/caller.js';
import type { ControlPlane, ApiResponse, RequestOptions } from './start-control-plane.js';

/** A browser at a page of the dashboard: it keeps the cookie and sends the headers of a page's own calls. */
export class Browser {
  /** The Cookie header; empty without a cookie. */
  cookie = '';

  constructor(private readonly plane: ControlPlane) {}

  /** Sends a request without a token. `headers` can replace the headers that the browser sends. */
  async request(path: string, options: RequestOptions = {}): Promise<ApiResponse> {
    const headers = {
      'sec-fetch-site': 'same-origin',
      ...(this.cookie === '' ? {} : { cookie: this.cookie }),
      ...options.headers,
    };
    const response = await this.plane.request(path, { token: null, ...options, headers });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';', 1);
      this.cookie = pair.endsWith('=') ? '' : pair;
    }
    return response;
  }

  /** Signs in with a token or a link. */
  signIn(body: { readonly token?: string; readonly link?: string }): Promise<ApiResponse> {
    return this.request('/dashboard/session', { method: 'POST', body });
  }
}

/** Opens a session with a token. */
export async function signedIn(plane: ControlPlane, token = plane.token): Promise<Browser> {
  const browser = new Browser(plane);
  const { status, text } = await browser.signIn({ token });
  if (status !== 201) throw new Error(`signing in returned ${status}: ${text}`);
  return browser;
}

export interface JoinedMember {
  readonly id: string;
  readonly email: string;
  readonly token: string;
  readonly tokenId: string;
}

/** Invites a member and accepts the invitation. */
export async function joinedMember(
  plane: ControlPlane,
  { role = 'member', token = plane.token }: { role?: Role; token?: string } = {},
): Promise<JoinedMember> {
  const email = `${ulid().toLowerCase()}@example.com`;
  const post = async (path: string, body: unknown, as: string | null) =>
    dataOf(await plane.request(path, { method: 'POST', body, token: as }));
  const { id = '', invitation_token } = await post('/v1/org/members', { email, role }, token);
  const joined = await post('/v1/org/members/accept', { token: invitation_token }, null);
  return { id, email, token: String(joined['api_token']), tokenId: String(joined['api_token_id']) };
}

// The type is loose, so that tests can read any field. A wrong path fails the expectation.
export function dataOf({ body, text }: ApiResponse): Record<string, never> {
  const { data } = body as { data?: Record<string, never> };
  if (data === undefined) throw new Error(`expected data, received ${text.slice(0, 500)}`);
  return data;
}

/** Returns the entries of the audit log with an action, newest first. */
export async function auditEntries(plane: ControlPlane, action: string): Promise<Record<string, unknown>[]> {
  return plane.query(
    `SELECT actor_type, actor_id, target_id, request_id, details FROM audit_entries
     WHERE action = $1 ORDER BY id DESC`,
    [action],
  );
}
