import { CheckFailure, type CheckReport } from '@understudy/operator-commands';

import type { RedisConfiguration } from '../../../platform/config/configuration.js';
import { inspectRedis, type RedisFacts } from '../../../platform/job-queue/inspect-redis.js';
import { explainRedis } from '../../../monitoring/explain-outage.js';

/** Checks that the control plane can keep its queues in Redis. Changes nothing there. */
export async function checkRedis(report: CheckReport, settings: RedisConfiguration): Promise<void> {
  const facts = await report.step('Redis', async () => {
    const found = await inspected(settings);
    return { facts: versionFacts(found.version), value: found };
  });
  if (facts === undefined) {
    report.skip('Redis memory', 'because there is no connection');
    report.skip('Redis persistence', 'because there is no connection');
    return;
  }
  const { memoryPolicy, persists } = facts;
  if (memoryPolicy === 'noeviction') report.ok('Redis memory', 'maxmemory-policy is noeviction');
  else
    report.fail(
      'Redis memory',
      `maxmemory-policy is ${memoryPolicy}, so a full Redis drops queued work`,
      'set maxmemory-policy noeviction in redis.conf',
    );
  if (persists === false)
    report.warn(
      'Redis persistence',
      'Redis stores nothing on disk, so work that is queued starts late after its restart',
      'set appendonly yes in redis.conf',
    );
  else if (persists) report.ok('Redis persistence', 'Redis stores its content on disk');
  else report.skip('Redis persistence', 'the user of Redis may not read this setting');
}

async function inspected(settings: RedisConfiguration): Promise<RedisFacts> {
  try {
    return await inspectRedis(settings);
  } catch (error) {
    throw refusalOf(error) ?? CheckFailure.from(await explainRedis(settings));
  }
}

function versionFacts(version: string): string {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return `version ${version}`;
  throw new CheckFailure(`the server has version ${version}`, `use Redis ${OLDEST.join('.')} or newer`);
}

/** Returns the failure of an error that Redis itself has sent. The message of Redis is not shown. */
function refusalOf(error: unknown): CheckFailure | undefined {
  const message = error instanceof Error ? error.message : '';
  if (/^(WRONGPASS|NOAUTH|ERR invalid password|ERR AUTH)/.test(message))
    return new CheckFailure('Redis refuses the password', 'check the password in UNDERSTUDY_REDIS_URL');
  if (message.startsWith('NOPERM'))
    return new CheckFailure(
      'the user of Redis may not run INFO',
      'permit it in the access control list of Redis',
    );
  return undefined;
}

/** The oldest version that BullMQ recommends. */
const OLDEST = [6, 2] as const;
