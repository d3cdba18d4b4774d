import type { JobReporter } from '@understudy/sync-engine';
import type { Prediction, ProgressReport, SyncFailure, SyncJobResult } from '@understudy/sync-job';

import { encodeEvent, type JobEventBody } from '../../wire/encode-event.js';
import type { EventDelivery } from '../../link/event-delivery.js';
import type { Lease } from '../../wire/heartbeat.js';
import { NumberedReports } from './numbered-reports.js';

/**
 * Reports of one job, numbered and journaled. After the last one (completed, predicted or failed) further calls do nothing. Progress
 * that the control plane is too far behind to want is left out: the next report holds it all again.
 */
export class JournaledSyncJobReporter implements JobReporter {
  private readonly reports: NumberedReports<JobEventBody>;

  constructor(
    private readonly lease: Lease,
    private readonly delivery: EventDelivery,
    subject: string,
    lastSeq = 0,
    signal?: AbortSignal,
  ) {
    this.reports = new NumberedReports({
      ...{ lease, delivery, subject, lastSeq, signal },
      encode: (journalSeq, { seq, occurredAt, body }) =>
        encodeEvent(journalSeq, { ...lease, seq, occurredAt, body }),
    });
  }

  get hasEnded(): boolean {
    return this.reports.hasEnded;
  }

  get confirmed(): Promise<void> {
    return this.delivery.whenAcknowledged(this.lease.jobId);
  }

  started(): Promise<void> {
    return this.reports.report({ type: 'started' });
  }

  progress(report: ProgressReport): Promise<void> {
    if (this.reports.isBehind) return Promise.resolve();
    return this.reports.report({ type: 'progress', ...report });
  }

  modelTrained(tableIndex: number, columnIndex: number, hash: Uint8Array): Promise<void> {
    return this.reports.report({ type: 'model_trained', tableIndex, columnIndex, hash });
  }

  completed(result: SyncJobResult & { readonly durationMs: number }): Promise<void> {
    return this.reports.report({ type: 'completed', ...result }, true);
  }

  predicted(prediction: Prediction): Promise<void> {
    return this.reports.report({ type: 'predicted', prediction }, true);
  }

  failed(failure: SyncFailure): Promise<void> {
    return this.reports.report({ type: 'failed', failure: this.reports.abortFailure ?? failure }, true);
  }
}
