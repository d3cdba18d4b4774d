import { Type } from 'typebox';

import { isSilent } from '../../registry/agent-responses.js';
import {
  count,
  instant,
  nullable,
  nullableInstant,
  type ResponseOf,
} from '../../../platform/http/operations/schemas.js';
import type { WorkWarning } from '../choice/waiting-warnings.js';
import type { WorkState } from './work-state.js';

type HeldWork = Pick<
  WorkState,
  'leasedAt' | 'leaseExpiresAt' | 'graceSeconds' | 'renewedAt' | 'snapshotTakenAt'
>;

/** Describes what responses show about the agent that holds the work. */
export const LINK = nullable(
  Type.Object({
    last_heard_at: nullableInstant(
      'When the agent last reported that it works on the job; null before the first report.',
    ),
    grace_period_seconds: count(
      'The grace period: how much longer than usual the agent keeps the job without contact. 0 if another agent could run the job when this agent got it.',
    ),
    held_until: instant('When another agent can get the job if this agent does not report again.'),
    snapshot_taken_at: nullableInstant(
      'Since when the agent has held a snapshot of the source, which prevents VACUUM from removing old rows there. Null if it holds none.',
    ),
  }),
  'The connection to the agent that has the job; null if no agent has it.',
);

export function toLinkResponse({
  leaseExpiresAt,
  graceSeconds,
  renewedAt,
  snapshotTakenAt,
}: HeldWork): ResponseOf<typeof LINK> {
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
