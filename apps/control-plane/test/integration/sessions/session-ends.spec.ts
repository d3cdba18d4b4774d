import { auditEntries, type Browser, dataOf, joinedMember, signedIn } from '../harness/browser.js';
import { ALL_BUT_DATE, startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({ rateLimits: { signInsPerMinute: 10_000 } });
});
afterAll(() => plane?.stop());

const statusOf = async (browser: Browser, path = '/dashboard/v1/org') => (await browser.request(path)).status;
const sessionOf = async (browser: Browser) => dataOf(await browser.request('/dashboard/session'));
const idOf = async (browser: Browser) => String((await sessionOf(browser))['id']);
const age = async (browser: Browser, column: string, interval: string) =>
  plane.query(`UPDATE dashboard_sessions SET ${column} = now() - $2::interval WHERE id = $1`, [
    await idOf(browser),
    interval,
  ]);
/** Signs in as a member whose own token can be changed. */
const member = async (role: 'viewer' | 'member' | 'admin' = 'admin') => {
  const joined = await joinedMember(plane, { role });
  return { ...joined, browser: await signedIn(plane, joined.token) };
};

describe('a session ends', () => {
  it.each([
    ['an hour after the last call', 'last_seen_at', '59 minutes 50 seconds', '1 hour'],
    ['12 hours after the sign-in', 'ends_at', '-10 seconds', '0 seconds'],
  ])('%s', async (_, column, before, after) => {
    const browser = await signedIn(plane);
    await age(browser, column, before);
    expect(await statusOf(browser, '/dashboard/session')).toBe(200);
    await age(browser, column, after);
    const response = await browser.request('/dashboard/v1/org');
    expect([response.status, response.body]).toEqual([
      401,
      expect.objectContaining({ error: expect.objectContaining({ code: 'unauthorized' }) }),
    ]);
  });

  it.each([-1, 1])('at the same time if the clock of the control plane jumps by %d hours', async (hours) => {
    const browser = await signedIn(plane);
    const end = async () => dataOf(await browser.request('/dashboard/session/extend', { method: 'POST' }));
    await age(browser, 'last_seen_at', '30 minutes');
    const before = Date.parse(String((await end())['idle_ends_at']));
    await age(browser, 'last_seen_at', '30 minutes');
    jest.useFakeTimers({ now: Date.now() + hours * 3_600_000, doNotFake: ALL_BUT_DATE });
    try {
      expect(await statusOf(browser)).toBe(200);
      const extended = Date.parse(String((await end())['idle_ends_at']));
      expect(Math.abs(extended - before)).toBeLessThan(1_800_000);
      await age(browser, 'last_seen_at', '61 minutes');
      expect(await statusOf(browser)).toBe(401);
    } finally {
      jest.useRealTimers();
    }
  });

  it('when its token is revoked', async () => {
    const { browser, tokenId } = await member();
    expect(await statusOf(browser)).toBe(200);
    await plane.request(`/v1/tokens/${tokenId}`, { method: 'DELETE' });
    expect(await statusOf(browser)).toBe(401);
  });

  it('when its token expires', async () => {
    const { browser, tokenId } = await member();
    await plane.query('UPDATE api_tokens SET expires_at = now() WHERE id = $1', [tokenId]);
    expect(await statusOf(browser)).toBe(401);
  });

  it('when its token is rotated elsewhere, but not when the session itself rotates it', async () => {
    const { browser, tokenId, token } = await member();
    const other = await signedIn(plane, token);
    const rotated = await browser.request(`/dashboard/v1/tokens/${tokenId}/rotate`, { method: 'POST' });
    expect([rotated.status, await statusOf(browser), await statusOf(other)]).toEqual([200, 200, 401]);
    await plane.request(`/v1/tokens/${tokenId}/rotate`, { method: 'POST' }); // another person's rotation
    expect(await statusOf(browser)).toBe(401);
  });

  it('when its member is removed', async () => {
    const { browser, id } = await member();
    await plane.request(`/v1/org/members/${id}`, { method: 'DELETE' });
    expect(await statusOf(browser)).toBe(401);
  });

  it('when the browser signs out, which removes the cookie', async () => {
    const browser = await signedIn(plane);
    const { cookie } = browser;
    const id = await idOf(browser);
    const response = await browser.request('/dashboard/session', { method: 'DELETE' });
    expect([response.status, response.headers.getSetCookie()]).toEqual([
      200,
      ['understudy=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict'],
    ]);
    const again = await browser.request('/dashboard/v1/org', { headers: { cookie } });
    expect(again.status).toBe(401);
    const [entry] = await auditEntries(plane, 'session.ended');
    expect(entry).toMatchObject({ target_id: id, details: { reason: 'signed_out' } });
  });

  it('when the member signs out everywhere, but other members stay signed in', async () => {
    const { browser, token, id } = await member();
    const narrowed = await browser.request('/dashboard/v1/tokens', {
      method: 'POST',
      body: { name: 'second', role: 'viewer' },
    });
    const others = [await signedIn(plane, token), await signedIn(plane, dataOf(narrowed)['token'])];
    const stranger = (await member()).browser;
    const response = await browser.request('/dashboard/sessions', { method: 'DELETE' });
    expect([response.status, dataOf(response)]).toEqual([200, { ended: 3 }]);
    for (const other of others) expect(await statusOf(other)).toBe(401);
    expect(await statusOf(stranger)).toBe(200);
    const [entry] = await auditEntries(plane, 'session.all_ended');
    expect(entry).toMatchObject({ actor_type: 'member', actor_id: id, details: { ended: 3 } });
  });

  it('with the other sessions of the same token, if the token belongs to no member', async () => {
    const { token } = await plane.addToken({ role: 'viewer' });
    const [browser, same, other] = [
      await signedIn(plane, token),
      await signedIn(plane, token),
      await signedIn(plane),
    ];
    await browser.request('/dashboard/sessions', { method: 'DELETE' });
    expect([await statusOf(same), await statusOf(other)]).toEqual([401, 200]);
  });
});

