import { getDataSourceToken } from '@nestjs/typeorm';
import { waitFor } from '@understudy/testing';
import type { DataSource } from 'typeorm';

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
  startOidcHarness,
  type OidcHarness,
} from './oidc-harness.js';

const REFUSED = '303 /dashboard/sign-in?error=not_a_member';

let harness: OidcHarness;
let own: string;
let other: string;
let tokenOfOther: string;
let people = 0;
beforeAll(async () => {
  harness = await startOidcHarness();
  own = harness.plane.orgId;
  other = await harness.plane.addOrganization();
  tokenOfOther = (await harness.plane.addToken({ orgId: other })).token;
});
afterAll(() => harness.stop());

/** Makes the provider sign in a person with a verified address that no test has used. */
function person(): { readonly email: string; readonly sub: string } {
  people += 1;
  const account = { sub: `person ${people}`, email: `person${people}@example.com`, email_verified: true };
  harness.company.account = account;
  return account;
}

interface Invited {
  readonly id: string;
  readonly invitation_token: string;
}

async function invite(email: string, token = harness.plane.token): Promise<Invited> {
  const request = { method: 'POST', body: { email, role: 'member' }, token };
  const { body } = await harness.plane.request('/v1/org/members', request);
  return (body as unknown as { data: Invited }).data;
}

/** Accepts an invitation. @returns the first API token of the member */
async function accept({ invitation_token: token }: Invited): Promise<string> {
  const request = { method: 'POST', body: { token }, token: null };
  const { status, body } = await harness.plane.request('/v1/org/members/accept', request);
  expect(status).toBe(200);
  return (body as unknown as { data: { api_token: string } }).data.api_token;
}

const linksOf = (memberId: string) =>
  harness.plane.query('SELECT subject FROM member_accounts WHERE member_id = $1', [memberId]);
const offer = (id: string, name = id) => ({ id, name, is_linked: false });

describe('an invitation that the inviter accepts', () => {
  it("does not sign the invited person in to the inviter's organisation", async () => {
    const { email } = person();
    const invited = await invite(email, tokenOfOther);
    await accept(invited);
    const browser = harness.browser();
    expect(pathOf(await signIn(browser, 'company'))).toBe(CHOOSE);
    expect([await sessionOf(browser), await linksOf(invited.id)]).toEqual([null, []]);
    expect(await choicesOf(browser)).toEqual([offer(other)]);
  });

  it('does not lead a member of another organisation elsewhere without a choice', async () => {
    const { email } = person();
    await accept(await invite(email));
    await join(harness.browser(), 'company', own);
    const invited = await invite(email, tokenOfOther);
    await accept(invited);
    const browser = harness.browser();
    expect(pathOf(await signIn(browser, 'company'))).toBe(CHOOSE);
    expect(await choicesOf(browser)).toEqual([{ id: own, name: 'Acme', is_linked: true }, offer(other)]);
    expect((await choose(browser, own)).status).toBe(201);
    expect([await sessionOf(browser), await linksOf(invited.id)]).toMatchObject([
      { organization: { id: own } },
      [],
    ]);
  });

  it('is not confirmed by a request of another site, or by an organisation that was not offered', async () => {
    const { email } = person();
    const invited = await invite(email, tokenOfOther);
    await accept(invited);
    const browser = harness.browser();
    await signIn(browser, 'company');
    expect((await choose(browser, other, 'cross-site')).status).toBe(403);
    expect((await choose(browser, own)).status).toBe(404);
    expect([await sessionOf(browser), await linksOf(invited.id)]).toEqual([null, []]);
  });
});

describe('an invited person', () => {
  it('accepts, confirms the organisation at the first sign-in, and is not asked again', async () => {
    const { email, sub } = person();
    const invited = await invite(email);
    await accept(invited);
    const browser = harness.browser();
    expect((await join(browser, 'company', own)).status).toBe(201);
    expect(await sessionOf(browser)).toMatchObject({ organization: { id: own }, member: { id: invited.id } });
    expect(await linksOf(invited.id)).toEqual([{ subject: sub }]);
    expect(pathOf(await signIn(harness.browser(), 'company'))).toBe(SIGNED_IN);
  });

  it('is refused before accepting the invitation, and can confirm it afterwards', async () => {
    const { email } = person();
    const invited = await invite(email);
    const browser = harness.browser();
    expect(pathOf(await signIn(browser, 'company'))).toBe(REFUSED);
    await accept(invited);
    expect((await join(browser, 'company', own)).status).toBe(201);
  });

  it('uses the API token without a sign-in, before and after one', async () => {
    const { email } = person();
    const token = await accept(await invite(email));
    const whoami = async () => (await harness.plane.request('/v1/whoami', { token })).status;
    expect(await whoami()).toBe(200);
    await join(harness.browser(), 'company', own);
    expect(await whoami()).toBe(200);
  });

  it('of two organisations confirms each of them separately', async () => {
    const { email, sub } = person();
    const [first, second] = [await invite(email), await invite(email, tokenOfOther)];
    await accept(second);
    await accept(first);
    const browser = harness.browser();
    await signIn(browser, 'company');
    expect(await choicesOf(browser)).toEqual([offer(own, 'Acme'), offer(other)]);
    expect((await choose(browser, other)).status).toBe(201);
    expect([await linksOf(first.id), await linksOf(second.id)]).toEqual([[], [{ subject: sub }]]);
    expect((await join(harness.browser(), 'company', own)).status).toBe(201);
    expect(await linksOf(first.id)).toEqual([{ subject: sub }]);
  });
});

