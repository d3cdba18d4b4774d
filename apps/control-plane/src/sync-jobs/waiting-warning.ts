import type { JobDatabase, JobWarning } from './sync-job.js';

/** Why a job that nobody works on is not going on; nothing when an agent can take it. */
export function waitingWarnings(
  databases: readonly JobDatabase[],
  live: readonly { readonly id: string }[],
): JobWarning[] {
  if (live.length === 0) return [NO_LIVE_AGENT];
  return live.some(({ id }) => canOpen(databases, id)) ? [] : [NO_AGENT_CAN_OPEN];
}

/** A sealed connection string can be opened by the agents it was sealed to, and by no other. */
export function canOpen(databases: readonly JobDatabase[], agentId: string): boolean {
  return databases.every(
    (database) => database.kind === 'agent' || Object.hasOwn(database.by_agent, agentId),
  );
}

const NO_LIVE_AGENT: JobWarning = {
  code: 'no_live_agent',
  message: 'No agent of this organisation is connected. The job stays pending and starts when one is.',
};

const NO_AGENT_CAN_OPEN: JobWarning = {
  code: 'no_agent_can_open',
  message:
    'The connection string was sealed to agents that are not connected now; those that are were enrolled later. The job waits for one of them: post it again to use the others.',
};
