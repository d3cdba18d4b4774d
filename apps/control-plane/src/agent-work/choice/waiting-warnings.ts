import {
  mismatchOf,
  MISMATCHES,
  type AgentProfile,
  type Mismatch,
  type WorkEligibility,
} from './agent-requirement.js';
import type { JobError } from '../leases/work-state.js';

/** What its owner should know of work, beside its error. */
export interface WorkWarning {
  readonly code: string;
  readonly message: string;
  /** The path in the request that it is about. */
  readonly field?: string;
}

/** Why work that nobody does is not going on; nothing when an agent can take it. */
export function waitingWarnings(eligibility: WorkEligibility, live: readonly AgentProfile[]): WorkWarning[] {
  if (live.length === 0) return [NO_LIVE_AGENT];
  const mismatches = live.map((agent) => mismatchOf(agent, eligibility));
  if (mismatches.includes(undefined)) return [];
  // What keeps the agent that matches best.
  const nearest = MISMATCHES.findLast((mismatch) => mismatches.includes(mismatch));
  return nearest === undefined ? [] : [WARNINGS[nearest]];
}

const NO_LIVE_AGENT: WorkWarning = {
  code: 'no_live_agent',
  message: 'No agent of this organisation is connected. The job stays pending and starts when one is.',
};

const RETRY =
  'The job waits for an agent that matches the first one, and fails if only others stay connected.';
const WARNINGS: Readonly<Record<Mismatch, WorkWarning>> = {
  selector: {
    code: 'no_matching_agent',
    message: 'No connected agent is one that the field agent selects. The work waits for one.',
  },
  sealed: {
    code: 'no_agent_can_open',
    message:
      'The connection string was sealed to agents that are not connected now, and to no others. The work waits for one of them: post it again to use the others.',
  },
  database: {
    code: 'no_matching_agent',
    message:
      'No connected agent that may run this offers its databases: a policy has to name them, or to admit URLs. The work waits for such an agent.',
  },
  masking_key: {
    code: 'no_matching_agent',
    message: `The connected agents have another masking key than the agent that began the job. ${RETRY}`,
  },
  policy: {
    code: 'no_matching_agent',
    message: `The connected agents have another policy for its databases than the agent that began the job. ${RETRY}`,
  },
};

/** What a retry has to find again on another agent. */
const RETRY_NEEDS = ['masking_key', 'policy'] as const satisfies readonly Mismatch[];

const WORDS = { masking_key: 'masking key', policy: 'policy for its databases' } as const;

/** @param mismatches of the connected agents @returns undefined when none of them differs in what a retry needs */
export function noMatchingAgent(mismatches: readonly (Mismatch | undefined)[]): JobError | undefined {
  const differing = RETRY_NEEDS.filter((need) => mismatches.includes(need));
  if (differing.length === 0) return undefined;
  const words = differing.map((need) => WORDS[need]).join(' or another ');
  return {
    code: 'no_matching_agent',
    message: `The agent that began this work is not connected, and the connected agents have another ${words}. Start that agent again, or give all agents of a group the same masking key and policy; then post the work again.`,
  };
}
