import { waitFor } from '@understudy/testing';
import { DataSource } from 'typeorm';

import {
  auditEntries,
  Browser,
  dataOf,
  joinedMember,
  signedIn,
  type JoinedMember,
} from '../harness/browser.js';
import { startControlPlane, type ApiResponse, type ControlPlane } from '../harness/start-control-plane.js';

const PUBLIC_URL = 'http://127.0.0.1:1/a/b';

let plane: ControlPlane;
let owner: Browser;
beforeAll(async () => {
  plane = await startControlPlane({
    http: { publicUrl: PUBLIC_URL },
    rateLimits: { signInsPerMinute: 10_000, sessionWritesPerMinute: 10_000 },
  });
  owner = await signedIn(plane);
});
afterAll(() => plane?.stop());

const createLink = (by: Browser, memberId: string): Promise<ApiResponse> =>
  by.request('/dashboard/sign-in-links', { method: 'POST', body: { member_id: memberId } });
const secretOf = (response: ApiResponse) => String(dataOf(response)['url']).split('#link=')[1] ?? '';
const expireTokens = (memberId: string) =>
  plane.query('UPDATE api_tokens SET expires_at = now() WHERE member_id = $1', [memberId]);
/** Waits until a number of statements wait for a lock. */
const waitForLocked = (count: number) =>
  waitFor(`${count} statements to wait for a lock`, async () => {
    const waiting = await plane.query(
      `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
    );
    return waiting.length === count;
  });
/** Creates a member whose token has expired. */
const lockedOut = async (options: Parameters<typeof joinedMember>[1] = {}): Promise<JoinedMember> => {
  const member = await joinedMember(plane, options);
  await expireTokens(member.id);
  return member;
};

describe('a sign-in link', () => {
  it('has its secret in the fragment below the path of the public URL, and is stored as a hash', async () => {
    const member = await lockedOut();
    const response = await createLink(owner, member.id);
    expect([response.status, dataOf(response)]).toEqual([
      201,
      {
        url: expect.stringMatching(
          /^http:\/\/127\.0\.0\.1:1\/a\/b\/dashboard\/sign-in#link=us_link_[\w-]{43}$/,
        ),
        expires_at: expect.any(String),
      },
    ]);
    const [row] = await plane.query(
      `SELECT json_agg(l)::text AS text, max(expires_at - created_at)::text AS lifetime FROM sign_in_links AS l`,
    );
    const secret = secretOf(response);
    expect(row?.['lifetime']).toBe('00:10:00');
    for (const text of [secret, Buffer.from(secret).toString('hex')])
      expect(String(row?.['text'])).not.toContain(text);
  });

  it('signs the member in with the role and the scopes that limit all tokens of the member', async () => {
    const { token } = await plane.addToken({ role: 'admin', scopes: ['org:write', 'jobs:read'] });
    const member = await lockedOut({ role: 'viewer', token });
    const link = secretOf(await createLink(owner, member.id));
    const browser = new Browser(plane);
    const response = await browser.signIn({ link });
    expect([response.status, dataOf(response)]).toEqual([
      201,
      expect.objectContaining({
        member: { id: member.id, email: member.email },
        role: 'viewer',
        scopes: ['org:write', 'jobs:read'],
        signed_in_by: 'link',
      }),
    ]);
    expect((await browser.request('/dashboard/v1/sync/jobs')).status).toBe(200);
    expect((await browser.request('/dashboard/v1/webhooks')).status).toBe(403);
    const [entry] = await auditEntries(plane, 'session.opened');
    expect(entry).toMatchObject({
      actor_type: 'member',
      actor_id: member.id,
      details: { signed_in_by: 'link', token_id: null },
    });
  });

  it('lets the member make a new token, and follows a change of the role', async () => {
    const member = await lockedOut({ role: 'admin' });
    const browser = new Browser(plane);
    await browser.signIn({ link: secretOf(await createLink(owner, member.id)) });
    const create = () =>
      browser.request('/dashboard/v1/tokens', { method: 'POST', body: { name: 'new', role: 'viewer' } });
    const made = await create();
    expect([made.status, dataOf(made)['member_id']]).toEqual([201, member.id]);
    expect((await plane.request('/v1/org', { token: String(dataOf(made)['token']) })).status).toBe(200);
    await plane.request(`/v1/org/members/${member.id}`, { method: 'PATCH', body: { role: 'viewer' } });
    expect((await create()).status).toBe(403);
    await plane.request(`/v1/org/members/${member.id}`, { method: 'DELETE' });
    expect((await create()).status).toBe(401);
  });

  it('works once, even for simultaneous requests', async () => {
    const member = await lockedOut();
    const link = secretOf(await createLink(owner, member.id));
    const attempts = await Promise.all(Array.from({ length: 8 }, () => new Browser(plane).signIn({ link })));
    expect(attempts.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(401)]);
    const sessions = await plane.query('SELECT id FROM dashboard_sessions WHERE member_id = $1', [member.id]);
    expect(sessions).toHaveLength(1);
    const refusals = await auditEntries(plane, 'sign_in_link.refused');
    expect(refusals).toHaveLength(7);
    expect(refusals[0]).toMatchObject({ actor_id: member.id, details: { reason: 'used' } });
  });

  it('expires after 10 minutes', async () => {
    const member = await lockedOut();
    const link = secretOf(await createLink(owner, member.id));
    await plane.query('UPDATE sign_in_links SET expires_at = now() WHERE member_id = $1', [member.id]);
    expect((await new Browser(plane).signIn({ link })).status).toBe(401);
    const [entry] = await auditEntries(plane, 'sign_in_link.refused');
    expect(entry).toMatchObject({ actor_id: member.id, details: { reason: 'expired' } });
  });

  it('replaces the earlier links of the member', async () => {
    const member = await lockedOut();
    const [first, second] = [await createLink(owner, member.id), await createLink(owner, member.id)];
    expect((await new Browser(plane).signIn({ link: secretOf(first) })).status).toBe(401);
    expect((await new Browser(plane).signIn({ link: secretOf(second) })).status).toBe(201);
  });

  it('ends when its member or its maker is removed', async () => {
    const maker = await joinedMember(plane, { role: 'admin' });
    const members = [await lockedOut(), await lockedOut()];
    const links: string[] = [];
    for (const { id } of members)
      links.push(secretOf(await createLink(await signedIn(plane, maker.token), id)));
    await plane.request(`/v1/org/members/${members[0]?.id}`, { method: 'DELETE' });
    await plane.request(`/v1/org/members/${maker.id}`, { method: 'DELETE' });
    for (const link of links) expect((await new Browser(plane).signIn({ link })).status).toBe(401);
  });

  it('signs a member in who is removed at the same time, and the removal ends the session', async () => {
    const member = await lockedOut();
    const browser = await signedIn(plane);
    const link = secretOf(await createLink(owner, member.id));
    // The sign-in ends the browser's earlier session. While the lock is held, it waits after it has used the link.
    const lock = plane.app.get(DataSource).createQueryRunner();
    await lock.startTransaction();
    await lock.query('SELECT FROM dashboard_sessions FOR UPDATE');
    const signIn = browser.signIn({ link });
    await waitForLocked(1);
    const removal = plane.request(`/v1/org/members/${member.id}`, { method: 'DELETE' });
    await waitForLocked(2);
    await lock.commitTransaction();
    await lock.release();
    expect([(await signIn).status, (await removal).status]).toEqual([201, 200]);
    expect((await browser.request('/dashboard/session')).status).toBe(401);
  });

  it('is refused if its member is removed first', async () => {
    const member = await lockedOut();
    const link = secretOf(await createLink(owner, member.id));
    const removal = plane.app.get(DataSource).createQueryRunner();
    await removal.startTransaction();
    await removal.query('DELETE FROM members WHERE id = $1', [member.id]);
    const signIn = new Browser(plane).signIn({ link });
    await waitForLocked(1);
    await removal.commitTransaction();
    await removal.release();
    expect((await signIn).status).toBe(401);
  });
});

describe('creating a sign-in link', () => {
  it('is recorded with its maker', async () => {
    const maker = await joinedMember(plane, { role: 'admin' });
    const member = await lockedOut();
    const response = await createLink(await signedIn(plane, maker.token), member.id);
    const [entry] = await auditEntries(plane, 'sign_in_link.created');
    expect(entry).toMatchObject({
      actor_type: 'member',
      actor_id: maker.id,
      request_id: response.headers.get('x-request-id'),
      details: { member_id: member.id },
    });
  });

  it('is refused if its maker is removed at the same time', async () => {
    const maker = await joinedMember(plane, { role: 'admin' });
    const browser = await signedIn(plane, maker.token);
    const member = await lockedOut();
    const removal = plane.app.get(DataSource).createQueryRunner();
    await removal.startTransaction();
    await removal.query('DELETE FROM members WHERE id = $1', [maker.id]);
    const creation = createLink(browser, member.id);
    await waitForLocked(1);
    await removal.commitTransaction();
    await removal.release();
    expect((await creation).status).toBe(401);
  });

  it('needs the role admin and the scope org:write', async () => {
    const member = await lockedOut({ role: 'viewer' });
    const as = async (options: Parameters<ControlPlane['addToken']>[0]) =>
      (await createLink(await signedIn(plane, (await plane.addToken(options)).token), member.id)).status;
    expect(await as({ role: 'viewer' })).toBe(403);
    expect(await as({ role: 'member' })).toBe(403);
    expect(await as({ role: 'admin', scopes: ['org:read', 'tokens:write'] })).toBe(403);
    expect(await as({ role: 'admin' })).toBe(201);
  });

  it('never gives more rights than the caller has', async () => {
    const asAdmin = await signedIn(plane, (await plane.addToken({ role: 'admin' })).token);
    expect((await createLink(asAdmin, (await lockedOut({ role: 'owner' })).id)).status).toBe(403);
    // A narrowed session could otherwise sign in as a member without this restriction.
    const { token } = await plane.addToken({ role: 'admin', scopes: ['org:write'] });
    const narrowed = await signedIn(plane, token);
    expect((await createLink(narrowed, (await lockedOut({ role: 'viewer' })).id)).status).toBe(403);
    expect((await createLink(narrowed, (await lockedOut({ role: 'viewer', token })).id)).status).toBe(201);
  });

  it('is refused while the member can still sign in with a token', async () => {
    const member = await joinedMember(plane);
    const response = await createLink(owner, member.id);
    expect([response.status, response.text]).toEqual([
      409,
      expect.stringContaining('Ask the member to sign in with it.'),
    ]);
    await plane.request(`/v1/tokens/${member.tokenId}/rotate`, { method: 'POST' }); // needs_rotation
    expect((await createLink(owner, member.id)).status).toBe(201);
  });

  it('finds only members of the same organisation who have accepted their invitation', async () => {
    const invited = await plane.request('/v1/org/members', {
      method: 'POST',
      body: { email: 'invited@example.com', role: 'viewer' },
    });
    const orgId = await plane.addOrganization();
    const { token } = await plane.addToken({ orgId });
    const stranger = await lockedOut({ token });
    for (const id of [String(dataOf(invited)['id']), stranger.id, 'mem_x', 'x'])
      expect((await createLink(owner, id)).status).toBe(404);
    expect((await createLink(owner, '\0')).status).toBe(422);
  });
});
