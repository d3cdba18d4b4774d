import { canOpen, type AgentDatabase } from './agent-database.js';

/** What its owner should know of work, beside its error. */
export interface WorkWarning {
  readonly code: string;
  readonly message: string;
  /** The path in the request that it is about. */
  readonly field?: string;
}

/** Why work that nobody does is not going on; nothing when an agent can take it. */
export function waitingWarnings(
  databases: readonly AgentDatabase[],
  live: readonly { readonly id: string }[],
): WorkWarning[] {
  if (live.length === 0) return [NO_LIVE_AGENT];
  return live.some(({ id }) => canOpen(databases, id)) ? [] : [NO_AGENT_CAN_OPEN];
}

const NO_LIVE_AGENT: WorkWarning = {
  code: 'no_live_agent',
  message: 'No agent of this organisation is connected. The job stays pending and starts when one is.',
};

const NO_AGENT_CAN_OPEN: WorkWarning = {
  code: 'no_agent_can_open',
  message:
    'The connection string was sealed to agents that are not connected now; those that are were enrolled later. The job waits for one of them: post it again to use the others.',
};
