import { waitUntilReady } from '@understudy/stack';

import { atMoment, type Fault } from './fault.js';

/** Less than the floor of the agent's configuration (`FLOOR_MB` of the system). */
const TOO_LITTLE_BYTES = 4_000_000;

/** The disk of the agent that works fills up, and stays full until the job has ended: the other agent has to end it. */
export const fillAgentDisk: Fault = {
  name: 'the disk of the agent is full',
  needsSmallDisk: true,
  strike: atMoment(async (system, jobId) => {
    system.agentDisk?.fill();
    await system.ended(jobId).finally(() => system.agentDisk?.free());
  }),
  endings: ['completed'],
};

/** The agent that the job is given to has less free space than its floor, which the control plane does not know yet. */
export const lowAgentDisk: Fault = {
  name: 'the agent has too little free disk for work',
  needsSmallDisk: true,
  prepare: (system) => system.agentDisk?.fill(TOO_LITTLE_BYTES),
  async strike(system, jobId) {
    await system.ended(jobId).finally(() => system.agentDisk?.free());
  },
  endings: ['completed'],
};

/** The agent that works is revoked, and goes on as long as it is let: the other agent has to end the job. */
export const revokeAgent: Fault = {
  name: 'the agent is revoked',
  strike: atMoment((system) => system.second.revoke()),
  leavesDown: true,
  endings: ['completed'],
};

/** Events that can never be applied come in the name of the agent that works: its job, and all others, go on. */
export const invalidEvents: Fault = {
  name: 'the agent sends poison events',
  strike: atMoment((system, jobId) => waitUntilReady(() => system.sendInvalidEvents(jobId))),
  endings: ['completed'],
  maxAttempts: 1,
};
