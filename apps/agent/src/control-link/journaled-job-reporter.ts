import {
  type JobReporter,
  type Prediction,
  type ProgressReport,
  type SyncFailure,
  SyncJobError,
  type SyncJobResult,
} from '@understudy/sync-engine';
import { encodeEvent, type JobEventBody } from './encode-event.js';
import { LeaseLostError, type Lease } from './leases.js';
import type { EventDelivery } from './event-delivery.js';

/**
 * Reports of one job, numbered and journaled. After the last one (completed, predicted or failed) further calls do nothing. Progress
 * that the control plane is too far behind to want is left out: the next report holds it all again.
 */
export class JournaledJobReporter implements JobReporter {
  private ended = false;
  private tail: Promise<void> = Promise.resolve();

  constructor(
    private readonly lease: Lease,
    private readonly delivery: EventDelivery,
    private readonly subject: string,
    private lastSeq = 0,
    private readonly signal?: AbortSignal,
  ) {}

  get hasEnded(): boolean {
    return this.ended;
  }

  get confirmed(): Promise<void> {
    return this.delivery.whenAcknowledged(this.lease.jobId);
  }

  started(): Promise<void> {
    return this.report({ type: 'started' });
  }

  progress(report: ProgressReport): Promise<void> {
    if (this.delivery.backlog(this.lease.jobId) > MAX_BACKLOG) return Promise.resolve();
    return this.report({ type: 'progress', ...report });
  }

  modelTrained(tableIndex: number, columnIndex: number, hash: Uint8Array): Promise<void> {
    return this.report({ type: 'model_trained', tableIndex, columnIndex, hash });
  }

  completed(result: SyncJobResult & { readonly durationMs: number }): Promise<void> {
    return this.report({ type: 'completed', ...result });
  }

  predicted(prediction: Prediction): Promise<void> {
    return this.report({ type: 'predicted', prediction });
  }

  failed(failure: SyncFailure): Promise<void> {
    return this.report({ type: 'failed', failure: this.abortFailure() ?? failure });
  }

  /** Why the job was stopped from outside; what the job itself noticed of it is a consequence. */
  private abortFailure(): SyncFailure | undefined {
    if (this.signal?.aborted !== true) return undefined;
    const reason: unknown = this.signal.reason;
    if (reason instanceof SyncJobError) return reason.failure;
    return reason instanceof LeaseLostError ? { code: 'lease_lost' } : undefined;
  }

  /** In the order of the calls, also when the job does not wait for each. */
  private report(body: JobEventBody): Promise<void> {
    if (this.ended) return Promise.resolve();
    this.ended = body.type === 'completed' || body.type === 'predicted' || body.type === 'failed';
    const seq = ++this.lastSeq;
    const result = this.tail.then(() => this.deliver(seq, body));
    this.tail = result.catch(() => undefined);
    return result;
  }

  private deliver(seq: number, body: JobEventBody): Promise<void> {
    const { jobId, epoch } = this.lease;
    const event = { jobId, epoch, seq, occurredAt: new Date(), body };
    return this.delivery.deliver({
      about: jobId,
      subject: this.subject,
      encode: (journalSeq) => encodeEvent(journalSeq, event),
    });
  }
}

const MAX_BACKLOG = 2;
