import { waitUntilReady } from '@understudy/local-system';

import { atMoment, type Fault } from './fault.js';

/** Less than the minimum free space in the agent's configuration (`FLOOR_MB` of the system). */
const TOO_LITTLE_BYTES = 4_000_000;

/**
 * Fills the disk of the working agent and frees it when the job has ended. The other agent must complete the
 * job.
 */
export const fillAgentDisk: Fault = {
  name: 'the disk of the agent is full',
  needsSmallDisk: true,
  strike: atMoment(async (system, jobId) => {
    system.agentDisk?.fill();
    await system.api.ended(jobId).finally(() => system.agentDisk?.free());
  }),
  endings: ['completed'],
};

/**
 * Fills the disk of the agent that gets the job, until less than the minimum free space remains. The control
 * plane assigns the job before the agent reports the lack of space.
 */
export const lowAgentDisk: Fault = {
  name: 'the agent has too little free disk for work',
  needsSmallDisk: true,
  prepare: (system) => system.agentDisk?.fill(TOO_LITTLE_BYTES),
  async strike(system, jobId) {
    await system.api.ended(jobId).finally(() => system.agentDisk?.free());
  },
  endings: ['completed'],
};

/**
 * Revokes the working agent. The agent's process continues until the control plane rejects the agent. The
 * other agent must complete the job.
 */
export const revokeAgent: Fault = {
  name: 'the agent is revoked',
  strike: atMoment((system) => system.second.revoke()),
  leavesDown: true,
  endings: ['completed'],
};

/**
 * Sends invalid events with the credentials of the working agent. The control plane can never apply them, but
 * this job and all other jobs must continue.
 */
export const invalidEvents: Fault = {
  name: 'the agent sends invalid events',
  strike: atMoment((system, jobId) => waitUntilReady(() => system.sendInvalidEvents(jobId))),
  endings: ['completed'],
  maxAttempts: 1,
};
