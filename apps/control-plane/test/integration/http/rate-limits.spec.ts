import { connect } from 'node:net';

import { startTestServices, type TestServices, waitFor } from '@understudy/testing';
import fc from 'fast-check';
import type { Redis } from 'ioredis';
import { ulid } from 'ulid';

import type { Plan } from '../../../src/platform/config/plans.js';
import { RateLimiter, type Allowance } from '../../../src/platform/http/rate-limits/rate-limiter.js';
import { RedisRateLimiter } from '../../../src/platform/http/rate-limits/redis-rate-limiter.js';
import { testConfiguration } from '../agent-link/agent-link-configuration.js';
import { serverEnvironment, startServerProcess, type ServerProcess } from '../harness/server-process.js';
import {
  startControlPlane,
  type ApiResponse,
  type ControlPlane,
  type RequestOptions,
} from '../harness/start-control-plane.js';

const LIMIT = 60;
const BURST = 10;
/** A long time limit for Redis, so that the results do not depend on the load of the machine. */
const PATIENT = { redisTimeoutMs: 30_000 };

let services: TestServices;
let plane: ControlPlane;
beforeAll(async () => {
  services = await startTestServices(); // a test kills Redis
  plane = await startControlPlane({ rateLimits: { anonymousPerMinute: 60, ...PATIENT } }, services);
});
afterAll(() => plane?.stop());

const organization = async (plan: Plan = 'free') => {
  const orgId = await plane.addOrganization(plan);
  return { orgId, ...(await plane.addToken({ orgId })) };
};
const limits = ({ headers }: Pick<ApiResponse, 'headers'>) => ({
  limit: Number(headers.get('x-ratelimit-limit') ?? NaN),
  remaining: Number(headers.get('x-ratelimit-remaining') ?? NaN),
  reset: Number(headers.get('x-ratelimit-reset') ?? NaN),
});

const startProcess = async () => {
  const [row] = await plane.query('SELECT current_database() AS name');
  const databaseUrl = `${plane.services.postgresUrl}/${String(row?.['name'])}`;
  return startServerProcess({
    ...serverEnvironment(plane.services, databaseUrl),
    UNDERSTUDY_RATE_LIMIT_ANSWER_MS: String(PATIENT.redisTimeoutMs),
  });
};

/** Waits for the connections to Redis. Without a connection, the process counts requests itself. */
const connected = (limiters: readonly RedisRateLimiter[]) =>
  waitFor('the connections to Redis', async () =>
    limiters.every((limiter) => (Reflect.get(limiter, 'redis') as Redis).status === 'ready'),
  );

