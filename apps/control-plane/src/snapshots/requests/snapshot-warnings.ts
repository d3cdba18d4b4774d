import type { AgentProfile, WorkEligibility } from '../../agent-work/choice/agent-requirement.js';
import { waitingWarnings, type WorkWarning } from '../../agent-work/choice/waiting-warnings.js';
import type { StandingRefusal } from '../deletions/snapshot-deletions.service.js';

/** Why a snapshot that nobody makes is not going on; nothing when an agent can take it. */
export function waitingSnapshotWarnings(
  eligibility: WorkEligibility,
  live: readonly AgentProfile[],
): WorkWarning[] {
  const agents = live.filter(({ snapshotStore }) => snapshotStore !== null);
  if (agents.length === 0) return [NO_SNAPSHOT_AGENT];
  return waitingWarnings(eligibility, agents);
}

/** Why a snapshot that is to be erased is still there; nothing when no policy keeps it. */
export function refusedDeletionWarnings(refusal: StandingRefusal | undefined): WorkWarning[] {
  if (refusal === undefined) return [];
  const { code, until } = refusal;
  const message = `The agent's policy keeps the snapshot from being deleted until ${until.toISOString()} (min_age_hours). An agent erases it after that.`;
  return [{ code, message }];
}

const NO_SNAPSHOT_AGENT: WorkWarning = {
  code: 'no_live_agent',
  message:
    'No agent of this organisation that keeps snapshots is connected. The snapshot waits until one is; docs/snapshots.md says how an agent is given a store.',
};
