import { Redis } from 'ioredis';
import { Client } from 'pg';

import type * as Testing from '../src/index.js';
import { casesOf, inBoth, it } from '../src/test-run.js';

/** Loads the code of the library again, as Jest does for each suite. */
function nextSuite(): typeof Testing {
  jest.resetModules();
  return jest.requireActual<typeof Testing>('../src/index.js');
}

const one = async (url: string, sql: string): Promise<unknown> => {
  const client = new Client(url);
  await client.connect();
  try {
    return Object.values((await client.query<Record<string, unknown>>(sql)).rows[0] ?? {})[0];
  } finally {
    await client.end();
  }
};

describe('a service of the worker', () => {
  it('is started once, also for suites that load the code again', async () => {
    let starts = 0;
    const start = () => Promise.resolve({ number: ++starts, stop: () => Promise.resolve() });
    const first = await nextSuite().perWorker('counted', start);
    expect(await nextSuite().perWorker('counted', start)).toBe(first);
    expect(starts).toBe(1);
  });

  it('is started again by the next suite if its start fails', async () => {
    const stop = () => Promise.resolve();
    await expect(nextSuite().perWorker('failing', () => Promise.reject(new Error('no')))).rejects.toThrow(
      'no',
    );
    await expect(nextSuite().perWorker('failing', () => Promise.resolve({ stop }))).resolves.toEqual({
      stop,
    });
  });

  it('is started again if it has ended', async () => {
    const stop = () => Promise.resolve();
    const ended = { stop, isRunning: () => false };
    const running = { stop, isRunning: () => true };
    await nextSuite().perWorker('ended', () => Promise.resolve(ended));
    expect(await nextSuite().perWorker('ended', () => Promise.resolve(running))).toBe(running);
    expect(await nextSuite().perWorker('ended', () => Promise.resolve(ended))).toBe(running);
  });

  it('is stopped when the next run of tests begins', async () => {
    const before = process.env['UNDERSTUDY_TEST_SHARED'];
    let stops = 0;
    const start = () => Promise.resolve({ stop: async () => void stops++ });
    process.env['UNDERSTUDY_TEST_SHARED'] = 'run 1';
    await nextSuite().perWorker('of a run', start);
    process.env['UNDERSTUDY_TEST_SHARED'] = 'run 2';
    await nextSuite().perWorker('of a run', start);
    process.env['UNDERSTUDY_TEST_SHARED'] = before;
    expect(stops).toBe(1);
  });
});

describe('shared test services', () => {
  it('start PostgreSQL and Redis once, and leave nothing of a suite to the next one', async () => {
    const services = await nextSuite().sharedTestServices();
    const { postgresUrl } = services;
    const startedAt = await one(`${postgresUrl}/postgres`, 'SELECT pg_postmaster_start_time()::text');
    await one(`${postgresUrl}/postgres`, 'CREATE DATABASE left_over');
    await one(`${postgresUrl}/postgres`, 'CREATE ROLE left_over LOGIN SUPERUSER');
    await one(`${postgresUrl}/left_over`, 'CREATE SCHEMA owned AUTHORIZATION left_over');
    await one(`${postgresUrl}/postgres`, `SELECT pg_create_physical_replication_slot('left_over', true)`);
    const open = new Client(`${postgresUrl}/left_over`);
    const ended = new Promise((resolve) => open.on('error', resolve));
    await open.connect();
    const redis = new Redis(services.redisUrl);
    await redis.set('left', 'over');
    await services.stop();
    await ended;

    const next = await nextSuite().sharedTestServices();
    expect(next.postgresUrl).toBe(postgresUrl);
    expect(await one(`${postgresUrl}/postgres`, 'SELECT pg_postmaster_start_time()::text')).toBe(startedAt);
    const found = `SELECT array(SELECT datname::text FROM pg_database WHERE NOT datistemplate
      UNION ALL SELECT rolname FROM pg_roles
      WHERE oid >= 16384 UNION ALL SELECT slot_name FROM pg_replication_slots ORDER BY 1)`;
    expect(await one(`${postgresUrl}/postgres`, found)).toEqual(['postgres']);
    expect(next.redisUrl).not.toBe(services.redisUrl);
    expect(await redis.get('left')).toBeNull();
    redis.disconnect();
    await next.stop();
  });

  const CHANGES = [
    [`ALTER SYSTEM SET work_mem = '1MB'`, 'the setting work_mem'],
    ['CREATE TABLE people (id int)', 'table people in the database postgres'],
    ['CREATE SCHEMA crm', 'schema crm in the database postgres'],
    ['CREATE PUBLICATION changes', 'publication changes in the database postgres'],
    [`ALTER ROLE postgres SET work_mem = '1MB'`, 'a setting of a role or of a database'],
    ['REVOKE CONNECT ON DATABASE postgres FROM PUBLIC', 'privileges of the database postgres'],
  ] as const;
  inBoth.each(casesOf(CHANGES, 2))('refuse %s, and start again for the next suite', async (sql, found) => {
    const services = await nextSuite().sharedTestServices({ postgres: true });
    await one(`${services.postgresUrl}/postgres`, sql);
    await expect(services.stop()).rejects.toThrow(found);
    const next = await nextSuite().sharedTestServices({ postgres: true });
    expect(next.postgresUrl).not.toBe(services.postgresUrl);
    await next.stop();
  });

  it('keep a prepared template for the next suite, which cannot change it', async () => {
    let prepared = 0;
    const prepare = async ({ url }: { readonly url: string }) => {
      prepared++;
      await one(url, 'CREATE TABLE people AS SELECT 1 AS id');
    };
    for (const suite of [nextSuite(), nextSuite()]) {
      const { postgresUrl, stop } = await suite.sharedTestServices({ postgres: true });
      const database = await suite.createPreparedDatabase(postgresUrl, 'prepared_for_tests', prepare);
      expect(await one(database.url, 'SELECT count(*)::int FROM people')).toBe(1);
      await one(database.url, 'DELETE FROM people');
      await expect(one(`${postgresUrl}/prepared_for_tests`, 'SELECT 1')).rejects.toThrow(
        'not currently accepting',
      );
      await stop();
    }
    expect(prepared).toBe(1);
  });

  it('allow no sessions in the template of all databases', async () => {
    const services = await nextSuite().sharedTestServices({ postgres: true });
    await expect(one(`${services.postgresUrl}/template1`, 'SELECT 1')).rejects.toThrow(
      'not currently accepting',
    );
    await services.stop();
  });

  it('refuse a changed setting of Redis', async () => {
    const services = await nextSuite().sharedTestServices({ redis: true });
    const redis = new Redis(services.redisUrl);
    await redis.config('SET', 'maxmemory', '100mb');
    redis.disconnect();
    await expect(services.stop()).rejects.toThrow('changes of its settings');
  });

  it('remove what a suite left that ended early', async () => {
    const services = await nextSuite().sharedTestServices({ postgres: true });
    await one(`${services.postgresUrl}/postgres`, 'CREATE DATABASE left_over');
    const next = await nextSuite().sharedTestServices({ postgres: true });
    const found = 'SELECT count(*)::int FROM pg_database WHERE NOT datistemplate';
    expect(await one(`${next.postgresUrl}/postgres`, found)).toBe(1);
    await next.stop();
  });

  it('refuse to be taken twice by one suite', async () => {
    const { sharedTestServices } = nextSuite();
    const services = await sharedTestServices({ postgres: true });
    await expect(sharedTestServices({ postgres: true })).rejects.toThrow('expected a suite to stop');
    await services.stop();
  });
});