describe('a rate limit window', () => {
  const limiters: RedisRateLimiter[] = [];
  beforeAll(async () => {
    // Two processes, which share only Redis.
    const configuration = testConfiguration(plane.services, '', { rateLimits: PATIENT });
    limiters.push(new RedisRateLimiter(configuration), new RedisRateLimiter(configuration));
    await connected(limiters);
  });
  afterAll(() => limiters.forEach((limiter) => limiter.onApplicationShutdown()));

  const spend = (limiter: number, organizationId: string, plan: Plan = 'free'): Promise<Allowance> =>
    (limiters[limiter] as RateLimiter).spendOfOrganization({ organizationId, plan });

  it('admits limit + burst requests of two processes in any order, and refuses none while some remain', async () => {
    const rounds = fc.array(fc.array(fc.nat(1), { minLength: 1, maxLength: 40 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(rounds, async (rounds) => {
        const organizationId = ulid();
        const seen: Allowance[] = [];
        for (const round of rounds)
          seen.push(...(await Promise.all(round.map((limiter) => spend(limiter, organizationId)))));
        expect(seen.filter(({ passes }) => passes)).toHaveLength(Math.min(seen.length, LIMIT + BURST));
        for (const { passes, remaining } of seen) expect(passes || remaining === 0).toBe(true);
        // Each number of remaining requests is reported once, and then 0 for all later requests.
        const reported = seen.map(({ remaining }) => remaining).sort((a, b) => b - a);
        expect(reported).toEqual(reported.map((_, i) => Math.max(0, LIMIT - 1 - i)));
      }),
      { numRuns: 20 },
    );
  });

  it('continues when the plan changes', async () => {
    const organizationId = ulid();
    for (let i = 0; i < 70; i++) await spend(0, organizationId, 'free');
    expect((await spend(1, organizationId, 'free')).passes).toBe(false);
    expect(await spend(1, organizationId, 'starter')).toMatchObject({ passes: true, remaining: 300 - 72 });
  });

  it('admits at most limit + burst requests in each of many windows, and refuses only when none remain', async () => {
    const settings = { rateLimits: { windowSeconds: 1, ...PATIENT } };
    const pair = [0, 1].map(() => new RedisRateLimiter(testConfiguration(plane.services, '', settings)));
    await connected(pair);
    const caller = { organizationId: ulid(), plan: 'free' as const };
    const seen: Allowance[] = [];
    // Each window has one first request, and only its response reports LIMIT - 1.
    const windows = () => seen.filter(({ remaining }) => remaining === LIMIT - 1).length;
    await waitFor('five windows', async () => {
      const asked = Array.from({ length: 50 }, (_, i) => pair[i % 2]?.spendOfOrganization(caller));
      seen.push(...(await Promise.all(asked)).flatMap((one) => (one ? [one] : [])));
      return windows() > 5;
    });
    pair.forEach((limiter) => limiter.onApplicationShutdown());
    const passed = seen.filter(({ passes }) => passes);
    expect(passed.length).toBeLessThanOrEqual(windows() * (LIMIT + BURST));
    expect(passed.length).toBeLessThan(seen.length); // proves that a window was full
    for (const { passes, remaining } of seen) expect(passes || remaining === 0).toBe(true);
  });

  it('is followed by a new window with the full limit', async () => {
    const short = new RedisRateLimiter(
      testConfiguration(plane.services, '', {
        rateLimits: { windowSeconds: 1, anonymousPerMinute: 3, ...PATIENT },
      }),
    );
    await connected([short]);
    const ask = () => short.spendOfAddress('203.0.113.1');
    await waitFor('a used-up window', async () => !(await ask()).passes);
    const next = await waitFor('the next window', async () => {
      const allowance = await ask();
      return allowance.passes && allowance;
    });
    expect(next.remaining).toBe(2);
    short.onApplicationShutdown();
  });
});

describe('a reply of Redis', () => {
  it('counts even if the process was busy when it arrived', async () => {
    const [patient, limiter] = [PATIENT, { redisTimeoutMs: 50 }].map(
      (settings) =>
        new RedisRateLimiter(
          testConfiguration(plane.services, '', { rateLimits: { anonymousPerMinute: 60, ...settings } }),
        ),
    ) as [RedisRateLimiter, RedisRateLimiter];
    await connected([patient, limiter]);
    const ask = (of = limiter) => of.spendOfAddress('203.0.113.2');
    // Only Redis knows the requests of the other process.
    for (let i = 0; i < 20; i++) await ask(patient);
    const before = await waitFor('Redis to answer', async () => {
      const { remaining } = await ask();
      return remaining < 40 && remaining;
    });
    const asked = ask();
    await Promise.resolve(); // the request is sent
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000); // the process reads nothing and runs no timer
    expect((await asked).remaining).toBe(before - 1);
    for (const one of [patient, limiter]) one.onApplicationShutdown();
  });
});

describe('the point of a request with a valid token', () => {
  let limiter: RedisRateLimiter;
  afterEach(() => limiter.onApplicationShutdown());

  it.each([
    ['of Redis', () => plane.services.redisUrl],
    ['of this process, which uses Redis again', () => 'redis://127.0.0.1:1'],
  ])('returns to the window %s', async (_, url) => {
    const configuration = testConfiguration(plane.services, '', {
      rateLimits: { anonymousPerMinute: 60, ...PATIENT },
    });
    limiter = new RedisRateLimiter({ ...configuration, redis: { ...configuration.redis, url: url() } });
    await limiter.onModuleInit();
    const spend = () => limiter.spendOfAddress('203.0.113.3');
    const point = await spend();
    await waitFor('the next attempt to use Redis', async () => {
      return Number(Reflect.get(limiter, 'awayUntil')) <= Date.now();
    });
    await point.giveBack();
    expect((await spend()).remaining).toBe(59);
  });
});

describe('two server processes', () => {
  const servers: ServerProcess[] = [];
  beforeAll(async () => {
    servers.push(...(await Promise.all([startProcess(), startProcess()])));
  });
  afterAll(() => Promise.all(servers.map((server) => server.kill())));

  it('admit the 61st to 70th request with 0 remaining and refuse the 71st', async () => {
    const { token } = await organization();
    const answers: ApiResponse[] = [];
    // On a busy machine, the last of 100 requests at once would wait too long for a session of PostgreSQL.
    const askInTurn = async (at: string) => {
      for (let i = 0; i < 5; i++) answers.push(await plane.request('/v1/sync/jobs', { token, at }));
    };
    await Promise.all(Array.from({ length: 20 }, (_, i) => askInTurn(servers[i % 2]?.url ?? '')));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array(LIMIT + BURST).fill(200),
      ...Array(30).fill(429),
    ]);
    for (const answer of answers) {
      const { limit, remaining } = limits(answer);
      expect(limit).toBe(LIMIT);
      expect(answer.status === 200 || remaining === 0).toBe(true);
    }
    const passed = answers.filter(({ status }) => status === 200).map((answer) => limits(answer).remaining);
    expect(passed.sort((a, b) => b - a)).toEqual([
      ...Array.from({ length: LIMIT }, (_, i) => LIMIT - 1 - i),
      ...Array(BURST).fill(0),
    ]);
  });
});

