import { Redis } from 'ioredis';

/** Returns the settings of a Redis, to compare them later. */
export function settingsOfRedis(redisUrl: string): Promise<string> {
  return withRedis(redisUrl, async (redis) => JSON.stringify(await redis.config('GET', '*')));
}

/**
 * Ends all other connections to a Redis, and deletes everything in it.
 * @param settings the result of `settingsOfRedis` before the suite
 * @throws Error if the suite changed a setting
 */
export async function emptyRedis(redisUrl: string, settings: string): Promise<void> {
  await withRedis(redisUrl, async (redis) => {
    for (const kind of ['normal', 'pubsub'])
      await redis.call('CLIENT', 'KILL', 'TYPE', kind, 'SKIPME', 'yes');
    await redis.flushall('SYNC');
    await redis.script('FLUSH');
    if (JSON.stringify(await redis.config('GET', '*')) !== settings)
      throw new Error('expected a shared Redis without changes of its settings, found changes');
  });
}

async function withRedis<T>(redisUrl: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(redisUrl, { lazyConnect: true, retryStrategy: () => null });
  try {
    await redis.connect();
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}