describe('what is offered to a user', () => {
  it('does not grow after the sign-in', async () => {
    const { email } = person();
    await accept(await invite(email));
    const browser = harness.browser();
    await signIn(browser, 'company');
    const later = await invite(email, tokenOfOther);
    await accept(later);
    expect((await choose(browser, other)).status).toBe(404);
    expect([await choicesOf(browser), await linksOf(later.id)]).toEqual([[offer(own, 'Acme')], []]);
  });

  it('has no member that was removed and invited again', async () => {
    const { email } = person();
    const removed = await invite(email);
    await accept(removed);
    const browser = harness.browser();
    await signIn(browser, 'company');
    await harness.plane.request(`/v1/org/members/${removed.id}`, { method: 'DELETE' });
    const again = await invite(email);
    await accept(again);
    expect((await choose(browser, own)).status).toBe(404);
    expect(await linksOf(again.id)).toEqual([]);
  });

  it('has no member that another account was linked to in the meantime', async () => {
    const { email, sub } = person();
    const invited = await invite(email);
    await accept(invited);
    const late = harness.browser();
    await signIn(late, 'company');
    harness.company.account = { sub: `${sub} again`, email, email_verified: true };
    await join(harness.browser(), 'company', own);
    expect((await choose(late, own)).status).toBe(404);
    expect(await linksOf(invited.id)).toEqual([{ subject: `${sub} again` }]);
  });

  it('is confirmed by the same account in two browsers, which links it once', async () => {
    const { email, sub } = person();
    const invited = await invite(email);
    await accept(invited);
    const browsers = [harness.browser(), harness.browser()];
    for (const browser of browsers) await signIn(browser, 'company');
    const visits = await Promise.all(browsers.map((browser) => choose(browser, own)));
    expect(visits.map(({ status }) => status)).toEqual([201, 201]);
    expect(await linksOf(invited.id)).toEqual([{ subject: sub }]);
  });

  it('is not linked, and opens no session, if the member is removed during the confirmation', async () => {
    const { email } = person();
    const invited = await invite(email);
    await accept(invited);
    const browser = harness.browser();
    await signIn(browser, 'company');
    const runner = harness.plane.app.get<DataSource>(getDataSourceToken()).createQueryRunner();
    await runner.startTransaction();
    await runner.query('SELECT FROM members WHERE id = $1 FOR UPDATE', [invited.id]);
    const confirming = choose(browser, own);
    await waitFor('the confirmation to wait for the member', async () => {
      const waiting = await harness.plane.query(
        `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'SELECT id FROM members%'`,
      );
      return waiting.length === 1;
    });
    await runner.query('DELETE FROM members WHERE id = $1', [invited.id]);
    await runner.commitTransaction();
    await runner.release();
    expect((await confirming).status).toBe(404);
    expect([await sessionOf(browser), await linksOf(invited.id)]).toEqual([null, []]);
  });

  it('is confirmed once: a copy of the cookie neither links nor opens anything afterwards', async () => {
    const { email } = person();
    await accept(await invite(email));
    const second = await invite(email, tokenOfOther);
    await accept(second);
    const [browser, thief] = [harness.browser(), harness.browser()];
    await signIn(browser, 'company');
    thief.setCookie(PUBLIC_URL, FLOW_COOKIE, browser.cookie(PUBLIC_URL, FLOW_COOKIE) ?? '');
    expect((await choose(browser, own)).status).toBe(201);
    expect((await choose(thief, other)).status).toBe(401);
    expect([await sessionOf(thief), await linksOf(second.id)]).toEqual([null, []]);
  });

  it('is nothing if the address is not verified, also for a user with a linked member', async () => {
    const { email, sub } = person();
    await accept(await invite(email));
    await join(harness.browser(), 'company', own);
    const invited = await invite(email, tokenOfOther);
    await accept(invited);
    harness.company.account = { sub, email, email_verified: false };
    expect(pathOf(await signIn(harness.browser(), 'company'))).toBe(SIGNED_IN);
    expect(await linksOf(invited.id)).toEqual([]);
  });
});

describe('after an upgrade', () => {
  it('links of the earlier version stay, and its unlinked members need a confirmation', async () => {
    const { email, sub } = person();
    const [linked, unlinked] = [
      await harness.addMember(email),
      await harness.addMember(email, { orgId: other }),
    ];
    await harness.plane.query(
      'INSERT INTO member_accounts (issuer, subject, member_id, linked_at) VALUES ($1, $2, $3, now())',
      [`${harness.company.url}/`, sub, linked],
    );
    const browser = harness.browser();
    await signIn(browser, 'company');
    expect(await choicesOf(browser)).toEqual([{ id: own, name: 'Acme', is_linked: true }, offer(other)]);
    expect([await linksOf(linked), await linksOf(unlinked)]).toEqual([[{ subject: sub }], []]);
  });

  it('a choice that the earlier version stored has the linked members only', async () => {
    const { email } = person();
    await harness.addMember(email);
    await join(harness.browser(), 'company', own);
    await harness.addMember(email, { orgId: other });
    const browser = harness.browser();
    await signIn(browser, 'company');
    await harness.plane.query('UPDATE oidc_sign_ins SET offered_member_ids = NULL');
    expect((await choose(browser, other)).status).toBe(404);
    expect((await choose(browser, own)).status).toBe(201);
  });
});
