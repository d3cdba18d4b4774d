import { SyncJobError, type SyncFailure } from '@understudy/sync-job';
import type { EventDelivery } from '../../link/event-delivery.js';
import type { NumberedEvent } from '../../wire/encode-snapshot-event.js';
import type { Lease } from '../../wire/heartbeat.js';
import { LeaseLostError } from '../leases/leases.js';

export interface ReportsOptions<Body> {
  readonly lease: Lease;
  readonly delivery: EventDelivery;
  readonly subject: string;
  readonly encode: (
    journalSeq: number,
    event: NumberedEvent<Body>,
  ) => { bytes: Uint8Array; message: unknown };
  /** Of an earlier process. */
  readonly lastSeq?: number;
  /** Of the work, aborted when it is stopped from outside. */
  readonly signal?: AbortSignal | undefined;
}

/** The reports of one piece of work, numbered and journaled. After the last one further calls do nothing. */
export class NumberedReports<Body> {
  private ended = false;
  private lastSeq: number;
  private tail: Promise<void> = Promise.resolve();

  constructor(private readonly options: ReportsOptions<Body>) {
    this.lastSeq = options.lastSeq ?? 0;
  }

  get hasEnded(): boolean {
    return this.ended;
  }

  /** The control plane is too far behind to want what the next report will hold again. */
  get isBehind(): boolean {
    return this.options.delivery.backlog(this.options.lease.jobId) > MAX_BACKLOG;
  }

  /** Why the work was stopped from outside; what it noticed of that itself is a consequence. */
  get abortFailure(): SyncFailure | undefined {
    const { signal } = this.options;
    if (signal?.aborted !== true) return undefined;
    const reason: unknown = signal.reason;
    if (reason instanceof SyncJobError) return reason.failure;
    return reason instanceof LeaseLostError ? { code: 'lease_lost' } : undefined;
  }

  /**
   * Resolves when the control plane has everything that was reported, or when the work is stopped from outside. @returns whether it took that as the work of
   * the lease's holder: what comes of a lease that went to another attempt is acknowledged too
   */
  async isKnown(): Promise<boolean> {
    const { delivery, lease, signal } = this.options;
    await Promise.race([delivery.whenAcknowledged(lease.jobId), whenAborted(signal)]);
    return signal?.aborted !== true;
  }

  /** In the order of the calls, also when the work does not wait for each. */
  report(body: Body, isLast = false): Promise<void> {
    if (this.ended) return Promise.resolve();
    this.ended = isLast;
    const seq = ++this.lastSeq;
    const result = this.tail.then(() => this.deliver(seq, body));
    this.tail = result.catch(() => undefined);
    return result;
  }

  private deliver(seq: number, body: Body): Promise<void> {
    const { lease, delivery, subject, encode } = this.options;
    const event = { lease, seq, occurredAt: new Date(), body };
    return delivery.deliver({
      subject,
      encode: (journalSeq) => encode(journalSeq, event),
    });
  }
}

const MAX_BACKLOG = 2;

/** Resolves when it is aborted, or was before; of no signal, never. */
export function whenAborted(signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));
}
