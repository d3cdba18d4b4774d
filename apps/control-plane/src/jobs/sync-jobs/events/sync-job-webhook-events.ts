import { durationSeconds, isEnded, type WorkState } from '../../../agents/agent-work/leases/work-state.js';
import type { WebhookEvent } from '../../../webhooks/events/webhook-event.js';
import { totalRows } from './apply-event.js';
import type { JobProgress } from '../sync-job.js';
import type { SyncJobEntity } from '../sync-job.entity.js';

/**
 * Returns the webhook events of a change of a job, in order. The start and the end of a job each cause one
 * event. Dry runs send no events. Pure. docs/guides/webhooks.md documents the fields of `data`.
 * @param before the state before the change to `next`
 */
export function syncJobWebhookEvents(
  {
    id,
    name,
    organizationId,
    definition,
  }: Pick<SyncJobEntity, 'id' | 'name' | 'organizationId' | 'definition'>,
  before: WorkState,
  { state, tables }: JobProgress,
): readonly WebhookEvent[] {
  if (definition.dryRun === true) return [];
  const job = { job_id: id, name };
  const common = { organizationId, subject: id };
  const events: WebhookEvent[] = [];
  if (before.startedAt === null && state.startedAt !== null) {
    const data = { ...job, started_at: state.startedAt.toISOString(), attempt: state.attempts };
    events.push({ ...common, type: 'sync.started', occurredAt: state.startedAt, data });
  }
  if (state.completedAt !== null && isEnded(state.status) && !isEnded(before.status)) {
    const outcome = { ...job, rows_processed: totalRows(tables), duration_seconds: durationSeconds(state) };
    const [type, data] =
      state.error === null
        ? (['sync.completed', outcome] as const)
        : ([
            'sync.failed',
            { ...outcome, error: { code: state.error.code, message: state.error.message } },
          ] as const);
    events.push({ ...common, type, occurredAt: state.completedAt, data });
  }
  return events;
}
