import type { Mismatch } from './agent-requirement.js';
import type { JobError } from '../leases/work-state.js';

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
