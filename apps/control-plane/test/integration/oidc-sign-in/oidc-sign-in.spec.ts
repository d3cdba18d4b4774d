import {
  callbackOf,
  CHOOSE,
  choicesOf,
  choose,
  FLOW_COOKIE,
  join,
  pathOf,
  PUBLIC_URL,
  SESSION_COOKIE,
  sessionOf,
  SIGNED_IN,
  signIn,
  startOf,
  startOidcHarness,
  type OidcHarness,
} from './oidc-harness.js';

const refused = (code: string) => `303 /dashboard/sign-in?error=${code}`;

describe('sign-in through OpenID Connect', () => {
  let harness: OidcHarness;
  beforeAll(async () => (harness = await startOidcHarness()));
  afterAll(() => harness.stop());

  const joinFirst = (providerId: string) => join(harness.browser(), providerId, harness.plane.orgId);
  const auditOf = async (memberId: string) =>
    (
      await harness.plane.query(
        `SELECT action, actor_type AS actor, details FROM audit_entries WHERE target_id = $1 OR actor_id = $1 ORDER BY id`,
        [memberId],
      )
    ).map(({ action, actor, details }) => ({ action, actor, details }));

  it('offers the providers without their settings', async () => {
    const { status, text } = await harness.browser().send(`${PUBLIC_URL}/dashboard/oidc/providers`);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      data: {
        providers: [
          { id: 'company', name: 'Company account' },
          { id: 'partner', name: 'Partner' },
        ],
      },
    });
    expect(text).not.toMatch(/secret|127\.0\.0\.1/);
  });

  it('offers the member with the verified address, and opens its session after the user confirmed it', async () => {
    const member = await harness.addMember('ada@example.com');
    harness.company.account = { sub: 'ada', email: 'Ada@Example.com', email_verified: true };
    const browser = harness.browser();
    const start = await browser.send(startOf('company'));
    expect(start.status).toBe(302);
    const authorization = new URL(start.headers.get('location') ?? '');
    expect(Object.fromEntries(authorization.searchParams)).toEqual({
      client_id: 'understudy',
      redirect_uri: callbackOf('company'),
      response_type: 'code',
      scope: 'openid email',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(start.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        new RegExp(`^${FLOW_COOKIE}=[\\w-]{43}; Max-Age=600; Path=/; HttpOnly; Secure; SameSite=Lax$`),
      ),
    ]);

    const callback = await browser.follow(authorization.href, (url) => url.startsWith(callbackOf('company')));
    const visit = await browser.send(callback);
    expect(visit.headers.get('location')).toBe('/a/b/dashboard/choose-organization');
    expect([await sessionOf(browser), await auditOf(member)]).toEqual([null, []]);
    const offer = { id: harness.plane.orgId, name: 'Acme', is_linked: false };
    expect(await choicesOf(browser)).toEqual([offer]);
    const confirmed = await choose(browser, offer.id);
    expect(confirmed.status).toBe(201);
    expect(browser.cookie(PUBLIC_URL, FLOW_COOKIE)).toBeUndefined();
    expect(confirmed.headers.getSetCookie().find((line) => line.startsWith(`${SESSION_COOKIE}=`))).toMatch(
      /; HttpOnly; Secure; SameSite=Strict$/,
    );
    expect(await sessionOf(browser)).toMatchObject({
      organization: { id: harness.plane.orgId },
      member: { id: member, email: 'ada@example.com' },
      signed_in_by: 'oidc',
    });
    expect(await auditOf(member)).toEqual([
      { action: 'member.account_linked', actor: 'member', details: { provider: 'company' } },
      {
        action: 'session.opened',
        actor: 'member',
        details: expect.objectContaining({ signed_in_by: 'oidc' }),
      },
    ]);
    expect(await harness.plane.query('SELECT secret_hash FROM oidc_sign_ins')).toEqual([]);
    const again = harness.browser();
    expect(pathOf(await signIn(again, 'company'))).toBe(SIGNED_IN);
    expect(again.cookie(PUBLIC_URL, FLOW_COOKIE)).toBeUndefined();
  });

  it('gives each sign-in a new session, and ends none of the member in another browser', async () => {
    await harness.addMember('twice@example.com');
    harness.company.account = { sub: 'twice', email: 'twice@example.com', email_verified: true };
    const [one, other] = [harness.browser(), harness.browser()];
    await join(one, 'company', harness.plane.orgId);
    const first = one.cookie(PUBLIC_URL, SESSION_COOKIE);
    await signIn(one, 'company');
    await signIn(other, 'company');
    expect(one.cookie(PUBLIC_URL, SESSION_COOKIE)).not.toBe(first);
    const sessions = [await sessionOf(one), await sessionOf(other)];
    expect(new Set(sessions.map((session) => session?.id)).size).toBe(2);
  });

  it('uses the address of an ID token, and signs in a public client', async () => {
    const member = await harness.addMember('grace@example.com');
    harness.partner.account = { sub: 'grace', email: 'grace@example.com', email_verified: true };
    const browser = harness.browser();
    harness.partner.requests.length = 0;
    expect((await join(browser, 'partner', harness.plane.orgId)).status).toBe(201);
    expect(await sessionOf(browser)).toMatchObject({ member: { id: member } });
    expect(harness.partner.requests).not.toContain('/me');
  });

  it('signs a linked account in after its address changed or is no longer verified', async () => {
    const member = await harness.addMember('before@example.com');
    harness.company.account = { sub: 'moved', email: 'before@example.com', email_verified: true };
    await joinFirst('company');
    for (const account of [
      { sub: 'moved', email: 'after@example.com', email_verified: true },
      { sub: 'moved', email: 'before@example.com', email_verified: false },
      { sub: 'moved' },
    ]) {
      harness.company.account = account;
      const browser = harness.browser();
      expect(pathOf(await signIn(browser, 'company'))).toBe(SIGNED_IN);
      expect(await sessionOf(browser)).toMatchObject({ member: { id: member } });
    }
  });

  it('refuses another account with the address of a linked member', async () => {
    const member = await harness.addMember('linked@example.com');
    harness.company.account = { sub: 'first', email: 'linked@example.com', email_verified: true };
    await joinFirst('company');
    for (const provider of ['company', 'partner'] as const) {
      harness[provider].account = { sub: 'second', email: 'linked@example.com', email_verified: true };
      const browser = harness.browser();
      expect(pathOf(await signIn(browser, provider))).toBe(refused('not_a_member'));
      expect(await sessionOf(browser)).toBeNull();
      expect(await auditOf(member)).toContainEqual({
        action: 'member.sign_in_refused',
        actor: 'server',
        details: { provider, reason: 'linked_to_another_account' },
      });
    }
  });

  it('does not confuse accounts of two providers with the same subject', async () => {
    await harness.addMember('subject@example.com');
    harness.company.account = { sub: 'same', email: 'subject@example.com', email_verified: true };
    expect((await joinFirst('company')).status).toBe(201);
    harness.partner.account = { sub: 'same', email: 'else@example.com', email_verified: true };
    expect(pathOf(await signIn(harness.browser(), 'partner'))).toBe(refused('not_a_member'));
  });

  it.each([
    ['false', { email_verified: false }],
    ['a text', { email_verified: 'true' }],
    ['missing', {}],
  ])('refuses an address if email_verified is %s', async (title, claims) => {
    const email = `${title.replace(' ', '-')}@example.com`;
    const member = await harness.addMember(email);
    harness.company.account = { sub: `unverified ${title}`, email, ...claims };
    const browser = harness.browser();
    expect(pathOf(await signIn(browser, 'company'))).toBe(refused('email_not_verified'));
    expect(await sessionOf(browser)).toBeNull();
    expect(await auditOf(member)).toEqual([
      {
        action: 'member.sign_in_refused',
        actor: 'server',
        details: { provider: 'company', reason: 'email_not_verified' },
      },
    ]);
  });

  it('refuses an account without an address, or with the address of nobody', async () => {
    harness.company.account = { sub: 'no address' };
    expect(pathOf(await signIn(harness.browser(), 'company'))).toBe(refused('email_not_verified'));
    harness.company.account = { sub: 'stranger', email: 'stranger@example.com', email_verified: true };
    expect(pathOf(await signIn(harness.browser(), 'company'))).toBe(refused('not_a_member'));
  });

  it('links a member only to the same mailbox: ASCII letters may differ in case, other characters may not', async () => {
    await harness.addMember('kim@example.com');
    for (const [sub, email] of Object.entries({
      sign: '\u212aim@example.com',
      hidden: 'ki\u200bm@example.com',
    })) {
      harness.company.account = { sub, email, email_verified: true };
      expect(pathOf(await signIn(harness.browser(), 'company'))).toBe(refused('not_a_member'));
    }
    harness.company.account = { sub: 'kim', email: 'KIM@example.com', email_verified: true };
    expect((await joinFirst('company')).status).toBe(201);
  });

  it('refuses a member who has not accepted the invitation, and accepts the member afterwards', async () => {
    const member = await harness.addMember('invited@example.com', { hasJoined: false });
    harness.company.account = { sub: 'invited', email: 'invited@example.com', email_verified: true };
    expect(pathOf(await signIn(harness.browser(), 'company'))).toBe(refused('not_a_member'));
    expect(await auditOf(member)).toEqual([
      expect.objectContaining({ details: { provider: 'company', reason: 'invitation_not_accepted' } }),
    ]);
    await harness.plane.query(
      'UPDATE members SET joined_at = now(), invitation_hash = NULL, invitation_expires_at = NULL WHERE id = $1',
      [member],
    );
    expect((await joinFirst('company')).status).toBe(201);
  });

  it('links a member once if two accounts with the same address confirm it concurrently', async () => {
    const member = await harness.addMember('race@example.com');
    const browsers = [];
    for (const sub of ['race 1', 'race 2']) {
      harness.company.account = { sub, email: 'race@example.com', email_verified: true };
      const browser = harness.browser();
      expect(pathOf(await signIn(browser, 'company'))).toBe(CHOOSE);
      browsers.push(browser);
    }
    const visits = await Promise.all(browsers.map((browser) => choose(browser, harness.plane.orgId)));
    expect(visits.map(({ status }) => status).sort()).toEqual([201, 404]);
    const sessions = await Promise.all(browsers.map(sessionOf));
    expect(sessions.filter((session) => session !== null)).toHaveLength(1);
    expect(
      await harness.plane.query('SELECT count(*)::int FROM member_accounts WHERE member_id = $1', [member]),
    ).toEqual([{ count: 1 }]);
  });

  it('forgets the account of a removed member', async () => {
    const member = await harness.addMember('removed@example.com');
    harness.company.account = { sub: 'removed', email: 'removed@example.com', email_verified: true };
    const browser = harness.browser();
    await join(browser, 'company', harness.plane.orgId);
    const { status } = await harness.plane.request(`/v1/org/members/${member}`, { method: 'DELETE' });
    expect(status).toBe(200);
    expect(await sessionOf(browser)).toBeNull();
    expect(await harness.plane.query(`SELECT FROM member_accounts WHERE subject = 'removed'`)).toEqual([]);
    expect(pathOf(await signIn(harness.browser(), 'company'))).toBe(refused('not_a_member'));
  });

  it('reports a refusal of the user', async () => {
    harness.company.account = null;
    expect(pathOf(await signIn(harness.browser(), 'company'))).toBe(refused('provider_refused'));
  });

  it('returns 404 for an unknown provider', async () => {
    for (const url of [startOf('other'), `${callbackOf('other')}?code=x&state=y`])
      expect((await harness.browser().send(url)).status).toBe(404);
  });
});
