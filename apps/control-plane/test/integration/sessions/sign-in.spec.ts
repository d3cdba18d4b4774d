import { Browser, signedIn } from '../harness/browser.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({ rateLimits: { signInsPerMinute: 10_000 } });
});
afterAll(() => plane?.stop());

const dataOf = (response: { body: unknown }) => (response.body as { data: Record<string, unknown> }).data;

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
    const shown = await browser.request('/dashboard/session');
    expect([shown.status, dataOf(shown)['id']]).toEqual([200, dataOf(response)['id']]);
  });

  it('lets the page call the operations of the API', async () => {
    const browser = await signedIn(plane);
    const made = await browser.request('/dashboard/v1/tokens', {
      method: 'POST',
      body: { name: 'made in the browser', role: 'viewer' },
    });
    expect([made.status, made.headers.get('location')]).toEqual([
      201,
      `/dashboard/v1/tokens/${String(dataOf(made)['id'])}`,
    ]);
    expect((await browser.request(made.headers.get('location') ?? '')).status).toBe(200);
  });
});
