import { startTestServices, type TestServices } from '@understudy/testing';

import { DEFAULTS } from '../../../src/platform/config/configuration.js';
import { Browser, signedIn } from '../harness/browser.js';
import { startControlPlane, type ApiResponse, type ControlPlane } from '../harness/start-control-plane.js';

/** Smaller than by default, because each request costs time. */
const [sessionPerMinute, sessionWritesPerMinute] = [120, 20];

let services: TestServices;
let plane: ControlPlane;
beforeAll(async () => {
  // A long window and a long time limit for Redis, so that the results do not depend on the load of the machine.
  const patient = { windowSeconds: 3_600, redisTimeoutMs: 30_000 };
  services = await startTestServices(); // a test kills Redis
  plane = await startControlPlane(
    { rateLimits: { ...patient, sessionPerMinute, sessionWritesPerMinute, signInsPerMinute: 12 } },
    services,
  );
});
afterAll(() => plane?.stop());

/** Sends requests in groups of 20. */
async function statusesOf(count: number, send: () => Promise<ApiResponse>): Promise<number[]> {
  const statuses: number[] = [];
  for (let left = count; left > 0; left -= 20)
    for (const { status } of await Promise.all(Array.from({ length: Math.min(20, left) }, send)))
      statuses.push(status);
  return statuses;
}
const read = (browser: Browser) => () => browser.request('/dashboard/v1/tokens');
let written = 0;
const write = (browser: Browser) => () =>
  browser.request('/dashboard/v1/tokens', {
    method: 'POST',
    body: { name: `token ${++written}`, role: 'viewer' },
  });

/** Uses up both windows of a new session. Another session of the same token has windows of its own. */
async function useUpSession(): Promise<void> {
  const [browser, other] = [await signedIn(plane), await signedIn(plane)];
  expect(await statusesOf(sessionWritesPerMinute, write(browser))).toEqual(
    Array(sessionWritesPerMinute).fill(201),
  );
  const refused = await write(browser)();
  expect([refused.status, refused.headers.get('x-ratelimit-limit')]).toEqual([
    429,
    String(sessionWritesPerMinute),
  ]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  // Each write counts as a call, also a refused one.
  const reads = sessionPerMinute - sessionWritesPerMinute - 1;
  expect(await statusesOf(reads, read(browser))).toEqual(Array(reads).fill(200));
  const last = await read(browser)();
  expect([last.status, last.headers.get('x-ratelimit-limit')]).toEqual([429, String(sessionPerMinute)]);
  expect([(await read(other)()).status, (await write(other)()).status]).toEqual([200, 201]);
  expect((await plane.request('/v1/tokens')).status).toBe(200);
}

describe('the windows of a session', () => {
  it('have 600 calls and 60 writes by default, and sign-ins have 10 attempts', () => {
    expect(DEFAULTS.rateLimits).toMatchObject({
      ...{ sessionPerMinute: 600, sessionWritesPerMinute: 60, signInsPerMinute: 10 },
    });
  });

  it('admit calls and writes up to their limits, and refuse the next ones', async () => {
    await useUpSession();
  });

  it('count generating as a call, but not as a write', async () => {
    const browser = await signedIn(plane);
    const body = {
      schema: { generators: { n: { type: 'svc', algorithm: 'sequence' } }, output: ['n'] },
      count: 1,
    };
    const generate = () => browser.request('/dashboard/v1/generate', { method: 'POST', body });
    const response = await generate();
    expect([
      response.headers.get('x-ratelimit-limit'),
      response.headers.get('x-ratelimit-remaining'),
    ]).toEqual([String(sessionPerMinute), String(sessionPerMinute - 1)]);
  });

  it('let a user sign out after too many writes', async () => {
    const browser = await signedIn(plane);
    await statusesOf(sessionWritesPerMinute + 1, write(browser));
    expect((await browser.request('/dashboard/session', { method: 'DELETE' })).status).toBe(200);
  });
});

describe('attempts to sign in', () => {
  it('are limited for each address, whether they succeed or fail', async () => {
    // The tests above have signed in four times.
    const statuses: number[] = [];
    for (let i = 0; i < 9; i++) {
      const token = i % 2 === 0 ? 'wrong' : plane.token;
      statuses.push((await new Browser(plane).signIn({ token })).status);
    }
    expect(statuses).toEqual([401, 201, 401, 201, 401, 201, 401, 201, 429]);
    expect((await plane.request('/v1/tokens', { token: 'wrong' })).status).toBe(401);
  });

  it('of other sites do not count', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    const options = { method: 'POST', body: { token: 'x' }, token: null, headers };
    expect((await plane.request('/dashboard/session', options)).status).toBe(403);
  });
});

// This test runs last, because it ends Redis.
describe('without Redis', () => {
  it('each process keeps all three limits', async () => {
    process.kill(services.pids.redis ?? 0, 'SIGKILL');
    await useUpSession();
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++) statuses.push((await new Browser(plane).signIn({ token: 'wrong' })).status);
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429]); // two sign-ins came before
  });
});
