import { Redis } from 'ioredis';

import type { TestSystem } from '../system/test-system.js';
import { atMoment, type Fault } from './fault.js';

const kill = (pidOf: (pids: TestSystem['pids']) => number | null): Fault['strike'] =>
  atMoment(({ pids }) => {
    const pid = pidOf(pids);
    if (pid !== null) process.kill(pid, 'SIGKILL');
  });

export const crashTarget: Fault = {
  name: 'the target server crashes',
  strike: atMoment((system) => system.target.crash()),
  endings: ['completed', 'failed'],
};

export const crashSource: Fault = {
  name: 'the source server crashes',
  strike: atMoment((system) => system.source.crash()),
  endings: ['completed', 'failed'],
};

/**
 * Fills the disk of the target server and frees it when the job has ended. The full disk may stop the server.
 */
export const fillDisk: Fault = {
  name: 'the disk of the target is full',
  needsSmallDisk: true,
  strike: atMoment(async (system, jobId) => {
    system.targetDisk?.fill();
    await system.api.ended(jobId).finally(() => system.targetDisk?.free());
  }),
  endings: ['completed', 'failed'],
};

export const killControlPlane: Fault = {
  name: 'the control plane is killed',
  strike: kill(({ control_plane: pid }) => pid),
  endings: ['completed'],
};

export const killNats: Fault = {
  name: 'NATS is killed',
  strike: kill(({ nats }) => nats),
  endings: ['completed'],
};

export const killRedis: Fault = {
  name: 'Redis is killed',
  strike: kill(({ redis }) => redis),
  endings: ['completed'],
};

export const flushRedis: Fault = {
  name: 'Redis is flushed',
  strike: atMoment(async (system) => {
    const redis = new Redis(system.redisUrl);
    await redis.flushall();
    await redis.quit();
  }),
  endings: ['completed'],
};
