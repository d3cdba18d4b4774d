import { waitUntilReady } from '@understudy/local-system';

import type { TestSystem } from '../system/test-system.js';
import { hasEnded } from '../system/control-plane-api.js';
import { atMoment, type Fault } from './fault.js';

/** Kills the working agent at the given time. */
export const killAgent: Fault = {
  name: 'the agent is killed',
  strike: atMoment(async (system, jobId) => {
    const { working } = await system.agentsOf(jobId);
    if (working !== undefined) send(working, 'SIGKILL');
  }),
  endings: ['completed'],
};

/**
 * Pauses the working agent (SIGSTOP) until its lease has expired and the other agent has taken over the job.
 * Then resumes the paused agent.
 */
export const stopAgent: Fault = {
  name: 'the agent is stopped, another takes over, and it goes on',
  strike: atMoment(async (system, jobId) => {
    const { working } = await system.agentsOf(jobId);
    if (working === undefined) return;
    const { agent_id: agentId } = await system.api.jobs.get(jobId);
    send(working, 'SIGSTOP');
    try {
      await waitUntilReady(() => movedOn(system, jobId, agentId), { timeoutMs: 180_000 });
    } finally {
      send(working, 'SIGCONT');
    }
  }),
  endings: ['completed'],
};

/** Kills the snapshot keeper. The rows that the agent copied in the keeper's snapshot are then useless. */
export const killSnapshotKeeper: Fault = {
  name: 'the snapshot keeper is killed',
  strike: atMoment((system) => {
    for (const pid of system.snapshotKeepers()) send(pid, 'SIGKILL');
  }),
  endings: ['completed'],
};

/** Cancels the job at the given time. */
export const cancel: Fault = {
  name: 'the job is cancelled',
  strike: atMoment(async (system, jobId) => {
    if (!hasEnded(await system.api.jobs.get(jobId))) await system.api.jobs.delete(jobId);
  }),
  endings: ['completed', 'failed'],
};

/** Kills the agent when all tables are staged, does not start it again, and cancels the job. */
export const cancelOrphan: Fault = {
  name: 'the agent is killed before the switch and stays dead, and the job is cancelled',
  prepare: (system) => system.dieAt('indexes_built'),
  async strike(system, jobId) {
    await waitUntilReady(() => died(system, jobId), { timeoutMs: 120_000 });
    await system.api.jobs.delete(jobId);
  },
  leavesDown: true,
  endings: ['failed'],
};

async function died(system: TestSystem, jobId: string): Promise<void> {
  const { agent_id: owner } = await system.api.jobs.get(jobId);
  const { working } = await system.agentsOf(jobId);
  if (owner === null || (working !== undefined && isAlive(working))) throw new Error('the agent still works');
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function movedOn(system: TestSystem, jobId: string, agentId: string | null): Promise<void> {
  const job = await system.api.jobs.get(jobId);
  if (job.agent_id === agentId && !hasEnded(job)) throw new Error('no other agent has taken over the job');
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // the process has ended in the meantime, which is harmless
  }
}