describe('the rate limit headers', () => {
  const garbage = () =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(plane.url).port), '127.0.0.1', () => socket.write('x\r\n\r\n'));
      let text = '';
      socket.on('data', (data) => (text += data.toString())).on('end', () => resolve(text));
      socket.on('error', reject);
    });
  const generate = {
    schema: { generators: { id: { type: 'svc', algorithm: 'uuid_v4' } }, output: ['id'] },
    count: 1,
  };

  it.each<[number, string, RequestOptions]>([
    [200, '/v1/sync/jobs', {}],
    [200, '/v1/sync/jobs', { method: 'HEAD' }],
    [200, '/v1/generate', { method: 'POST', body: generate }],
    [201, '/v1/tokens', { method: 'POST', body: { name: 'x', role: 'viewer' } }],
    [400, '/v1/tokens', { method: 'POST', body: '{' }],
    [401, '/v1/sync/jobs', { token: null }],
    [401, '/v1/nothing', { token: 'x' }],
    [401, '/v1/org/members/accept', { method: 'POST', token: null, body: { token: 'us_invite_x' } }],
    [404, '/v1/nothing', {}],
    [404, '/v1/sync/jobs/job_x', {}],
    [404, '/v1/sync/jobs/%zz', {}],
    [404, '/nothing', {}],
    [405, '/v1/sync/jobs', { method: 'OPTIONS' }],
    [413, '/v1/tokens', { method: 'POST', body: ' '.repeat(1024 * 1024 + 1) }],
    [415, '/v1/tokens', { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } }],
    [422, '/v1/tokens?surprise=1', {}],
  ])('are on a %i of %s', async (status, path, options) => {
    const answer = await plane.request(path, options);
    expect(answer.status).toBe(status);
    const { limit, remaining, reset } = limits(answer);
    expect([60, 5_000]).toContain(limit);
    expect(remaining).toBeLessThan(limit);
    expect(Number.isInteger(reset) && reset * 1000 > Date.now() && reset * 1000 < Date.now() + 61_000).toBe(
      true,
    );
  });

  it('are part of a 403 and a 402 response', async () => {
    const { orgId, token } = await organization();
    const viewer = await plane.addToken({ orgId, role: 'viewer' });
    const forbidden = await plane.request('/v1/tokens', { token: viewer.token });
    expect([forbidden.status, limits(forbidden).remaining]).toEqual([403, 59]);
    await plane.query(`INSERT INTO usage_counters VALUES ($1, 'api_calls', $2, 10000)`, [
      orgId,
      new Date().toISOString().slice(0, 7),
    ]);
    const exhausted = await plane.request('/v1/sync/jobs', { token });
    expect([exhausted.status, limits(exhausted).remaining]).toEqual([402, 58]);
  });

  it('are part of the response to bytes that are not HTTP', async () => {
    const answer = await garbage();
    expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
    expect(answer).toMatch(
      /x-ratelimit-limit: 60\r\nx-ratelimit-remaining: \d+\r\nx-ratelimit-reset: \d+\r\n/,
    );
  });

  it('are part of a 429 response, with Retry-After and the envelope', async () => {
    const { token } = await organization();
    const refused = await waitFor('a used-up window', async () => {
      const answer = await plane.request('/v1/org', { token });
      return answer.status === 429 && answer;
    });
    expect(refused.body).toMatchObject({
      error: { code: 'rate_limit_exceeded', message: expect.any(String) },
      meta: { request_id: expect.stringMatching(/^req_/) },
    });
    const retryAfter = Number(refused.headers.get('retry-after'));
    expect(retryAfter >= 1 && retryAfter <= 60).toBe(true);
  });
});

