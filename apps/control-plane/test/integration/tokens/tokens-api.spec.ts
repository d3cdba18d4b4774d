import { ROLES, roleIncludes, type Role } from '../../../src/platform/http/pipeline/caller.js';
import { waitFor } from '@understudy/testing';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

interface Token {
  readonly id: string;
  readonly token: string;
  readonly expires_at: string;
  readonly last_used_at: string | null;
}

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
});
afterAll(() => plane?.stop());

const post = (body: unknown, token?: string) =>
  plane.request('/v1/tokens', { method: 'POST', body, ...(token ? { token } : {}) });
const made = async (body: unknown, token?: string): Promise<Token> => {
  const response = await post(body, token);
  expect([response.status, response.text]).toEqual([201, expect.stringContaining('"data"')]);
  return (response.body as unknown as { data: Token }).data;
};
const works = async (token: string) => (await plane.request('/v1/sync/jobs', { token })).status;
const get = async (id: string) => plane.request(`/v1/tokens/${id}`);

describe('creating a token', () => {
  it('[5/2] returns its text once, with all its fields', async () => {
    const response = await post({ name: 'ci', role: 'member', scopes: ['jobs:write'], expires_in_days: 7 });
    const { data } = response.body as unknown as { data: Token };
    expect(data).toEqual({
      id: expect.stringMatching(/^tok_[0-9A-HJKMNP-TV-Z]{26}$/),
      name: 'ci',
      role: 'member',
      scopes: ['jobs:write'],
      hint: data.token.slice(0, 12) + '…',
      member_id: null,
      needs_rotation: false,
      created_at: expect.any(String),
      expires_at: expect.any(String),
      last_used_at: null,
      token: expect.stringMatching(/^us_live_[0-9A-Za-z]{36}$/),
    });
    expect(response.headers.get('location')).toBe(`/v1/tokens/${data.id}`);
    const shown = await get(data.id);
    expect(shown.text).not.toContain(data.token);
    const { token, ...rest } = data;
    expect(shown.body).toMatchObject({ data: rest });
    expect((await plane.request('/v1/tokens?per_page=100')).text).not.toContain(token);
  });

  it('[5/8] defaults to 90 days and all scopes of the role', async () => {
    const token = await made({ name: 'plain', role: 'viewer' });
    const { body } = await get(token.id);
    const { data } = body as unknown as { data: { created_at: string; scopes: null } };
    expect(data.scopes).toBeNull();
    expect(Date.parse(token.expires_at) - Date.parse(data.created_at)).toBe(90 * 86_400_000);
  });

  it.each<[string, object, string]>([
    ['no name', { role: 'viewer' }, 'name'],
    ['a long name', { name: 'x'.repeat(101), role: 'viewer' }, 'name'],
    ['an unknown role', { name: 'x', role: 'root' }, 'role'],
    ['an unknown scope', { name: 'x', role: 'viewer', scopes: ['jobs'] }, 'scopes'],
    ['no scope at all', { name: 'x', role: 'viewer', scopes: [] }, 'scopes'],
    ['a duplicate scope', { name: 'x', role: 'viewer', scopes: ['generate', 'generate'] }, 'scopes'],
    ['scopes that are not a list', { name: 'x', role: 'viewer', scopes: 'generate' }, 'scopes'],
    ['null for scopes', { name: 'x', role: 'viewer', scopes: null }, 'scopes'],
    ['zero days', { name: 'x', role: 'viewer', expires_in_days: 0 }, 'expires_in_days'],
    ['a year and a day', { name: 'x', role: 'viewer', expires_in_days: 366 }, 'expires_in_days'],
    ['days as a string', { name: 'x', role: 'viewer', expires_in_days: '7' }, 'expires_in_days'],
  ])('refuses %s', async (_, body, field) => {
    const response = await post(body);
    expect([response.status, response.body]).toEqual([
      422,
      expect.objectContaining({
        error: expect.objectContaining({ details: [expect.objectContaining({ field })] }),
      }),
    ]);
  });

  it('refuses a role above the caller’s own', async () => {
    for (const own of ['admin', 'owner'] as const) {
      const { token } = await plane.addToken({ role: own });
      for (const role of ROLES) {
        const { status } = await post({ name: `${own} makes ${role}`, role }, token);
        expect([own, role, status]).toEqual([own, role, roleIncludes(own, role) ? 201 : 403]);
      }
    }
  });

  it('refuses an invisible name, and a name that is easily confused with the one of another token', async () => {
    const { token } = await plane.addToken({});
    const named = async (name: string) => (await post({ name, role: 'viewer' }, token)).status;
    expect(await named('kiosk 1')).toBe(201);
    for (const similar of [
      'kiosk 1',
      'Kiosk 1',
      '\u212aiosk 1',
      'kio\u200bsk 1',
      'kiosk １',
      'kiosk  1',
      'kiosk\t1',
      'kiosk\u20281 ',
    ])
      expect(await named(similar)).toBe(409);
    for (const blank of ['\u200b\u2060', ' ', '\u3164']) expect(await named(blank)).toBe(422);
  });

  it('gives a name to one of several parallel requests, and again after the token is revoked or expired', async () => {
    const { token } = await plane.addToken({});
    const ask = async () => {
      const { status, body } = await post({ name: 'robot', role: 'viewer' }, token);
      return { status, id: (body as unknown as { data?: Token }).data?.id };
    };
    const responses = await Promise.all([ask(), ask(), ask(), ask()]);
    const [first, ...refused] = responses.toSorted((one, other) => one.status - other.status);
    expect([first?.status, ...refused.map(({ status }) => status)]).toEqual([201, 409, 409, 409]);
    await plane.query(
      `UPDATE api_tokens SET created_at = created_at - interval '9 days', expires_at = now() WHERE id = '${first?.id}'`,
    );
    const next = await ask();
    expect(next.status).toBe(201);
    const rotate = () => plane.request(`/v1/tokens/${first?.id}/rotate`, { method: 'POST', token });
    expect((await rotate()).status).toBe(409);
    await plane.query(`UPDATE api_tokens SET revoked_at = now() WHERE id = '${next.id}'`);
    expect((await rotate()).status).toBe(200);
    await plane.query(`UPDATE api_tokens SET revoked_at = now() WHERE id = '${first?.id}'`);
    expect((await ask()).status).toBe(201);
  });

  it('refuses scopes that the calling token does not have', async () => {
    const { token } = await plane.addToken({ scopes: ['tokens:write', 'jobs:read'] });
    const ask = async (scopes?: string[]) =>
      (
        await post(
          { name: `with ${scopes?.join() ?? 'all'}`, role: 'viewer', ...(scopes ? { scopes } : {}) },
          token,
        )
      ).status;
    expect(await ask(['jobs:read'])).toBe(201);
    expect(await ask(['tokens:read', 'tokens:write'])).toBe(201);
    expect(await ask(['jobs:write'])).toBe(403);
    expect(await ask()).toBe(403);
  });
});

