import type { BrowserContext } from 'playwright-core';

/** Signs a browser context in, as the sign-in page does. */
export async function signIn(context: BrowserContext, url: string, token: string): Promise<void> {
  const response = await context.request.post(`${url}/dashboard/session`, {
    headers: { 'sec-fetch-site': 'same-origin' },
    data: { token },
  });
  if (response.ok()) return;
  if (response.status() !== 404 && response.status() !== 405)
    throw new Error(`expected a session, received ${response.status()}: ${await response.text()}`);
  await useToken(context, url, token);
}

/** Sends the calls of the dashboard to `/v1` with the token, for a control plane without sessions. */
async function useToken(context: BrowserContext, url: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const organization = await context.request.get(`${url}/v1/org`, { headers });
  const { data } = (await organization.json()) as { data: { id: string; name: string } };
  await context.route('**/dashboard/v1/**', async (route) => {
    const target = route.request().url().replace('/dashboard/v1/', '/v1/');
    const response = await route.fetch({
      url: target,
      headers: { ...route.request().headers(), ...headers },
    });
    await route.fulfill({ response });
  });
  const now = new Date();
  const inHours = (hours: number): string => new Date(now.getTime() + hours * 3_600_000).toISOString();
  const session = {
    ...{ id: 'ses_00000000000000000000000000', organization: { id: data.id, name: data.name } },
    ...{ member: null, role: 'owner', scopes: null, signed_in_by: 'token' },
    ...{
      created_at: now.toISOString(),
      idle_ends_at: inHours(1),
      ends_at: inHours(12),
      now: now.toISOString(),
    },
  };
  await context.route('**/dashboard/session', (route) =>
    route.fulfill({ json: { data: session, meta: {} } }),
  );
  await context.route('**/dashboard/session/extend', (route) =>
    route.fulfill({ json: { data: session, meta: {} } }),
  );
}
