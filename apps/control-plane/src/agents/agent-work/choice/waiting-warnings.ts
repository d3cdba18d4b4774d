import { namesOfCapabilities } from '@understudy/agent-protocol';

import { ambiguityOf } from './ambiguity.js';
import {
  type AgentRequirement,
  mismatchOf,
  MISMATCHES,
  type AgentProfile,
  type Mismatch,
  type WorkEligibility,
} from './agent-requirement.js';
import type { JobError } from '../leases/work-state.js';

/** A warning about work, shown in addition to the work's error. */
export interface WorkWarning {
  readonly code: string;
  readonly message: string;
  /** The path of the request field that caused the warning. */
  readonly field?: string;
}

/** Explains why waiting work does not start. Returns no warning if a live agent may run the work. */
export function waitingWarnings(eligibility: WorkEligibility, live: readonly AgentProfile[]): WorkWarning[] {
  if (live.length === 0) return [NO_LIVE_AGENT];
  const ambiguity = ambiguityOf(eligibility.requires, live);
  if (ambiguity !== undefined)
    return [
      {
        code: 'no_matching_agent',
        message: `${ambiguity} The work waits until they agree. It fails if they do not.`,
      },
    ];
  const mismatches = live.map((agent) => mismatchOf(agent, eligibility));
  if (mismatches.includes(undefined)) return [];
  // The later a mismatch is in MISMATCHES, the more conditions the agent meets.
  const nearest = MISMATCHES.findLast((mismatch) => mismatches.includes(mismatch));
  if (nearest === 'capability') return [outdated(eligibility.requires)];
  return nearest === undefined ? [] : [WARNINGS[nearest]];
}

const NO_LIVE_AGENT: WorkWarning = {
  code: 'no_live_agent',
  message: 'No agent of this organisation is connected. The work waits until an agent connects.',
};

const SAME =
  'The work waits for an agent with the same masking key and policy. It fails if only other agents stay connected.';
const WARNINGS: Readonly<Record<Exclude<Mismatch, 'capability'>, WorkWarning>> = {
  selector: {
    code: 'no_matching_agent',
    message: 'The field agent selects no connected agent. The work waits until a selected agent connects.',
  },
  sealed: {
    code: 'no_agent_can_open',
    message:
      'The connection string is sealed only to agents that are not connected now. The work waits for one of these agents. To use other agents, post the work again.',
  },
  database: {
    code: 'no_matching_agent',
    message:
      'No connected agent that may run the work offers its databases. The work waits for an agent whose policy lists the databases or allows URLs.',
  },
  former_database: {
    code: 'no_matching_agent',
    message: `The connected agents do not offer the databases of the job. ${SAME}`,
  },
  masking_key: {
    code: 'no_matching_agent',
    message: `The connected agents have a different masking key than the agent that began the job, or than the agents for which it was accepted. ${SAME}`,
  },
  policy: {
    code: 'no_matching_agent',
    message: `The connected agents have a different policy for the job's databases than the agent that began the job, or than the agents for which it was accepted. ${SAME}`,
  },
};

/** An agent that does not know an option would ignore it. One that does not know exact numbers would round them. */
function outdated({ capabilities }: AgentRequirement): WorkWarning {
  return {
    code: 'no_matching_agent',
    message: `The connected agents that offer the databases are too old for ${namesOfCapabilities(capabilities)}. The work waits for a newer agent. Update an agent.`,
  };
}

/** The properties that agents share to whose fingerprints work is bound. */
const SHARED = ['former_database', 'masking_key', 'policy'] as const satisfies readonly Mismatch[];

const DIFFERENCES = {
  former_database: 'do not offer the databases',
  masking_key: 'have a different masking key',
  policy: 'have a different policy for the databases',
} as const;

/**
 * Returns the error for waiting work that no connected agent may run because of its masking key or policies. They do
 * not match those to which the work is bound, or they differ from each other.
 * @param mismatches the mismatch of each connected agent; undefined for an agent that may run the work
 * @param ambiguity how the connected agents differ
 * @returns undefined if there is no ambiguity, and `mismatches` contains none of {@link SHARED}
 */
export function noMatchingAgent(
  mismatches: readonly (Mismatch | undefined)[],
  ambiguity: string | undefined,
): JobError | undefined {
  const code = 'no_matching_agent';
  if (ambiguity !== undefined) return { code, message: `${ambiguity} Then post the work again.` };
  const differing = SHARED.filter((need) => mismatches.includes(need));
  if (differing.length === 0) return undefined;
  const words = differing.map((need) => DIFFERENCES[need]).join(' or ');
  return {
    code,
    message: `The connected agents ${words}, unlike the agent that began this work, or the agents for which it was accepted. Give all agents of a group the same databases, masking key and policy, and post the work again.`,
  };
}
