import { getDataSourceToken } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

import { newToken } from '../../../src/tokens/authentication/token-text.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

const WINDOW = 40;

let plane: ControlPlane;
beforeAll(async () => {
  // One window holds all tests, however long they take.
  const rateLimits = { windowSeconds: 3_600, anonymousPerMinute: WINDOW, answerWithinMs: 30_000 };
  plane = await startControlPlane({ rateLimits });
});
afterAll(() => plane?.stop());

const ask = async (token: string) => (await plane.request('/v1/org', { token })).status;

/** @returns what `work` returns, and how often the database was asked about a token meanwhile */
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

// In this order: the window of this machine's address is used up by and by.
describe('looking up a token', () => {
  it('spends nothing of the address when the token is valid', async () => {
    expect(await ask(plane.token)).toBe(200);
    for (let i = 0; i < WINDOW + 5; i++) expect(await ask((await plane.addToken({})).token)).toBe(200);
  });

  it('is done once for a token that nobody has, however often it is sent', async () => {
    const unknown = newToken();
    const { result, lookUps } = await lookUpsDuring(async () => {
      const statuses: number[] = [];
      for (let i = 0; i < 10; i++) statuses.push(await ask(unknown));
      return statuses;
    });
    expect([new Set(result), lookUps]).toEqual([new Set([401]), 1]);
  });

  it('is done again for a token that was valid, and counts against the address once it has ended', async () => {
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

  it('is not done for more random tokens than the window of their address has', async () => {
    const { result, lookUps } = await lookUpsDuring(() =>
      Promise.all(Array.from({ length: 5 * WINDOW }, () => ask(newToken()))),
    );
    expect(lookUps).toBeLessThan(WINDOW);
    expect(result.filter((status) => status === 401)).toHaveLength(lookUps);
    expect(result.filter((status) => status === 429)).toHaveLength(5 * WINDOW - lookUps);
  });

  it('goes on for tokens that were valid here before the window was used up', async () => {
    const { result, lookUps } = await lookUpsDuring(() => ask(plane.token));
    expect([result, lookUps]).toEqual([200, 1]);
    const { token: neverSeen } = await plane.addToken({});
    expect(await ask(neverSeen)).toBe(429);
  });
});
