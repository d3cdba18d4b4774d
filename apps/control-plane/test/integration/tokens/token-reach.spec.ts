import type { Role } from '../../../src/platform/http/pipeline/caller.js';
import type { Scope } from '../../../src/platform/http/pipeline/scope.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

interface Joined {
  readonly id: string;
  readonly scopes: readonly Scope[] | null;
  readonly api_token: string;
}

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
});
afterAll(() => plane?.stop());

const post = (path: string, token: string | null, body?: unknown) =>
  plane.request(path, { method: 'POST', token, ...(body === undefined ? {} : { body }) });
const dataOf = <T>({ body }: { body: unknown }) => (body as { data: T }).data;
const invite = async (token: string, role: Role) =>
  post('/v1/org/members', token, { email: `m${Math.random()}@example.com`, role });
const join = async (token: string, role: Role): Promise<Joined> => {
  const { invitation_token } = dataOf<{ invitation_token: string }>(await invite(token, role));
  return dataOf<Joined>(await post('/v1/org/members/accept', null, { token: invitation_token }));
};
const narrowed = async (scopes: readonly Scope[], role: Role = 'admin') =>
  (await plane.addToken({ role, scopes })).token;
const changeRole = (token: string, id: string, role: Role) =>
  plane.request(`/v1/org/members/${id}`, { method: 'PATCH', token, body: { role } });
const statusOf = async (path: string, token: string) => (await plane.request(path, { token })).status;

describe('a token with only the scope org:write', () => {
  it('invites members whose first token has the same scopes', async () => {
    const joined = await join(await narrowed(['org:write']), 'admin');
    expect(joined.scopes).toEqual(['org:write']);
    expect(await statusOf('/v1/org', joined.api_token)).toBe(200);
    const beyond = ['/v1/tokens', '/v1/audit-log', '/v1/webhooks', '/v1/agents', '/v1/sync/jobs'];
    for (const path of beyond) expect([path, await statusOf(path, joined.api_token)]).toEqual([path, 403]);
    const made = await post('/v1/tokens', joined.api_token, { name: 'wider', role: 'admin' });
    expect(made.status).toBe(403);
  });

  it('cannot gain scopes through a chain of invitations', async () => {
    const first = await join(await narrowed(['org:write', 'tokens:write']), 'admin');
    const second = await join(first.api_token, 'admin');
    expect(second.scopes).toEqual(['org:write', 'tokens:write']);
    const wide = await post('/v1/tokens', second.api_token, { name: 'wide', role: 'admin' });
    const other = { name: 'other', role: 'admin', scopes: ['audit:read'] };
    expect([wide.status, (await post('/v1/tokens', second.api_token, other)).status]).toEqual([403, 403]);
    const same = { name: 'same', role: 'admin', scopes: ['tokens:read'] };
    expect((await post('/v1/tokens', second.api_token, same)).status).toBe(201);
  });

  it('cannot promote members whose tokens may have more scopes', async () => {
    const token = await narrowed(['org:write']);
    const viewer = await join(plane.token, 'viewer');
    const refused = await changeRole(token, viewer.id, 'admin');
    expect([refused.status, refused.body]).toMatchObject([403, { error: { code: 'forbidden' } }]);
    expect(await statusOf('/v1/tokens', viewer.api_token)).toBe(403);
    const invited = dataOf<{ id: string }>(await invite(plane.token, 'viewer'));
    expect((await changeRole(token, invited.id, 'member')).status).toBe(403);
  });

  it('promotes members with at most its own scopes, and demotes other members', async () => {
    const token = await narrowed(['org:write']);
    const narrow = await join(token, 'viewer');
    expect((await changeRole(token, narrow.id, 'admin')).status).toBe(200);
    const wide = await join(plane.token, 'admin');
    expect((await changeRole(token, wide.id, 'viewer')).status).toBe(200);
    expect((await changeRole(token, wide.id, 'viewer')).status).toBe(200); // the role stays the same, so this is no promotion
  });

  it('cannot gain a higher role through its own member', async () => {
    const owner = await join(plane.token, 'admin');
    const own = await post('/v1/tokens', owner.api_token, {
      name: 'narrow',
      role: 'admin',
      scopes: ['org:write'],
    });
    const { token } = dataOf<{ token: string }>(own);
    expect((await changeRole(plane.token, owner.id, 'member')).status).toBe(200);
    expect((await changeRole(token, owner.id, 'admin')).status).toBe(403);
  });
});

describe('a token with only the scope tokens:write', () => {
  it('cannot rotate a token with more scopes', async () => {
    const token = await narrowed(['tokens:write']);
    for (const scopes of [undefined, ['audit:read'] as const]) {
      const wide = await plane.addToken({ role: 'admin', ...(scopes ? { scopes } : {}) });
      const refused = await post(`/v1/tokens/${wide.id}/rotate`, token);
      expect([refused.status, refused.text.includes('us_live_')]).toEqual([403, false]);
      expect(await statusOf('/v1/audit-log', wide.token)).toBe(200);
    }
  });

  it('cannot read a token with more scopes by repeating the request that created it', async () => {
    const request = {
      method: 'POST',
      body: { name: 'wide', role: 'admin' },
      headers: { 'idempotency-key': 'a-guessed-key' },
    };
    expect((await plane.request('/v1/tokens', request)).status).toBe(201);
    const again = await plane.request('/v1/tokens', { ...request, token: await narrowed(['tokens:write']) });
    expect(dataOf<{ token?: string }>(again).token).toBeUndefined();
  });
});
