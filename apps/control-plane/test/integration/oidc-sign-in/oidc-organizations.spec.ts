import {
  CHOOSE,
  choicesOf,
  choose,
  FLOW_COOKIE,
  join,
  pathOf,
  PUBLIC_URL,
  sessionOf,
  SIGNED_IN,
  signIn,
  startOf,
  startOidcHarness,
  toCallback,
  type OidcHarness,
} from './oidc-harness.js';

const LIST = `${PUBLIC_URL}/dashboard/oidc/organizations`;

describe('a user with members in several organisations', () => {
  let harness: OidcHarness;
  let first: string;
  let second: string;
  beforeAll(async () => {
    harness = await startOidcHarness();
    first = harness.plane.orgId;
    second = await harness.plane.addOrganization();
    for (const orgId of [first, second]) await harness.addMember('ada@example.com', { orgId });
    harness.company.account = { sub: 'ada', email: 'ada@example.com', email_verified: true };
    for (const orgId of [first, second]) await join(harness.browser(), 'company', orgId);
  });
  afterAll(() => harness.stop());

  it('chooses one after the sign-in', async () => {
    const browser = harness.browser();
    const visit = await signIn(browser, 'company');
    expect(pathOf(visit)).toBe(CHOOSE);
    expect(await sessionOf(browser)).toBeNull();
    expect(await choicesOf(browser)).toEqual([
      { id: first, name: 'Acme', is_linked: true },
      { id: second, name: second, is_linked: true },
    ]);
    const chosen = await choose(browser, second);
    expect(chosen.status).toBe(201);
    expect(JSON.parse(chosen.text)).toMatchObject({ data: { organization: { id: second } } });
    expect(await sessionOf(browser)).toMatchObject({ organization: { id: second }, signed_in_by: 'oidc' });
    expect(browser.cookie(PUBLIC_URL, FLOW_COOKIE)).toBeUndefined();
  });

  it('makes the choice once, and only in the browser that signed in', async () => {
    const browser = harness.browser();
    await signIn(browser, 'company');
    const other = harness.browser();
    expect((await other.send(LIST)).status).toBe(401);
    expect((await choose(other, first)).status).toBe(401);
    other.setCookie(PUBLIC_URL, FLOW_COOKIE, browser.cookie(PUBLIC_URL, FLOW_COOKIE) ?? '');
    const statuses = await Promise.all([choose(browser, first), choose(other, second)]);
    expect(statuses.map(({ status }) => status).sort()).toEqual([201, 401]);
    expect((await choose(browser, first)).status).toBe(401);
  });

  it('cannot use the cookie of a choice as the cookie of a sign-in', async () => {
    const browser = harness.browser();
    await signIn(browser, 'company');
    const visit = await browser.send(`${PUBLIC_URL}/dashboard/oidc/company/callback?code=x&state=y`);
    expect(pathOf(visit)).toBe('303 /dashboard/sign-in?error=expired');
    expect((await choose(browser, first)).status).toBe(201);
  });

  it('cannot choose another organisation, and can then choose again', async () => {
    const stranger = await harness.plane.addOrganization();
    const browser = harness.browser();
    await signIn(browser, 'company');
    expect((await choose(browser, stranger)).status).toBe(404);
    for (const wrong of [null, 5, '', "' OR 1=1"]) expect((await choose(browser, wrong)).status).toBe(422);
    expect((await choose(browser, first)).status).toBe(201);
  });

  it('cannot be led to a choice by another site', async () => {
    const browser = harness.browser();
    await signIn(browser, 'company');
    expect((await choose(browser, first, 'cross-site')).status).toBe(403);
    expect(await sessionOf(browser)).toBeNull();
  });

  it('has 10 minutes for the choice', async () => {
    const browser = harness.browser();
    await signIn(browser, 'company');
    await harness.plane.query(`UPDATE oidc_sign_ins SET expires_at = expires_at - interval '600 s'`);
    expect((await browser.send(LIST)).status).toBe(401);
    expect((await choose(browser, first)).status).toBe(401);
  });

  it('loses the choice of an organisation that removed the member', async () => {
    const email = 'left@example.com';
    for (const orgId of [first, second]) await harness.addMember(email, { orgId });
    harness.company.account = { sub: 'left', email, email_verified: true };
    const browser = harness.browser();
    expect(pathOf(await signIn(browser, 'company'))).toBe(CHOOSE);
    await harness.plane.query('DELETE FROM members WHERE email = $1 AND organization_id = $2', [
      email,
      second,
    ]);
    expect((await choose(browser, second)).status).toBe(404);
    expect((await choose(browser, first)).status).toBe(201);
  });

  it('can choose an organisation that was joined after the first sign-in', async () => {
    const email = 'later@example.com';
    await harness.addMember(email);
    harness.company.account = { sub: 'later', email, email_verified: true };
    await join(harness.browser(), 'company', first);
    expect(pathOf(await signIn(harness.browser(), 'company'))).toBe(SIGNED_IN);
    await harness.addMember(email, { orgId: second });
    const browser = harness.browser();
    expect(pathOf(await signIn(browser, 'company'))).toBe(CHOOSE);
    expect(await choicesOf(browser)).toEqual([
      { id: first, name: 'Acme', is_linked: true },
      { id: second, name: second, is_linked: false },
    ]);
    expect((await choose(browser, second)).status).toBe(201);
  });
});