describe('a token', () => {
  it('is refused after its revocation and is no longer listed', async () => {
    const { id, token } = await made({ name: 'short', role: 'viewer' });
    expect(await works(token)).toBe(200);
    const revoked = await plane.request(`/v1/tokens/${id}`, { method: 'DELETE' });
    expect([revoked.status, revoked.body]).toMatchObject([200, { data: { deleted: true, id } }]);
    expect(await works(token)).toBe(401);
    expect((await get(id)).status).toBe(404);
    expect((await plane.request(`/v1/tokens/${id}`, { method: 'DELETE' })).status).toBe(404);
    expect((await plane.request('/v1/tokens?per_page=100')).text).not.toContain(id);
  });

  it('can be rotated: the new text works, the old one does not, and all other fields stay the same', async () => {
    const before = await made({ name: 'turning', role: 'member', scopes: ['jobs:read'] });
    const response = await plane.request(`/v1/tokens/${before.id}/rotate`, { method: 'POST' });
    expect(response.status).toBe(200);
    const { data } = response.body as unknown as { data: Token };
    expect(data).toMatchObject({ id: before.id, name: 'turning', role: 'member', scopes: ['jobs:read'] });
    expect(data.token).not.toBe(before.token);
    expect([await works(before.token), await works(data.token)]).toEqual([401, 200]);
    const empty = await plane.request(`/v1/tokens/${before.id}/rotate`, { method: 'POST', body: '' });
    expect(empty.status).toBe(200); // the request has a JSON content type and no body
  });

  it('above the caller’s role can be neither rotated nor revoked', async () => {
    const owners = await made({ name: 'theirs', role: 'owner' });
    const { token } = await plane.addToken({ role: 'admin' });
    const rotate = await plane.request(`/v1/tokens/${owners.id}/rotate`, { method: 'POST', token });
    const revoke = await plane.request(`/v1/tokens/${owners.id}`, { method: 'DELETE', token });
    expect([rotate.status, revoke.status, await works(owners.token)]).toEqual([403, 403, 200]);
    expect(rotate.text).not.toContain('us_live_');
  });

  it('shows when it was last used', async () => {
    const { id, token } = await made({ name: 'seen', role: 'viewer' });
    await works(token);
    const seen = await waitFor('the time of the last use', async () => {
      const { data } = (await get(id)).body as unknown as { data: Token };
      return data.last_used_at ?? false;
    });
    expect(new Date(seen).toISOString()).toBe(seen);
  });

  it('is listed in pages, newest first', async () => {
    const orgId = await plane.addOrganization();
    const { token } = await plane.addToken({ orgId });
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) ids.unshift((await made({ name, role: 'viewer' }, token)).id);
    const page = async (query: string) => {
      const { body } = await plane.request(`/v1/tokens?${query}`, { token });
      const { data } = body as unknown as { data: { tokens: Token[]; total: number } };
      return [data.total, ...data.tokens.map(({ id }) => id)];
    };
    expect(await page('per_page=2')).toEqual([4, ids[0], ids[1]]);
    expect((await page('per_page=2&page=2')).slice(0, 2)).toEqual([4, ids[2]]);
    expect(await page('page=3&per_page=2')).toEqual([4]);
  });
});

