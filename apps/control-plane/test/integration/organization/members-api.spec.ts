import { DataSource } from 'typeorm';

import { insertOrganization } from '../../../src/accounts/organization/insert-organization.js';
import { Browser } from '../harness/browser.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

interface Member {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly status: string;
  readonly invitation_token: string;
  readonly api_token: string;
  readonly api_token_id: string;
}

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
});
afterAll(() => plane?.stop());

/** Creates an organisation for a test, with helpers that use its owner's token. */
async function organization() {
  const orgId = await plane.addOrganization();
  const { token } = await plane.addToken({ orgId });
  const call = (method: string, path = '', body?: unknown, as: string | null = token) =>
    plane.request(`/v1/org/members${path}`, { method, token: as, ...(body ? { body } : {}) });
  const data = (response: { body: unknown }) => (response.body as { data: Member }).data;
  const invite = async (email: string, role = 'viewer') => data(await call('POST', '', { email, role }));
  const join = async (email: string, role = 'viewer') => {
    const { invitation_token } = await invite(email, role);
    return data(await call('POST', '/accept', { token: invitation_token }, null));
  };
  return { orgId, token, call, data, invite, join };
}

describe('members', () => {
  it('include the owner of an organisation that was created with an address', async () => {
    const owner = { name: 'With owner', plan: 'team', email: 'Ada@example.com', now: new Date() } as const;
    const { memberId, apiToken: token } = await plane.app
      .get(DataSource)
      .transaction((manager) => insertOrganization(manager, owner));
    const get = async (path: string) => (await plane.request(path, { token })).body['data'] as unknown;
    expect(await get('/v1/org')).toMatchObject({ members: 1 });
    expect(await get('/v1/org/members')).toMatchObject({
      members: [{ id: memberId, email: owner.email, role: 'owner', status: 'active', name: null }],
    });
    expect(await get('/v1/whoami')).toMatchObject({ member: { id: memberId } });
    const body = { email: 'ada@EXAMPLE.com', role: 'viewer' };
    expect((await plane.request('/v1/org/members', { method: 'POST', token, body })).status).toBe(409);
    const removal = await plane.request(`/v1/org/members/${memberId}`, { method: 'DELETE', token });
    expect(removal.status).toBe(409); // the only owner stays
    expect(await get('/v1/audit-log?action=member.joined')).toMatchObject({
      entries: [{ target: { id: memberId } }],
    });
  });

  it('[2.5/7] are invited, and join with the token of the invitation', async () => {
    const org = await organization();
    const response = await org.call('POST', '', { email: 'Ada@Example.com', role: 'member' });
    const invited = org.data(response);
    expect(response.status).toBe(201);
    expect(response.headers.get('location')).toBe(`/v1/org/members/${invited.id}`);
    expect(invited).toEqual({
      id: expect.stringMatching(/^mem_[0-9A-HJKMNP-TV-Z]{26}$/),
      email: 'Ada@Example.com',
      name: null,
      role: 'member',
      scopes: null,
      status: 'invited',
      invited_at: expect.any(String),
      joined_at: null,
      invitation_token: expect.stringMatching(/^us_invite_/),
      invitation_expires_at: expect.any(String),
    });
    const accepted = await org.call(
      'POST',
      '/accept',
      { token: invited.invitation_token, name: 'Ada' },
      null,
    );
    expect(accepted.status).toBe(200);
    const joined = org.data(accepted);
    expect(joined).toMatchObject({
      id: invited.id,
      name: 'Ada',
      role: 'member',
      status: 'active',
      joined_at: expect.any(String),
      organization_id: org.orgId,
      api_token: expect.stringMatching(/^us_live_/),
    });
    const listed = await org.call('GET', '', undefined, joined.api_token);
    expect(listed.body).toMatchObject({
      data: {
        members: [{ id: invited.id, email: 'Ada@Example.com', name: 'Ada', status: 'active' }],
        total: 1,
        page: 1,
        per_page: 20,
      },
    });
    expect(listed.text).not.toContain('us_invite_');
    const stored = await plane.query('SELECT row_to_json(m)::text FROM members m');
    expect(JSON.stringify(stored)).not.toContain(invited.invitation_token);
  });

  it('see on the page of an invitation what it offers, until they have joined', async () => {
    const org = await organization();
    const { invitation_token: token } = await org.invite('Ada@Example.com', 'admin');
    const browser = new Browser(plane);
    const show = (secret: string, headers = {}) =>
      browser.request('/dashboard/invitation', { method: 'POST', body: { token: secret }, headers });
    const shown = await show(token);
    expect(shown.status).toBe(200);
    const name: unknown = expect.stringMatching(/./);
    expect(shown.body).toMatchObject({
      data: { organization: { name }, email: 'Ada@Example.com', role: 'admin' },
    });
    expect((await show(token, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await show('us_invite_unknown')).status).toBe(401);
    expect((await show('unknown')).status).toBe(422);
    await org.call('POST', '/accept', { token }, null);
    const refused = await show(token);
    expect([refused.status, refused.body]).toMatchObject([401, { error: { code: 'unauthorized' } }]);
  });

  it('are unique by address, regardless of case, compatibility forms and invisible characters', async () => {
    const org = await organization();
    await org.invite('bob@example.com');
    for (const email of ['bob@example.com', 'BOB@EXAMPLE.COM', 'bo\u200bb@example.com', 'ｂob@example.com']) {
      const again = await org.call('POST', '', { email, role: 'viewer' });
      expect([again.status, again.body]).toEqual([
        409,
        expect.objectContaining({ error: expect.objectContaining({ code: 'conflict' }) }),
      ]);
    }
    expect((await org.invite('É@example.com')).status).toBe('invited');
    expect((await org.invite('é@example.com')).status).toBe('invited');
    const elsewhere = await organization();
    expect((await elsewhere.invite('bob@example.com')).status).toBe('invited');
  });

  it('are unique among members that an earlier version stored, and in parallel requests', async () => {
    const org = await organization();
    const old = await org.invite('o\u200bld@example.com');
    await plane.query(`UPDATE members SET email_key = email WHERE id = '${old.id}'`);
    const codes = async (emails: string[]) => {
      const responses = await Promise.all(
        emails.map((email) => org.call('POST', '', { email, role: 'viewer' })),
      );
      return responses.map(({ status }) => status).sort((one, other) => one - other);
    };
    expect(await codes(['old@example.com'])).toEqual([409]);
    expect(await codes(['new@example.com', 'n\u200bew@example.com', 'NEW@example.com'])).toEqual([
      201, 409, 409,
    ]);
  });

  it.each([
    [{ role: 'viewer' }, 'email'],
    [{ email: 'nobody', role: 'viewer' }, 'email'],
    [{ email: `${'x'.repeat(250)}@example.com`, role: 'viewer' }, 'email'],
    [{ email: 5, role: 'viewer' }, 'email'],
    [{ email: '\u200b@x.io', role: 'viewer' }, 'email'],
    [{ email: '"\u3164"@x.io', role: 'viewer' }, 'email'],
    [{ email: 'a@example.com' }, 'role'],
    [{ email: 'a@example.com', role: 'root' }, 'role'],
  ])('refuses %j', async (body, field) => {
    const { call } = await organization();
    const response = await call('POST', '', body);
    expect([response.status, response.body]).toEqual([
      422,
      expect.objectContaining({
        error: expect.objectContaining({ details: [expect.objectContaining({ field })] }),
      }),
    ]);
  });
});

describe('an invitation', () => {
  it('admits one member even if it is used a hundred times in parallel', async () => {
    const org = await organization();
    const { invitation_token: token } = await org.invite('race@example.com');
    // These are as many requests as the rate limit of one address admits.
    const uses = await Promise.all(
      Array.from({ length: 50 }, () => org.call('POST', '/accept', { token }, null)),
    );
    expect(uses.map(({ status }) => status).sort()).toEqual([200, ...Array(49).fill(401)]);
    const tokens = await plane.query('SELECT count(*)::int AS n FROM api_tokens WHERE organization_id = $1', [
      org.orgId,
    ]);
    expect(tokens).toEqual([{ n: 2 }]);
  });

  it('gives the first token of each member a name of its own', async () => {
    const org = await organization();
    const names = await Promise.all(
      ['one', 'two', 'three'].map(async (name) => {
        const { api_token_id: id } = await org.join(`${name}@example.com`, 'viewer');
        return (await plane.query(`SELECT name FROM api_tokens WHERE id = '${id}'`))[0]?.['name'];
      }),
    );
    expect(names.sort()).toEqual(['first token', 'first token 2', 'first token 3']);
  });

  it('is refused with the same message if it is unknown, used, expired or withdrawn', async () => {
    const org = await organization();
    const expired = await org.invite('late@example.com');
    await plane.query('UPDATE members SET invitation_expires_at = now() WHERE id = $1', [expired.id]);
    const withdrawn = await org.invite('gone@example.com');
    await org.call('DELETE', `/${withdrawn.id}`);
    const used = await org.invite('in@example.com');
    await org.call('POST', '/accept', { token: used.invitation_token }, null);
    const tokens = ['us_invite_x', ...[expired, withdrawn, used].map((member) => member.invitation_token)];
    for (const token of tokens) {
      const response = await org.call('POST', '/accept', { token }, null);
      expect([response.status, response.body]).toMatchObject([
        401,
        { error: { message: 'This invitation is not valid.' } },
      ]);
    }
  });
});

describe('an owner', () => {
  it('cannot leave or lose the role if no other owner remains', async () => {
    const org = await organization();
    const owner = await org.join('owner@example.com', 'owner');
    await org.invite('not.joined@example.com', 'owner'); // counts only after it is accepted
    const demoted = await org.call('PATCH', `/${owner.id}`, { role: 'admin' });
    const removed = await org.call('DELETE', `/${owner.id}`);
    expect([demoted.status, removed.status]).toEqual([409, 409]);
    expect((await org.call('PATCH', `/${owner.id}`, { role: 'owner' })).status).toBe(200);
    await org.join('second@example.com', 'owner');
    expect((await org.call('PATCH', `/${owner.id}`, { role: 'admin' })).status).toBe(200);
  });

  it('remains if all owners are removed in parallel', async () => {
    const org = await organization();
    const owners: Member[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) owners.push(await org.join(`${name}@example.com`, 'owner'));
    const responses = await Promise.all(owners.map(({ id }) => org.call('DELETE', `/${id}`)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 409]);
  });

  it('cannot be changed by an admin', async () => {
    const org = await organization();
    const owner = await org.join('top@example.com', 'owner');
    await org.join('other@example.com', 'owner');
    const admin = await org.join('admin@example.com', 'admin');
    const as = (method: string, path: string, body?: unknown) =>
      org.call(method, path, body, admin.api_token);
    const responses = await Promise.all([
      as('DELETE', `/${owner.id}`),
      as('PATCH', `/${owner.id}`, { role: 'viewer' }),
      as('PATCH', `/${admin.id}`, { role: 'owner' }),
      as('POST', '', { email: 'x@example.com', role: 'owner' }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  });
});
