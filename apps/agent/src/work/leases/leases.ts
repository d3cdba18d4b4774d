import { type OnLeaseRenewed } from '@understudy/sync-engine';
import { SyncJobError } from '@understudy/sync-job';

import type { Lease, LeaseUpdates } from '../../wire/lease.js';

/** A lease this agent works under. */
export interface HeldLease extends Lease {
  /** Resolves when the control plane has renewed it for the first time; never when it is lost before. */
  readonly confirmed: Promise<void>;
  /** Aborted when it is lost, or its job cancelled. */
  readonly signal: AbortSignal;
  /** Calls the listener each time a reply of the control plane has renewed the lease. @returns ends that */
  readonly onRenewed: OnLeaseRenewed;
}

interface Held {
  readonly lease: Lease;
  readonly controller: AbortController;
  readonly confirm: () => void;
  readonly listeners: Set<() => void>;
}

/** The leases of this process. Time is an input; nothing here talks to anyone. */
export class Leases {
  private readonly held = new Map<string, Held>();
  private lastReplyMs: number;

  /** @param lostAfterMs without any reply all leases count as lost: the control plane gives them away a little later */
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
    const listeners = new Set<() => void>();
    this.held.set(keyOf(lease), { lease, controller, confirm, listeners });
    const onRenewed: OnLeaseRenewed = (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    };
    return { ...lease, confirmed, signal: controller.signal, onRenewed };
  }

  release(lease: Lease): void {
    this.held.delete(keyOf(lease));
  }

  current(): Lease[] {
    return [...this.held.values()].map(({ lease }) => lease);
  }

  /** @param named what the heartbeat named: a lease taken after it was sent is neither confirmed nor lost by its reply */
  replied(named: readonly Lease[], { lost, cancelled }: LeaseUpdates, nowMs: number): void {
    this.lastReplyMs = nowMs;
    const lostKeys = new Set(lost.map(keyOf));
    const cancelledKeys = new Set(cancelled.map(keyOf));
    for (const key of named.map(keyOf)) {
      const held = this.held.get(key);
      if (held === undefined) continue;
      if (lostKeys.has(key)) {
        this.lose(key, held);
        continue;
      }
      for (const listener of held.listeners) listener();
      // Named by heartbeats until its end is reported, which may take a while: it must not go to another agent meanwhile.
      if (cancelledKeys.has(key)) held.controller.abort(new SyncJobError({ code: 'cancelled' }));
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
