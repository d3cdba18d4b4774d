import { type EncodedMessage, endsWork, type Lease, type NumberedEvent } from '@understudy/agent-protocol';
import { SyncJobError, type SyncFailure } from '@understudy/sync-job';

import type { EventDelivery } from '../../link/event-delivery.js';
import { LeaseLostError } from '../leases/leases.js';

export interface ReporterOptions {
  readonly lease: Lease;
  readonly delivery: EventDelivery;
  /** The number of the last event that an earlier process reported under this lease. */
  readonly lastSeq?: number;
  /** Aborted when the lease is lost, the job is cancelled or the agent stops. */
  readonly signal?: AbortSignal;
}

/** An event that a reporter can journal. */
interface WorkEvent {
  readonly type: string;
  /** Present only if the work has failed. */
  readonly failure?: { readonly code: string };
}

type Encode<Event> = (journalSeq: number, event: NumberedEvent<Event>) => EncodedMessage;

/** Numbers and journals the events of work under one lease. After the last event, further calls do nothing. */
export class JournaledReporter<Event extends WorkEvent> {
  private isOver = false;
  private reportedCode: string | undefined;
  private lastSeq: number;
  private tail: Promise<void> = Promise.resolve();

  constructor(
    private readonly options: ReporterOptions,
    private readonly encode: Encode<Event>,
  ) {
    this.lastSeq = options.lastSeq ?? 0;
  }

  get hasEnded(): boolean {
    return this.isOver;
  }

  /** The code of the reported failure; undefined if the work has not ended or has completed. */
  get failureCode(): string | undefined {
    return this.reportedCode;
  }

  /**
   * Resolves when the control plane has acknowledged every reported event. That does not prove that it used the events,
   * because it also acknowledges those of a lost lease.
   */
  get confirmed(): Promise<void> {
    return this.options.delivery.whenAcknowledged(this.options.lease.jobId);
  }

  /**
   * Reports events in the order of the calls, even if the caller does not wait for each. Skips progress if more than
   * two events wait for acknowledgement, because the next report replaces this one.
   */
  report(event: Event): Promise<void> {
    const { lease, delivery } = this.options;
    const isSkipped = event.type === 'progress' && delivery.backlog(lease.jobId) > MAX_BACKLOG;
    if (this.isOver || isSkipped) return Promise.resolve();
    this.isOver = endsWork(event.type);
    const failure = event.failure && (this.abortFailure ?? event.failure);
    this.reportedCode = failure?.code;
    const seq = ++this.lastSeq;
    const result = this.tail.then(() => this.deliver(seq, failure ? { ...event, failure } : event));
    this.tail = result.catch(() => undefined);
    return result;
  }

  private deliver(seq: number, body: Event): Promise<void> {
    const event = { lease: this.options.lease, seq, occurredAt: new Date(), body };
    return this.options.delivery.deliver((journalSeq) => this.encode(journalSeq, event));
  }

  /**
   * The failure that aborted the signal, or undefined if no failure did. It replaces the failure that the
   * work reports, which is only a consequence of the abort.
   */
  private get abortFailure(): SyncFailure | undefined {
    const { signal } = this.options;
    if (signal?.aborted !== true) return undefined;
    const reason: unknown = signal.reason;
    if (reason instanceof SyncJobError) return reason.failure;
    return reason instanceof LeaseLostError ? { code: 'lease_lost' } : undefined;
  }
}

/**
 * Resolves when the signal is aborted, or immediately if it is already aborted. If the signal is undefined,
 * never resolves.
 */
export function whenAborted(signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));
}

const MAX_BACKLOG = 2;