// These tests run last, because they use up the window of this machine's address.
describe('callers without a valid token', () => {
  /**
   * Sends requests until one is refused in a window that ends more than 30 s later. The next requests of a
   * test then fall into the same window.
   */
  const usedUp = () =>
    waitFor('a used-up window that does not end soon', async () => {
      const answer = await plane.request('/v1/sync/jobs', { token: null });
      return answer.status === 429 && limits(answer).reset * 1000 - Date.now() > 30_000;
    });

  it('share sixty requests per minute, which requests with a valid token do not use', async () => {
    const ask = (options: RequestOptions & { path?: string } = {}) =>
      plane.request(options.path ?? '/v1/sync/jobs', { token: null, ...options });
    const unknownToken = plane.token.slice(0, -1) + (plane.token.endsWith('0') ? '1' : '0');
    await usedUp();
    const answers = await Promise.all([
      ask({ token: unknownToken }),
      ask({ path: '/nothing' }),
      ask({ path: '/v1/agents/renew', method: 'POST', body: {} }),
      ask({ path: '/v1/%zz' }),
    ]);
    for (const answer of answers) {
      expect([answer.status, limits(answer).remaining]).toEqual([429, 0]);
      expect(answer.body).toMatchObject({ error: { code: 'rate_limit_exceeded' } });
    }
    expect((await plane.request('/v1/sync/jobs')).status).toBe(200);
    expect((await ask({ path: '/healthz' })).status).toBe(200);
  });

  it('cannot choose their address with a header', async () => {
    await usedUp();
    const headers = { 'x-forwarded-for': '203.0.113.200', forwarded: 'for=203.0.113.200' };
    expect((await plane.request('/v1/sync/jobs', { token: null, headers })).status).toBe(429);
  });
});

describe('without Redis', () => {
  it('each process admits limit + burst requests of a caller, and quotas stay exact', async () => {
    const capped = await organization();
    const { orgId, token } = await organization('starter');
    const month = new Date().toISOString().slice(0, 7);
    await plane.query(`INSERT INTO usage_counters VALUES ($1, 'sync_jobs', $2, 49)`, [orgId, month]);
    const job = {
      name: 'x',
      source: { type: 'postgresql', connection_string: 'agent:a' },
      target: { type: 'postgresql', connection_string: 'agent:b' },
      tables: [{ name: 'customers' }],
    };
    for (const known of [capped, { token }]) await plane.request('/v1/org', { token: known.token });
    const other = await startProcess();
    process.kill(services.pids.redis ?? 0, 'SIGKILL');
    const answers: ApiResponse[] = [];
    for (let i = 0; i < LIMIT + BURST + 10; i++)
      answers.push(await plane.request('/v1/sync/jobs', { token: capped.token }));
    expect(answers.map(({ status }) => status)).toEqual([
      ...Array<number>(LIMIT + BURST).fill(200),
      ...Array<number>(10).fill(429),
    ]);
    for (const answer of answers) {
      const { limit, remaining } = limits(answer);
      expect([limit, answer.status === 200 || remaining === 0]).toEqual([LIMIT, true]);
    }
    const creates = await Promise.all(
      Array.from({ length: 20 }, () => plane.request('/v1/sync/jobs', { method: 'POST', token, body: job })),
    );
    expect(creates.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(19).fill(402)]);
    const anonymous: number[] = [];
    for (let i = 0; i < 61; i++)
      anonymous.push((await plane.request('/v1/sync/jobs', { token: null })).status);
    expect(anonymous).toEqual([...Array<number>(60).fill(401), 429]);
    expect(await other.stop()).toBe(0); // the process does not wait for Redis to shut down
  });
});
