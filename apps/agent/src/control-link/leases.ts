import { SyncJobError } from '../sync/sync-job-error.js';

export interface Lease {
  readonly jobId: string;
  readonly epoch: number;
}

/** What a reply to a heartbeat says of its leases. */
export interface LeaseNews {
  readonly lost: readonly Lease[];
  /** Held still, and to be ended as cancelled. */
  readonly cancelled: readonly Lease[];
}

/** A lease this agent works under. */
export interface HeldLease extends Lease {
  /** Resolves when the control plane has renewed it for the first time; never when it is lost before. */
  readonly confirmed: Promise<void>;
  /** Aborted when it is lost, or its job cancelled. */
  readonly signal: AbortSignal;
}

interface Held {
  readonly lease: Lease;
  readonly controller: AbortController;
  readonly confirm: () => void;
}

/** The leases of this process. Time is an input; nothing here talks to anyone. */
export class Leases {
  private readonly held = new Map<string, Held>();
  private lastReplyMs: number;

  /** @param lostAfterMs without any reply all leases count as lost: the control plane gives them away then */
  constructor(
    private readonly lostAfterMs: number,
    nowMs: number,
  ) {
    this.lastReplyMs = nowMs;
  }

  /** @param onLost makes the abort reason */
  hold(lease: Lease, nowMs: number): HeldLease {
    if (this.held.size === 0) this.lastReplyMs = nowMs;
    const controller = new AbortController();
    const { promise: confirmed, resolve: confirm } = withResolvers();
    this.held.set(keyOf(lease), { lease, controller, confirm });
    return { ...lease, confirmed, signal: controller.signal };
  }

  release(lease: Lease): void {
    this.held.delete(keyOf(lease));
  }

  current(): Lease[] {
    return [...this.held.values()].map(({ lease }) => lease);
  }

  /** @param named what the heartbeat named: a lease taken after it was sent is neither confirmed nor lost by its reply */
  replied(named: readonly Lease[], { lost, cancelled }: LeaseNews, nowMs: number): void {
    this.lastReplyMs = nowMs;
    const lostKeys = new Set(lost.map(keyOf));
    const cancelledKeys = new Set(cancelled.map(keyOf));
    for (const key of named.map(keyOf)) {
      const held = this.held.get(key);
      if (held === undefined) continue;
      if (lostKeys.has(key)) this.lose(key, held);
      // Named by heartbeats until its end is reported, which may take a while: it must not go to another agent meanwhile.
      else if (cancelledKeys.has(key)) held.controller.abort(new SyncJobError({ code: 'cancelled' }));
      else held.confirm();
    }
  }

  /** Called with each beat that got no reply. */
  unanswered(nowMs: number): void {
    if (nowMs - this.lastReplyMs < this.lostAfterMs) return;
    for (const [key, held] of this.held) this.lose(key, held);
  }

  /** Stops all work, for an end of the process. */
  abortAll(reason: unknown): void {
    for (const { controller } of this.held.values()) controller.abort(reason);
  }

  private lose(key: string, held: Held): void {
    this.held.delete(key);
    held.controller.abort(new LeaseLostError());
  }
}

/** Another agent has the job now, or will have it. */
export class LeaseLostError extends Error {
  readonly code = 'lease_lost';

  constructor() {
    super('the lease is lost');
    this.name = 'LeaseLostError';
  }
}

function keyOf({ jobId, epoch }: Lease): string {
  return `${jobId}.${epoch}`;
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}
