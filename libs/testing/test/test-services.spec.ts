import { existsSync } from 'node:fs';
import { identifyProcess } from '@understudy/local-system';
import { Redis } from 'ioredis';
import { createTestDatabase, startTestServices, waitFor, type TestServices } from '../src/index.js';

describe('test services', () => {
  let services: TestServices;
  beforeAll(async () => {
    services = await startTestServices();
  });
  afterAll(() => services.stop());

  it('create a separate database for each caller', async () => {
    const one = await createTestDatabase(
      services.postgresUrl,
      'CREATE TABLE t (a int); INSERT INTO t VALUES (1);',
    );
    const two = await createTestDatabase(services.postgresUrl);
    expect((await one.query('SELECT a FROM t WHERE a = $1', [1])).rows).toEqual([{ a: 1 }]);
    await expect(two.query('SELECT a FROM t')).rejects.toThrow('does not exist');
    await one.drop();
    await expect(createTestDatabase(services.postgresUrl).then((db) => db.drop())).resolves.toBeUndefined();
    await two.drop();
  });

  it('store a password that costs one round of hashing for each session', async () => {
    const database = await createTestDatabase(services.postgresUrl);
    const { rows } = await database.query('SELECT rolpassword FROM pg_authid WHERE rolname = current_user');
    expect(rows[0]?.['rolpassword']).toMatch(/^SCRAM-SHA-256\$1:/);
    const wrong = services.postgresUrl.replace(/:[^:@]+@/, ':wrong@');
    await expect(createTestDatabase(wrong)).rejects.toThrow('password authentication failed');
    await database.drop();
  });

  it('start a Redis that keeps the values it receives', async () => {
    const redis = new Redis(services.redisUrl);
    await redis.set('a', '1');
    expect(await redis.get('a')).toBe('1');
    redis.disconnect();
  });

  it('leave neither processes nor files behind', async () => {
    const own = await startTestServices({ redis: true });
    expect(own.postgresUrl).toBe('');
    await own.stop();
    expect(existsSync(own.folder)).toBe(false);
    expect(identifyProcess(own.pids.redis ?? 0)).toBeUndefined();
  });

  it('wait for a condition without an event, and name it after a timeout', async () => {
    let calls = 0;
    expect(await waitFor('three calls', async () => ++calls === 3 && 'there')).toBe('there');
    await expect(waitFor('the impossible', async () => undefined, 1)).rejects.toThrow('the impossible');
  });
});
