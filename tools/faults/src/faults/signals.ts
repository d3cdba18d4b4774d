import { waitUntilReady } from '@understudy/stack';

import type { TestSystem } from '../system/test-system.js';
import { hasEnded } from '../system/control-plane-api.js';
import { atMoment, type Fault } from './fault.js';

/** The agent that works is killed at a moment. */
export const killAgent: Fault = {
  name: 'the agent is killed',
  strike: atMoment(async (system, jobId) => {
    const { working } = await system.agentsOf(jobId);
    if (working !== undefined) send(working, 'SIGKILL');
  }),
  endings: ['completed'],
};

/** The agent stands still for longer than its lease, another one takes the job over, and then the first goes on. */
export const stopAgent: Fault = {
  name: 'the agent is stopped, another takes over, and it goes on',
  strike: atMoment(async (system, jobId) => {
    const { working } = await system.agentsOf(jobId);
    if (working === undefined) return;
    const { attempts } = await system.job(jobId);
    send(working, 'SIGSTOP');
    try {
      await waitUntilReady(() => movedOn(system, jobId, attempts), { timeoutMs: 180_000 });
    } finally {
      send(working, 'SIGCONT');
    }
  }),
  endings: ['completed'],
};

/** The process that holds the source's snapshot is killed: what was copied from it is worth nothing more. */
export const killHolder: Fault = {
  name: 'the snapshot holder is killed',
  strike: atMoment((system) => {
    for (const pid of system.snapshotHolders()) send(pid, 'SIGKILL');
  }),
  endings: ['completed'],
};

/** The job is cancelled at a moment. */
export const cancel: Fault = {
  name: 'the job is cancelled',
  strike: atMoment(async (system, jobId) => {
    if (!hasEnded(await system.job(jobId))) await system.cancel(jobId);
  }),
  endings: ['completed', 'failed'],
};

/** The agent dies with everything staged and stays dead, and then nobody wants the job any more. */
export const cancelOrphan: Fault = {
  name: 'the agent is killed before the switch and stays dead, and the job is cancelled',
  prepare: (system) => system.dieAt('indexes_built'),
  async strike(system, jobId) {
    await waitUntilReady(() => died(system, jobId), { timeoutMs: 180_000 });
    await system.cancel(jobId);
  },
  leavesDown: true,
  endings: ['failed'],
};

async function died(system: TestSystem, jobId: string): Promise<void> {
  const { agent_id: holder } = await system.job(jobId);
  const { working } = await system.agentsOf(jobId);
  if (holder === null || (working !== undefined && isAlive(working))) throw new Error('the agent works');
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function movedOn(system: TestSystem, jobId: string, attempts: number): Promise<void> {
  const job = await system.job(jobId);
  if (job.attempts === attempts && !hasEnded(job)) throw new Error('nobody has taken the job over');
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it ended in between, which no fault minds
  }
}
