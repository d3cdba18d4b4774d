import { type OnLeaseRenewed } from '@understudy/sync-engine';
import { SyncJobError } from '@understudy/sync-job';

import type { Lease, LeaseUpdates } from '../../wire/lease.js';

/** A lease under which this agent works. */
export interface HeldLease extends Lease {
  /**
   * Resolves when the control plane has renewed the lease for the first time. Never resolves if the lease is
   * lost before that.
   */
  readonly confirmed: Promise<void>;
  /** Aborted if the lease is lost or its job is cancelled. */
  readonly signal: AbortSignal;
  /**
   * Calls the listener each time the control plane renews the lease.
   * @returns a function that removes the listener
   */
  readonly onRenewed: OnLeaseRenewed;
}

/** A lease that this process holds now. */
export interface RunningLease extends Lease {
  readonly heldForMs: number;
}

interface Held {
  readonly lease: Lease;
  readonly heldSinceMs: number;
  readonly controller: AbortController;
  readonly confirm: () => void;
  readonly listeners: Set<() => void>;
}

/** The leases of this process. Performs no I/O; callers pass the time. */
export class Leases {
  private readonly held = new Map<string, Held>();
  private lastReplyMs: number;

  /** @param lostAfterMs time without a reply after which all leases count as lost */
  constructor(
    private readonly lostAfterMs: number,
    nowMs: number,
  ) {
    this.lastReplyMs = nowMs;
  }

  hold(lease: Lease, nowMs: number): HeldLease {
    if (this.held.size === 0) this.lastReplyMs = nowMs;
    const controller = new AbortController();
    const { promise: confirmed, resolve: confirm } = withResolvers();
    const listeners = new Set<() => void>();
    this.held.set(keyOf(lease), { lease, heldSinceMs: nowMs, controller, confirm, listeners });
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

  running(nowMs: number): RunningLease[] {
    return [...this.held.values()].map(({ lease, heldSinceMs }) => ({
      ...lease,
      heldForMs: nowMs - heldSinceMs,
    }));
  }

  /**
   * Cancels a job on this agent, with or without contact to the control plane. Has no effect on a job whose switch is
   * being committed.
   * @returns false if this agent does not run the job
   */
  cancel(jobId: string): boolean {
    const found = [...this.held.values()].filter(({ lease }) => lease.jobId === jobId);
    for (const { controller } of found) controller.abort(new SyncJobError({ code: 'cancelled' }));
    return found.length > 0;
  }

  /**
   * Applies the reply to a heartbeat. Removes the lost leases and renews all others. Aborts the work under
   * the cancelled leases, and confirms the leases that are neither lost nor cancelled.
   * @param named the leases in that heartbeat; the reply does not affect leases that were added later
   */
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
      // A cancelled lease stays in heartbeats until the end of its job is reported. Otherwise another agent
      // could get it.
      if (cancelledKeys.has(key)) held.controller.abort(new SyncJobError({ code: 'cancelled' }));
      else held.confirm();
    }
  }

  /**
   * Must be called for each heartbeat without a reply. Treats all leases as lost if the last reply is older
   * than `lostAfterMs`.
   */
  unanswered(nowMs: number): void {
    if (nowMs - this.lastReplyMs < this.lostAfterMs) return;
    for (const [key, held] of this.held) this.lose(key, held);
  }

  /** Stops all work before the process ends. */
  abortAll(reason: unknown): void {
    for (const { controller } of this.held.values()) controller.abort(reason);
  }

  private lose(key: string, held: Held): void {
    this.held.delete(key);
    held.controller.abort(new LeaseLostError());
  }
}

/** The lease is lost: another agent has the job or will get it. */
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
  const promise = new Promise<void>((resolvePromise) => (resolve = resolvePromise));
  return { promise, resolve };
}