describe('a token of a member', () => {
  const member = async (role: Role) => {
    const invited = await plane.request('/v1/org/members', {
      method: 'POST',
      body: { email: `${role}.${Math.random()}@example.com`, role },
    });
    const { data } = invited.body as unknown as { data: { id: string; invitation_token: string } };
    const joined = await plane.request('/v1/org/members/accept', {
      method: 'POST',
      token: null,
      body: { token: data.invitation_token },
    });
    return { id: data.id, token: (joined.body as unknown as { data: { api_token: string } }).data.api_token };
  };

  it('creates tokens of that member, which are revoked with the membership', async () => {
    const { id, token } = await member('admin');
    const child = await made({ name: 'child', role: 'member' }, token);
    expect(child).toMatchObject({ member_id: id });
    expect(await works(child.token)).toBe(200);
    expect((await plane.request(`/v1/org/members/${id}`, { method: 'DELETE' })).status).toBe(200);
    expect([await works(token), await works(child.token)]).toEqual([401, 401]);
  });

  it('never has more rights than the member', async () => {
    const { id, token } = await member('admin');
    const list = async () => (await plane.request('/v1/tokens', { token })).status;
    expect(await list()).toBe(200);
    const changed = await plane.request(`/v1/org/members/${id}`, {
      method: 'PATCH',
      body: { role: 'viewer' },
    });
    expect(changed.status).toBe(200);
    expect([await list(), await works(token)]).toEqual([403, 200]);
  });
});
