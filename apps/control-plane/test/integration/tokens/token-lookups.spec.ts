import { getDataSourceToken } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

import { newToken } from '../../../src/accounts/tokens/authentication/token-text.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

const WINDOW = 40;

let plane: ControlPlane;
beforeAll(async () => {
  // One window covers all tests.
  const rateLimits = { windowSeconds: 3_600, anonymousPerMinute: WINDOW, redisTimeoutMs: 30_000 };
  plane = await startControlPlane({ rateLimits });
});
afterAll(() => plane?.stop());

const ask = async (token: string) => (await plane.request('/v1/org', { token })).status;

/** Returns the result of `work` and the number of database queries for a token during `work`. */
async function lookUpsDuring<T>(work: () => Promise<T>) {
  const { driver } = plane.app.get<DataSource>(getDataSourceToken());
  const query = jest.spyOn((driver as PostgresDriver).master as Pool, 'query');
  try {
    const result = await work();
    const lookUps = query.mock.calls.filter(([asked]) => (asked as { name?: string }).name === 'find_token');
    return { result, lookUps: lookUps.length };
  } finally {
    query.mockRestore();
  }
}

// The order matters, because the tests use up the window of this machine's address step by step.
describe('the database query for a token', () => {
  it('does not count against the address if the token is valid', async () => {
    expect(await ask(plane.token)).toBe(200);
    for (let i = 0; i < WINDOW + 5; i++) expect(await ask((await plane.addToken({})).token)).toBe(200);
  });

  it('runs once for an unknown token that is sent repeatedly', async () => {
    const unknown = newToken();
    const { result, lookUps } = await lookUpsDuring(async () => {
      const statuses: number[] = [];
      for (let i = 0; i < 10; i++) statuses.push(await ask(unknown));
      return statuses;
    });
    expect([new Set(result), lookUps]).toEqual([new Set([401]), 1]);
  });

  it('runs again for a revoked token and then counts against the address', async () => {
    const { id, token } = await plane.addToken({});
    expect(await ask(token)).toBe(200);
    await plane.query('UPDATE api_tokens SET revoked_at = now() WHERE id = $1', [id]);
    expect(await ask(token)).toBe(401);
    const remaining = async () =>
      Number((await plane.request('/v1/org', { token: null })).headers.get('x-ratelimit-remaining') ?? NaN);
    const before = await remaining();
    expect(await ask(token)).toBe(401);
    expect(await remaining()).toBe(before - 2);
  });

  it('runs at most as often for random tokens as the window of their address allows', async () => {
    const { result, lookUps } = await lookUpsDuring(() =>
      Promise.all(Array.from({ length: 5 * WINDOW }, () => ask(newToken()))),
    );
    expect(lookUps).toBeLessThan(WINDOW);
    expect(result.filter((status) => status === 401)).toHaveLength(lookUps);
    expect(result.filter((status) => status === 429)).toHaveLength(5 * WINDOW - lookUps);
  });

  it('still runs for tokens that were valid before the window was used up', async () => {
    const { result, lookUps } = await lookUpsDuring(() => ask(plane.token));
    expect([result, lookUps]).toEqual([200, 1]);
    const { token: neverSeen } = await plane.addToken({});
    expect(await ask(neverSeen)).toBe(429);
  });
});
