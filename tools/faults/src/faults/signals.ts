import { setTimeout as pause } from 'node:timers/promises';

import { waitUntilReady } from '@understudy/stack';

import type { Arena } from '../arena/arena.js';
import { hasEnded } from '../arena/job-view.js';
import type { Fault } from './fault.js';

/** The agent that works is killed at a moment. */
export const killAgent: Fault = {
  name: 'the agent is killed',
  async strike(arena, jobId, moment) {
    await pause(moment);
    const { working } = await arena.agentsOf(jobId);
    if (working !== undefined) send(working, 'SIGKILL');
  },
  endings: ['completed'],
};

/** The agent stands still for longer than its lease, another one takes the job over, and then the first goes on. */
export const stopAgent: Fault = {
  name: 'the agent is stopped, another takes over, and it goes on',
  async strike(arena, jobId, moment) {
    await pause(moment);
    const { working } = await arena.agentsOf(jobId);
    if (working === undefined) return;
    const { attempts } = await arena.job(jobId);
    send(working, 'SIGSTOP');
    try {
      await waitUntilReady(() => movedOn(arena, jobId, attempts), { timeoutMs: 180_000 });
    } finally {
      send(working, 'SIGCONT');
    }
  },
  endings: ['completed'],
};

/** The process that holds the source's snapshot is killed: what was copied from it is worth nothing more. */
export const killHolder: Fault = {
  name: 'the snapshot holder is killed',
  async strike(arena, _, moment) {
    await pause(moment);
    for (const pid of arena.snapshotHolders()) send(pid, 'SIGKILL');
  },
  endings: ['completed'],
};

/** The job is cancelled at a moment. */
export const cancel: Fault = {
  name: 'the job is cancelled',
  async strike(arena, jobId, moment) {
    await pause(moment);
    if (!hasEnded(await arena.job(jobId))) await arena.cancel(jobId);
  },
  endings: ['completed', 'failed'],
};

/** The agent dies with everything staged and stays dead, and then nobody wants the job any more. */
export const cancelOrphan: Fault = {
  name: 'the agent is killed before the switch and stays dead, and the job is cancelled',
  arm: (arena) => arena.dieAt('indexes_built'),
  async strike(arena, jobId) {
    await waitUntilReady(() => died(arena, jobId), { timeoutMs: 180_000 });
    await arena.cancel(jobId);
  },
  leavesDown: true,
  endings: ['failed'],
};

async function died(arena: Arena, jobId: string): Promise<void> {
  const { agent_id: holder } = await arena.job(jobId);
  const { working } = await arena.agentsOf(jobId);
  if (holder === null || (working !== undefined && isAlive(working))) throw new Error('the agent works');
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function movedOn(arena: Arena, jobId: string, attempts: number): Promise<void> {
  const job = await arena.job(jobId);
  if (job.attempts === attempts && !hasEnded(job)) throw new Error('nobody has taken the job over');
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it ended in between, which no fault minds
  }
}
