import { startTestServices } from '@understudy/testing';
import type { FastifyReply } from 'fastify';

import { SessionsService } from '../../../src/accounts/sessions/sessions.service.js';
import { auditEntries, Browser, dataOf, joinedMember, signedIn } from '../harness/browser.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({ rateLimits: { signInsPerMinute: 10_000 } });
});
afterAll(() => plane?.stop());

const REFUSED = { code: 'unauthorized', message: 'This API token or sign-in link is not valid.' };
const errorOf = ({ body }: { body: unknown }) => (body as { error: unknown }).error;

describe('signing in with a token', () => {
  it('returns the session and sets a cookie that scripts cannot read', async () => {
    const browser = new Browser(plane);
    const response = await browser.signIn({ token: plane.token });
    expect(response.status).toBe(201);
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^understudy=us_session_[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
    expect(dataOf(response)).toEqual({
      id: expect.stringMatching(/^ses_/),
      organization: { id: plane.orgId, name: 'Acme' },
      member: null,
      role: 'owner',
      scopes: null,
      signed_in_by: 'token',
      created_at: expect.any(String),
      idle_ends_at: expect.any(String),
      ends_at: expect.any(String),
      now: expect.any(String),
    });
    const [created, idle, end] = ['created_at', 'idle_ends_at', 'ends_at'].map((name) =>
      Date.parse(String(dataOf(response)[name])),
    ) as [number, number, number];
    expect([idle - created, end - created]).toEqual([3_600_000, 12 * 3_600_000]);
    const shown = await browser.request('/dashboard/session');
    expect([shown.status, dataOf(shown)['id']]).toEqual([200, dataOf(response)['id']]);
  });

  it('stores neither the cookie nor the token', async () => {
    const browser = await signedIn(plane);
    const secret = browser.cookie.split('=')[1] ?? 'none';
    const [rows] = await plane.query(`SELECT json_agg(s)::text AS text FROM dashboard_sessions AS s`);
    for (const text of [secret, Buffer.from(secret).toString('hex'), plane.token])
      expect(String(rows?.['text'])).not.toContain(text);
  });

  it('shows the member, and the scopes of a narrowed token', async () => {
    const member = await joinedMember(plane, { role: 'admin' });
    const narrowed = await plane.request('/v1/tokens', {
      method: 'POST',
      token: member.token,
      body: { name: 'narrowed', role: 'member', scopes: ['jobs:read', 'tokens:write'] },
    });
    const browser = await signedIn(plane, dataOf(narrowed)['token']);
    expect(dataOf(await browser.request('/dashboard/session'))).toMatchObject({
      member: { id: member.id, email: member.email },
      role: 'member',
      scopes: ['jobs:read', 'tokens:write'],
    });
    expect((await browser.request('/dashboard/v1/sync/jobs')).status).toBe(200);
    expect((await browser.request('/dashboard/v1/webhooks')).status).toBe(403);
  });

  it('ends with the token, if the token expires within 12 hours', async () => {
    const { id, token } = await plane.addToken({});
    const [row] = await plane.query(
      `UPDATE api_tokens SET expires_at = now() + interval '30 minutes' WHERE id = $1 RETURNING expires_at`,
      [id],
    );
    const browser = await signedIn(plane, token);
    const ends = (row?.['expires_at'] as Date).toISOString();
    expect(dataOf(await browser.request('/dashboard/session'))).toMatchObject({
      idle_ends_at: ends,
      ends_at: ends,
    });
  });

  it('records the sign-in in the audit log', async () => {
    const member = await joinedMember(plane);
    const response = await new Browser(plane).signIn({ token: member.token });
    const [entry] = await auditEntries(plane, 'session.opened');
    expect(entry).toEqual({
      actor_type: 'member',
      actor_id: member.id,
      target_id: dataOf(response)['id'],
      request_id: response.headers.get('x-request-id'),
      details: { signed_in_by: 'token', token_id: member.tokenId },
    });
  });

  it('gets a new id at each sign-in, and ends the session that the browser had', async () => {
    const browser = await signedIn(plane);
    const before = { cookie: browser.cookie, id: dataOf(await browser.request('/dashboard/session'))['id'] };
    await browser.signIn({ token: plane.token });
    expect(browser.cookie).not.toBe(before.cookie);
    expect(dataOf(await browser.request('/dashboard/session'))['id']).not.toBe(before.id);
    const old = await browser.request('/dashboard/session', { headers: { cookie: before.cookie } });
    expect(old.status).toBe(401);
    const [entry] = await auditEntries(plane, 'session.ended');
    expect(entry).toMatchObject({ target_id: before.id, details: { reason: 'signed_in_again' } });
  });

  it('never uses a session id that the browser brings along', async () => {
    const planted = `understudy=us_session_${'a'.repeat(43)}`;
    const browser = new Browser(plane);
    browser.cookie = planted;
    await browser.signIn({ token: plane.token });
    expect(browser.cookie).not.toBe(planted);
    expect((await browser.request('/dashboard/session', { headers: { cookie: planted } })).status).toBe(401);
  });
});

describe('a refused sign-in', () => {
  it('has one response for every reason, and sets no cookie', async () => {
    const [revoked, expired] = [await plane.addToken({}), await plane.addToken({})];
    await plane.query('UPDATE api_tokens SET revoked_at = now() WHERE id = $1', [revoked.id]);
    await plane.query(`UPDATE api_tokens SET expires_at = now() WHERE id = $1`, [expired.id]);
    const unknown = plane.token.slice(0, -1) + (plane.token.endsWith('0') ? '1' : '0');
    const link = `us_link_${'a'.repeat(43)}`;
    for (const body of [
      ...[revoked.token, expired.token, unknown, 'x', 'Bearer a b', 'ä'].map((token) => ({ token })),
      ...[link, plane.token, 'x'].map((text) => ({ link: text })),
    ]) {
      const response = await new Browser(plane).signIn(body);
      expect([response.status, errorOf(response)]).toEqual([401, REFUSED]);
      expect(response.headers.getSetCookie()).toEqual([]);
    }
    const entries = await auditEntries(plane, 'token.sign_in_refused');
    expect(entries.map(({ target_id, details }) => [target_id, details])).toEqual([
      [expired.id, { reason: 'expired' }],
      [revoked.id, { reason: 'revoked' }],
    ]);
  });

  it('opens no session for a member who is removed at the same time', async () => {
    const member = { organizationId: plane.orgId, memberId: `mem_${'0'.repeat(26)}` };
    const cookies: unknown[] = [];
    const header = (...values: unknown[]) => void cookies.push(values);
    const reply = { request: { id: 'req_x', headers: {} }, header };
    const opened = plane.app
      .get(SessionsService, { strict: false })
      .open({ ...member, token: null, signedInBy: 'link' }, reply as unknown as FastifyReply);
    await expect(opened).rejects.toMatchObject({ code: 'unauthorized' });
    expect(cookies).toEqual([]);
  });

  it.each([
    [{}, 422],
    [{ token: 'x', link: 'x' }, 422],
    [{ token: 5 }, 422],
    [{ token: 'x'.repeat(201) }, 422],
    [{ token: 'x', surprise: 1 }, 422],
    ['[]', 422],
    ['{', 400],
  ])('explains what is wrong with the body %j', async (body, status) => {
    const response = await new Browser(plane).request('/dashboard/session', { method: 'POST', body });
    expect(response.status).toBe(status);
  });

  it('accepts only JSON', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const response = await new Browser(plane).request('/dashboard/session', {
        method: 'POST',
        body: JSON.stringify({ token: plane.token }),
        headers: { 'content-type': type },
      });
      expect([response.status, response.headers.getSetCookie()]).toEqual([415, []]);
    }
  });
});

