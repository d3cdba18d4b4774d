import type { EncodedMessage, Lease, NumberedEvent } from '@understudy/agent-protocol';
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

/** The events that all kinds of work have. */
type WorkEventBody<Failure> =
  | { readonly type: 'started' }
  | { readonly type: 'failed'; readonly failure: Failure | SyncFailure };

type Encode<Body> = (journalSeq: number, event: NumberedEvent<Body>) => EncodedMessage;

/** Numbers and journals the events of work under one lease. After the last event, further calls do nothing. */
export abstract class JournaledReporter<Body, Failure extends { readonly code: string }> {
  private isOver = false;
  private reportedCode: string | undefined;
  private lastSeq: number;
  private tail: Promise<void> = Promise.resolve();

  protected constructor(
    private readonly options: ReporterOptions,
    private readonly encode: Encode<Body | WorkEventBody<Failure>>,
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

  failed(failure: Failure): Promise<void> {
    const reported = this.abortFailure ?? failure;
    if (!this.isOver) this.reportedCode = reported.code;
    return this.report({ type: 'failed', failure: reported }, true);
  }

  /**
   * Resolves when the control plane has acknowledged every reported event, or when the signal is aborted.
   * @returns false if the signal is aborted, even if the events are acknowledged. An acknowledgement does not
   * prove that the control plane used the event: the control plane also acknowledges events of a lost lease.
   */
  async isKnown(): Promise<boolean> {
    await Promise.race([this.acknowledged, whenAborted(this.options.signal)]);
    return this.options.signal?.aborted !== true;
  }

  /** Resolves when the control plane has acknowledged every reported event. */
  protected get acknowledged(): Promise<void> {
    return this.options.delivery.whenAcknowledged(this.options.lease.jobId);
  }

  /**
   * Reports progress. Skips the report if more than two events wait for acknowledgement, because the next
   * report replaces this one.
   */
  protected reportProgress(body: Body): Promise<void> {
    const backlog = this.options.delivery.backlog(this.options.lease.jobId);
    return backlog > MAX_BACKLOG ? Promise.resolve() : this.report(body);
  }

  /** Reports events in the order of the calls, even if the caller does not wait for each. */
  report(body: Body | WorkEventBody<Failure>, isLast = false): Promise<void> {
    if (this.isOver) return Promise.resolve();
    this.isOver = isLast;
    const seq = ++this.lastSeq;
    const result = this.tail.then(() => this.deliver(seq, body));
    this.tail = result.catch(() => undefined);
    return result;
  }

  private deliver(seq: number, body: Body | WorkEventBody<Failure>): Promise<void> {
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
