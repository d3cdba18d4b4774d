import type { BrowserContext } from 'playwright-core';

/**
 * Signs a browser context in, as the sign-in page does.
 * @param url the origin with the path prefix, without `/dashboard`
 * @throws Error if the server refuses the token
 */
export async function signIn(context: BrowserContext, url: string, token: string): Promise<void> {
  const response = await context.request.post(`${url}/dashboard/session`, {
    headers: { 'sec-fetch-site': 'same-origin' },
    data: { token },
  });
  if (response.ok()) return;
  throw new Error(`expected a session, received ${response.status()}: ${await response.text()}`);
}
