import { auditEntries, type Browser, dataOf, joinedMember, signedIn } from '../harness/browser.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

interface Listed {
  readonly id: string;
  readonly signed_in_by: string;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly current: boolean;
}

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({ rateLimits: { signInsPerMinute: 10_000 } });
});
afterAll(() => plane?.stop());

const listOf = async (browser: Browser) =>
  dataOf(await browser.request('/dashboard/sessions'))['sessions'] as unknown as readonly Listed[];
const idOf = async (browser: Browser) => String(dataOf(await browser.request('/dashboard/session'))['id']);
const end = (browser: Browser, id: string) =>
  browser.request(`/dashboard/sessions/${id}`, { method: 'DELETE' });
const statusOf = async (browser: Browser) => (await browser.request('/dashboard/session')).status;

describe('the sessions of a member', () => {
  it('are listed with the newest first, without those that have ended', async () => {
    const { token } = await joinedMember(plane);
    const [idle, over, first, second] = [
      await signedIn(plane, token),
      await signedIn(plane, token),
      await signedIn(plane, token),
      await signedIn(plane, token),
    ];
    await plane.query(
      `UPDATE dashboard_sessions SET last_seen_at = now() - interval '1 hour' WHERE id = $1`,
      [await idOf(idle)],
    );
    await plane.query(`UPDATE dashboard_sessions SET ends_at = now() WHERE id = $1`, [await idOf(over)]);
    const [ofFirst, ofSecond] = [await idOf(first), await idOf(second)];
    const listed = await listOf(second);
    expect(listed).toEqual([
      { ...times, id: ofSecond, signed_in_by: 'token', current: true },
      { ...times, id: ofFirst, signed_in_by: 'token', current: false },
    ]);
    expect((await listOf(first)).map(({ current }) => current)).toEqual([false, true]);
  });

  it('do not include those of a revoked token', async () => {
    const { browser, other } = await twoTokens();
    expect(await listOf(browser)).toHaveLength(2);
    await plane.request(`/v1/tokens/${other.tokenId}`, { method: 'DELETE' });
    expect(await listOf(browser)).toHaveLength(1);
  });

  it('can be ended one at a time', async () => {
    const { browser, other, id: memberId } = await twoTokens();
    const id = await idOf(other.browser);
    const response = await end(browser, id);
    expect([response.status, dataOf(response)]).toEqual([200, { ended: 1 }]);
    expect([await statusOf(other.browser), await statusOf(browser)]).toEqual([401, 200]);
    const [entry] = await auditEntries(plane, 'session.ended');
    expect(entry).toMatchObject({
      ...{ actor_type: 'member', actor_id: memberId, target_id: id },
      details: { reason: 'ended_in_another_session' },
    });
    expect((await end(browser, id)).status).toBe(404);
  });

  it('include the one of the request, which is signed out and loses its cookie', async () => {
    const browser = await signedIn(plane, (await joinedMember(plane)).token);
    expect((await end(browser, await idOf(browser))).status).toBe(200);
    expect(browser.cookie).toBe('');
    const [entry] = await auditEntries(plane, 'session.ended');
    expect(entry).toMatchObject({ details: { reason: 'signed_out' } });
  });
});

describe('a session of someone else', () => {
  it.each([
    ['another member', async () => (await joinedMember(plane)).token],
    ['a token of the organisation', async () => (await plane.addToken({})).token],
    [
      'another organisation',
      async () => (await plane.addToken({ orgId: await plane.addOrganization() })).token,
    ],
  ])('is neither listed nor ended: %s', async (_, tokenOf) => {
    const theirs = await signedIn(plane, await tokenOf());
    const ours = [
      await signedIn(plane, (await joinedMember(plane, { role: 'admin' })).token),
      await signedIn(plane), // a token of the organisation with the role owner
    ];
    const id = await idOf(theirs);
    for (const browser of ours) {
      expect((await listOf(browser)).map((listed) => listed.id)).not.toContain(id);
      expect((await end(browser, id)).status).toBe(404);
    }
    expect(await statusOf(theirs)).toBe(200);
  });

  it.each(['x', '%00', '..%2F..', 'x'.repeat(400), 'ses_00000000000000000000000000'])(
    'is not found by the id %s',
    async (id) => {
      expect((await end(await signedIn(plane), id)).status).toBe(404);
    },
  );
});

const times = {
  created_at: expect.stringMatching(/Z$/) as string,
  last_seen_at: expect.stringMatching(/Z$/) as string,
};

/** Opens sessions with two tokens of one member. */
async function twoTokens() {
  const { token, id } = await joinedMember(plane, { role: 'admin' });
  const browser = await signedIn(plane, token);
  const made = dataOf(
    await browser.request('/dashboard/v1/tokens', {
      method: 'POST',
      body: { name: 'second', role: 'viewer' },
    }),
  );
  const other = { tokenId: String(made['id']), browser: await signedIn(plane, String(made['token'])) };
  return { id, browser, other };
}
