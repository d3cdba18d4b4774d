import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

let plane: ControlPlane;
let orgId: string;
beforeAll(async () => {
  plane = await startControlPlane();
  orgId = await plane.addOrganization('team');
});
afterAll(() => plane?.stop());

const whoami = async (token: string) => {
  const { status, body } = await plane.request('/v1/whoami', { token });
  return { status, data: (body as { data?: unknown }).data };
};

describe('GET /v1/whoami', () => {
  it('shows the organisation and the token of a token of the organisation', async () => {
    const { id, token } = await plane.addToken({ orgId, role: 'admin' });
    expect(await whoami(token)).toEqual({
      status: 200,
      data: {
        role: 'admin',
        scopes: null,
        organization: { id: orgId, name: orgId, plan: 'team' },
        member: null,
        token: { id, name: 'test', expires_at: expect.stringMatching(/Z$/) },
      },
    });
  });

  it("shows the member who owns the token, and the member's role if it is lower", async () => {
    const owner = await plane.addToken({ orgId });
    const call = async <T>(method: string, path: string, token: string | null, body: unknown): Promise<T> =>
      (
        (await plane.request(`/v1/org/members${path}`, { method, token, body })).body as unknown as {
          data: T;
        }
      ).data;
    const email = 'ada@example.com';
    const { id, invitation_token } = await call<{ id: string; invitation_token: string }>(
      'POST',
      '',
      owner.token,
      { email, role: 'admin' },
    );
    const { api_token } = await call<{ api_token: string }>('POST', '/accept', null, {
      token: invitation_token,
    });
    expect((await whoami(api_token)).data).toMatchObject({ role: 'admin', member: { id, email } });
    await call('PATCH', `/${id}`, owner.token, { role: 'viewer' });
    expect((await whoami(api_token)).data).toMatchObject({ role: 'viewer', member: { id, email } });
  });

  it('shows the scopes of a restricted token', async () => {
    const { token } = await plane.addToken({ orgId, role: 'viewer', scopes: ['generate'] });
    expect((await whoami(token)).data).toMatchObject({ role: 'viewer', scopes: ['generate'] });
  });

  it('shows a plan that was changed', async () => {
    const { token } = await plane.addToken({ orgId });
    await plane.request('/v1/org', { method: 'PATCH', token, body: { plan: 'business' } });
    expect((await whoami(token)).data).toMatchObject({ organization: { plan: 'business' } });
  });
});
