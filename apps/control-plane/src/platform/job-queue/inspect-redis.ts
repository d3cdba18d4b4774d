import { Redis } from 'ioredis';

import type { RedisConfiguration } from '../config/configuration.js';
import { redisTls } from '../config/service-tls.js';

/** The facts that one connection finds. It changes nothing in Redis. */
export interface RedisFacts {
  readonly version: string;
  /** The setting `maxmemory-policy`. */
  readonly memoryPolicy: string;
  /** Whether Redis stores its content on disk; undefined if the user may not read this setting. */
  readonly persists: boolean | undefined;
}

/**
 * Connects to Redis once.
 * @throws Error of the connection, or of Redis if it refuses the user or a command
 */
export async function inspectRedis({ url, outbound }: RedisConfiguration): Promise<RedisFacts> {
  const redis = new Redis(url, {
    ...redisTls(url, outbound),
    lazyConnect: true,
    enableReadyCheck: false,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let failure: Error | undefined; // the first error gives the cause; later ones only report a closed connection
  redis.on('error', (error: Error) => (failure ??= error));
  try {
    await redis.connect();
    const fields = fieldsOf(await redis.info());
    return {
      version: fields.get('redis_version') ?? 'unknown',
      memoryPolicy: fields.get('maxmemory_policy') ?? 'unknown',
      persists: fields.get('aof_enabled') === '1' ? true : await savesSnapshots(redis),
    };
  } catch (error) {
    throw failure ?? error;
  } finally {
    redis.disconnect();
  }
}

async function savesSnapshots(redis: Redis): Promise<boolean | undefined> {
  try {
    const [, schedule] = (await redis.config('GET', 'save')) as string[];
    return schedule !== '';
  } catch {
    return undefined; // hosted servers often refuse CONFIG
  }
}

function fieldsOf(info: string): ReadonlyMap<string, string> {
  const lines = info.split(/\r?\n/).filter((line) => /^\w+:/.test(line));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]));
}

const TIMEOUT_MS = 5_000;