describe('the public URL', () => {
  it('decides the form of the cookie: over HTTPS it has the prefix __Host- and is Secure', async () => {
    const secure = await startControlPlane(
      { http: { publicUrl: 'https://understudy.example.com/a/b' } },
      await startTestServices(),
    );
    try {
      const browser = new Browser(secure);
      const response = await browser.signIn({ token: secure.token });
      expect(response.headers.getSetCookie()).toEqual([
        expect.stringMatching(
          /^__Host-understudy=us_session_[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
        ),
      ]);
      expect((await browser.request('/dashboard/v1/org')).status).toBe(200);
      const cookie = browser.cookie.replace('__Host-', '');
      expect((await browser.request('/dashboard/v1/org', { headers: { cookie } })).status).toBe(401);
    } finally {
      await secure.stop();
    }
  });

  it('must not be plain HTTP, unless it is on loopback', async () => {
    const plain = await startControlPlane(
      { http: { publicUrl: 'http://understudy.example.com' } },
      await startTestServices(),
    );
    try {
      const response = await new Browser(plain).signIn({ token: plain.token });
      expect([response.status, response.headers.getSetCookie()]).toEqual([403, []]);
      expect(response.text).toContain('The dashboard needs HTTPS.');
    } finally {
      await plain.stop();
    }
  });
});