describe('a provider that is limited to some organisations', () => {
  it('signs nobody in to another organisation, and links no member there', async () => {
    const only = 'org_01KAMT8Z5CVYX7R2M4D6Q9WJ3E';
    const harness = await startOidcHarness({ partner: { organizations: [only] } });
    const member = await harness.addMember('ada@example.com');
    harness.partner.account = { sub: 'ada', email: 'ada@example.com', email_verified: true };
    expect(pathOf(await signIn(harness.browser(), 'partner'))).toBe(
      '303 /dashboard/sign-in?error=not_a_member',
    );
    expect(await harness.plane.query('SELECT FROM member_accounts WHERE member_id = $1', [member])).toEqual(
      [],
    );
    await harness.plane.query(`INSERT INTO organizations (id, name, plan) VALUES ($1, 'Globex', 'free')`, [
      only,
    ]);
    await harness.addMember('ada@example.com', { orgId: only });
    const browser = harness.browser();
    expect(pathOf(await signIn(browser, 'partner'))).toBe(CHOOSE);
    expect(await choicesOf(browser)).toEqual([{ id: only, name: 'Globex', is_linked: false }]);
    expect((await choose(browser, harness.plane.orgId)).status).toBe(404);
    expect((await choose(browser, only)).status).toBe(201);
    harness.company.account = harness.partner.account;
    expect((await join(harness.browser(), 'company', harness.plane.orgId)).status).toBe(201);
    await harness.stop();
  });
});

describe('an address that starts many sign-ins', () => {
  let harness: OidcHarness;
  beforeAll(async () => {
    harness = await startOidcHarness({ signInsPerMinute: 3 });
    await harness.addMember('ada@example.com');
    harness.company.account = { sub: 'ada', email: 'ada@example.com', email_verified: true };
  });
  afterAll(() => harness.stop());

  it.each(['cross-site', 'same-site'])(
    'gets the sign-in page for those that a %s page caused',
    async (site) => {
      const browser = harness.browser();
      for (let attempt = 0; attempt < 4; attempt += 1) {
        const visit = await browser.send(startOf('company'), { site });
        expect(pathOf(visit)).toBe('303 /dashboard/sign-in');
        expect(visit.headers.getSetCookie()).toEqual([]);
      }
      expect(await harness.plane.query('SELECT FROM oidc_sign_ins')).toEqual([]);
    },
  );

  it('is refused after the limit of sign-in attempts, but can finish the started ones', async () => {
    const browser = harness.browser();
    expect((await browser.send(startOf('company'))).status).toBe(302);
    expect((await browser.send(startOf('company'))).status).toBe(302);
    const url = await toCallback(browser, 'company');
    const refusal = await browser.send(startOf('company'));
    expect(refusal.status).toBe(429);
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(pathOf(await browser.send(url))).toBe(CHOOSE);
  });
});
