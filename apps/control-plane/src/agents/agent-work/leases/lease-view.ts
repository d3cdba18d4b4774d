import { isSilent } from '../../registry/agent-responses.js';
import type { WorkWarning } from '../choice/waiting-warnings.js';
import type { WorkState } from './work-state.js';

type HeldWork = Pick<
  WorkState,
  'leasedAt' | 'leaseExpiresAt' | 'graceSeconds' | 'renewedAt' | 'snapshotTakenAt'
>;

/** Returns what API responses show about the agent that holds the work; null if no agent holds it. */
export function toLinkResponse({ leaseExpiresAt, graceSeconds, renewedAt, snapshotTakenAt }: HeldWork) {
  if (leaseExpiresAt === null) return null;
  return {
    last_heard_at: renewedAt?.toISOString() ?? null,
    grace_period_seconds: graceSeconds,
    held_until: leaseExpiresAt.toISOString(),
    snapshot_taken_at: snapshotTakenAt?.toISOString() ?? null,
  };
}

/** Warns about an agent that holds the work and has sent no heartbeat about it for some time. */
export function silentWarnings(
  { leasedAt, leaseExpiresAt, renewedAt }: HeldWork,
  { now }: { readonly now: Date },
): WorkWarning[] {
  const heardAt = renewedAt ?? leasedAt;
  if (leaseExpiresAt === null || heardAt === null || !isSilent(heardAt, { now })) return [];
  return [
    {
      code: 'agent_silent',
      message: `No word from the agent about this job since ${heardAt.toISOString()}. The job stays with the agent until ${leaseExpiresAt.toISOString()}. The agent goes on if it has only lost its connection. If the agent is lost, an administrator can release the job.`,
    },
  ];
}
