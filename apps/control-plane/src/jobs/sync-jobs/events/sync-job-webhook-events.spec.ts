import fc from 'fast-check';

import type { TableState } from '../sync-job.js';
import { syncJobWebhookEvents } from './sync-job-webhook-events.js';
import { advance, type WorkState, type Trigger } from '../../../agents/agent-work/leases/work-state.js';

const JOB = {
  id: 'job_1',
  name: 'nightly',
  organizationId: 'org_1',
  definition: { tables: [], unlistedColumns: 'preserve' },
} as const;
const START = Date.parse('2026-01-01T00:00:00Z');
const TABLES: readonly TableState[] = [
  { status: 'completed', rowsProcessed: 70, rowsTotal: 70, bytesProcessed: 700, bytesTotal: 700 },
  { status: 'copying', rowsProcessed: 5, rowsTotal: 9, bytesProcessed: 50, bytesTotal: 90 },
];
const PENDING: WorkState = {
  status: 'pending',
  attempts: 0,
  epoch: 0,
  lastSeq: 0,
  lostLeases: 0,
  graceSeconds: 0,
  renewedAt: null,
  snapshotTakenAt: null,
  agentId: null,
  leasedAt: null,
  leaseExpiresAt: null,
  startedAt: null,
  completedAt: null,
  error: null,
  cancelRequestedAt: null,
};
const NOTHING_REPORTED = {
  models: [],
  warnings: [],
  prediction: null,
  leftOut: null,
  attemptHistory: [],
  throughput: null,
  phases: [],
  verification: null,
};
const error = { code: 'disk_full', message: 'The target database has run out of space.' };

/**
 * Applies the triggers in intervals of 2.4 s.
 * @returns all events, in order
 */
function eventsOf(triggers: readonly Trigger[], job: Parameters<typeof syncJobWebhookEvents>[0] = JOB) {
  let state = PENDING;
  return triggers.flatMap((trigger, index) => {
    const next = advance(state, trigger, { now: new Date(START + index * 2_400) });
    const events = syncJobWebhookEvents(job, state, { ...NOTHING_REPORTED, state: next, tables: TABLES });
    state = next;
    return events;
  });
}

const lease: Trigger = { type: 'lease_taken', agentId: 'agt_1', leaseMs: 60_000, graceSeconds: 0 };

describe('syncJobWebhookEvents', () => {
  it('[6/11] reports the start and the completion, with exactly the documented keys', () => {
    const events = eventsOf([
      lease,
      { type: 'agent_alive' },
      { type: 'agent_alive' },
      { type: 'agent_completed' },
    ]);
    expect(events).toEqual([
      {
        organizationId: 'org_1',
        type: 'sync.started',
        subject: 'job_1',
        occurredAt: new Date(START + 2_400),
        data: { job_id: 'job_1', name: 'nightly', started_at: '2026-01-01T00:00:02.400Z', attempt: 1 },
      },
      {
        organizationId: 'org_1',
        type: 'sync.completed',
        subject: 'job_1',
        occurredAt: new Date(START + 7_200),
        data: { job_id: 'job_1', name: 'nightly', rows_processed: 75, duration_seconds: 5 },
      },
    ]);
  });

  it('[6/11] reports the failure with its error', () => {
    expect(eventsOf([lease, { type: 'agent_alive' }, { type: 'agent_failed', error }]).at(-1)).toMatchObject({
      type: 'sync.failed',
      data: { job_id: 'job_1', name: 'nightly', rows_processed: 75, duration_seconds: 2, error },
    });
  });

  it('reports no start for a job that never started, and both if the end also reports the start', () => {
    const cancelled = eventsOf([{ type: 'cancel_requested' }]);
    expect(cancelled).toMatchObject([
      { type: 'sync.failed', data: { duration_seconds: 0, error: { code: 'cancelled' } } },
    ]);
    expect(eventsOf([lease, { type: 'agent_completed' }]).map(({ type }) => type)).toEqual([
      'sync.started',
      'sync.completed',
    ]);
  });

  it('reports nothing for a dry run', () => {
    const dry = { ...JOB, definition: { ...JOB.definition, dryRun: true } };
    expect(eventsOf([lease, { type: 'agent_alive' }, { type: 'agent_completed' }], dry)).toEqual([]);
  });

  it('reports at most one start and one end, in this order, for any sequence of triggers', () => {
    const trigger = fc.constantFrom<Trigger>(
      lease,
      { type: 'agent_alive' },
      { type: 'agent_completed' },
      { type: 'agent_failed', error },
      { type: 'attempt_lost' },
      { type: 'attempts_exhausted', error },
      { type: 'cancel_requested' },
    );
    fc.assert(
      fc.property(fc.array(trigger, { maxLength: 30 }), (triggers) => {
        const types = eventsOf(triggers).map(({ type }) => type.replace(/completed|failed/, 'ended'));
        expect(['', 'sync.started', 'sync.ended', 'sync.started sync.ended']).toContain(types.join(' '));
      }),
    );
  });
});
