import type { AgentProfile, WorkEligibility } from '../../../agents/agent-work/choice/agent-requirement.js';
import { waitingWarnings, type WorkWarning } from '../../../agents/agent-work/choice/waiting-warnings.js';
import type { StandingRefusal } from '../deletions/snapshot-deletions.service.js';

/** Returns why no agent creates a waiting snapshot. Returns no warning if a live agent may create it. */
export function waitingSnapshotWarnings(
  eligibility: WorkEligibility,
  live: readonly AgentProfile[],
): WorkWarning[] {
  const agents = live.filter(({ snapshotStore }) => snapshotStore !== null);
  if (agents.length === 0) return [NO_SNAPSHOT_AGENT];
  return waitingWarnings(eligibility, agents);
}

/** Returns why a snapshot was not erased yet. Returns no warning if no policy has refused the deletion. */
export function refusedDeletionWarnings(refusal: StandingRefusal | undefined): WorkWarning[] {
  if (refusal === undefined) return [];
  const { code, until } = refusal;
  const message = `The agent's policy (min_age_hours) does not allow the deletion before ${until.toISOString()}. An agent erases the snapshot after that.`;
  return [{ code, message }];
}

const NO_SNAPSHOT_AGENT: WorkWarning = {
  code: 'no_live_agent',
  message:
    'No connected agent of this organisation has a snapshot store. The snapshot waits until one connects. See docs/guides/snapshots.md for how to configure a store.',
};
