import { Redis } from 'ioredis';

/** Resolves when the server answers PING. */
export async function probeRedis(url: string): Promise<void> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 5_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let failure: Error | undefined;
  redis.on('error', (error: Error) => (failure ??= error)); // says more than the rejection of connect()
  try {
    await redis.connect();
    await redis.ping();
  } catch (error) {
    throw failure ?? error;
  } finally {
    // On a connection that has ended, disconnect() would hold the process for two more seconds.
    if (redis.status !== 'end') redis.disconnect();
  }
}
