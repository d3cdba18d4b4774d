import { setTimeout as pause } from 'node:timers/promises';

import { Redis } from 'ioredis';

import type { Arena } from '../arena/arena.js';
import type { Fault } from './fault.js';

const kill =
  (pidOf: (pids: Arena['pids']) => number | null): Fault['strike'] =>
  async (arena, _, moment) => {
    await pause(moment);
    const pid = pidOf(arena.pids);
    if (pid !== null) process.kill(pid, 'SIGKILL');
  };

export const crashTarget: Fault = {
  name: 'the target server crashes',
  async strike(arena, _, moment) {
    await pause(moment);
    await arena.target.crash();
  },
  endings: ['completed', 'failed'],
};

export const crashSource: Fault = {
  name: 'the source server crashes',
  async strike(arena, _, moment) {
    await pause(moment);
    await arena.source.crash();
  },
  endings: ['completed', 'failed'],
};

/** Full until the job has noticed; the server may well go down with it. */
export const fillDisk: Fault = {
  name: 'the disk of the target is full',
  needsSmallDisk: true,
  async strike(arena, jobId, moment) {
    await pause(moment);
    arena.targetDisk?.fill();
    await arena.ended(jobId).finally(() => arena.targetDisk?.free());
  },
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
  async strike(arena, _, moment) {
    await pause(moment);
    const redis = new Redis(arena.redisUrl);
    await redis.flushall();
    await redis.quit();
  },
  endings: ['completed'],
};