describe('a changed role', () => {
  it('counts at the next call, in both directions, up to the role of the token', async () => {
    const { browser, id } = await member('member');
    const change = (role: string) =>
      plane.request(`/v1/org/members/${id}`, { method: 'PATCH', body: { role } });
    const roleNow = async () => (await sessionOf(browser))['role'];
    const create = async () =>
      (await browser.request('/dashboard/v1/generators', { method: 'POST', body: {} })).status;
    expect([await roleNow(), await create()]).toEqual(['member', 422]);
    await change('viewer');
    expect([await roleNow(), await create()]).toEqual(['viewer', 403]);
    await change('admin');
    expect([await roleNow(), await create()]).toEqual(['member', 422]); // the token has the role member
  });
});

describe('the idle time', () => {
  const lastSeen = async (browser: Browser) => {
    const [row] = await plane.query('SELECT last_seen_at FROM dashboard_sessions WHERE id = $1', [
      await idOf(browser),
    ]);
    return (row?.['last_seen_at'] as Date).getTime();
  };

  it('is extended by calls of the user, and stored at most once a minute', async () => {
    const browser = await signedIn(plane);
    await age(browser, 'last_seen_at', '30 seconds');
    const before = await lastSeen(browser);
    await browser.request('/dashboard/v1/org');
    expect(await lastSeen(browser)).toBe(before);
    await age(browser, 'last_seen_at', '61 seconds');
    await browser.request('/dashboard/v1/org');
    expect(await lastSeen(browser)).toBeGreaterThan(before + 20_000);
  });

  it('is not extended by background calls, nor by reading the session', async () => {
    const browser = await signedIn(plane);
    await age(browser, 'last_seen_at', '30 minutes');
    const before = await lastSeen(browser);
    const headers = { 'understudy-background': '1' };
    expect((await browser.request('/dashboard/v1/sync/jobs', { headers })).status).toBe(200);
    expect(await statusOf(browser, '/dashboard/session')).toBe(200);
    expect(await lastSeen(browser)).toBe(before);
    await browser.request('/dashboard/v1/sync/jobs', { headers: { 'understudy-background': '0' } });
    expect(await lastSeen(browser)).toBeGreaterThan(before);
  });

  it('is extended on request, never beyond the absolute end', async () => {
    const browser = await signedIn(plane);
    await age(browser, 'last_seen_at', '58 minutes');
    const extended = dataOf(await browser.request('/dashboard/session/extend', { method: 'POST' }));
    expect(Date.parse(String(extended['idle_ends_at'])) - Date.parse(String(extended['now']))).toBe(
      3_600_000,
    );
    await age(browser, 'ends_at', '-5 minutes');
    const capped = dataOf(await browser.request('/dashboard/session/extend', { method: 'POST' }));
    expect(capped['idle_ends_at']).toBe(capped['ends_at']);
  });
});
