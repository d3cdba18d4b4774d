import type { GrantedLease, Lease, LeaseUpdates } from '@understudy/agent-protocol';
import { type KeepSnapshot } from '@understudy/sync-engine';
import { SyncJobError } from '@understudy/sync-job';

/** A lease under which this agent works. */
export interface HeldLease extends Lease {
  /**
   * Resolves when the control plane has renewed the lease for the first time. Never resolves if the lease is
   * lost before that.
   */
  readonly confirmed: Promise<void>;
  /** Aborted if the lease is lost, its job is cancelled or the agent is revoked. */
  readonly signal: AbortSignal;
  readonly keepSnapshot: KeepSnapshot;
}

/** A lease that this process holds now, for heartbeats and for the operator. */
export interface RunningLease extends Lease {
  readonly heldForMs: number;
  /** The time for which the job has held its snapshot of the source; undefined if it holds none. */
  readonly snapshotAgeMs: number | undefined;
  /** The time since the last reply that renewed the lease, or since its start. */
  readonly silentForMs: number;
  /** The time until the lease is lost if no further reply arrives. */
  readonly remainingMs: number;
}

interface Held {
  readonly lease: GrantedLease;
  readonly controller: AbortController;
  readonly confirm: () => void;
  /** When each snapshot of the job was taken, by the function that renews it. */
  readonly snapshots: Map<() => void, number>;
  readonly heldSinceMs: number;
  isConfirmed: boolean;
  heardAtMs: number;
}

/**
 * The leases of this process. Performs no I/O.
 *
 * A confirmed lease is lost after `lostAfterMs` and its grace period without a reply. The
 * control plane waits longer by 15 s before it gives the work to another agent. The grace period begins only
 * with the first reply, because until then the control plane has not renewed the lease.
 */
export class Leases {
  private readonly held = new Map<string, Held>();

  /**
   * @param lostAfterMs time without a reply after which a lease without grace period counts as lost
   * @param now a monotonic clock in milliseconds
   */
  constructor(
    private readonly lostAfterMs: number,
    private readonly now: () => number,
  ) {}

  hold(lease: GrantedLease): HeldLease {
    const controller = new AbortController();
    const { promise: confirmed, resolve: confirm } = withResolvers();
    const snapshots = new Map<() => void, number>();
    const nowMs = this.now();
    const times = { heldSinceMs: nowMs, heardAtMs: nowMs };
    const { jobId, epoch } = lease;
    this.held.set(keyOf(lease), { lease, controller, confirm, snapshots, isConfirmed: false, ...times });
    const keepSnapshot: KeepSnapshot = (renew) => {
      snapshots.set(renew, this.now());
      return () => snapshots.delete(renew);
    };
    return { jobId, epoch, confirmed, signal: controller.signal, keepSnapshot };
  }

  release(lease: Lease): void {
    this.held.delete(keyOf(lease));
  }

  running(): RunningLease[] {
    const nowMs = this.now();
    return [...this.held.values()].map((held) => {
      const [takenAtMs] = held.snapshots.values();
      return {
        jobId: held.lease.jobId,
        epoch: held.lease.epoch,
        heldForMs: nowMs - held.heldSinceMs,
        snapshotAgeMs: takenAtMs === undefined ? undefined : nowMs - takenAtMs,
        silentForMs: nowMs - held.heardAtMs,
        remainingMs: Math.max(0, this.lostAtMs(held) - nowMs),
      };
    });
  }

  /**
   * Applies the reply to a heartbeat. Removes the lost leases and renews all others. Aborts the work under
   * the cancelled leases, and confirms the leases that are neither lost nor cancelled. Aborts all work if the
   * agent is revoked.
   * @param named the leases in that heartbeat; the reply does not affect leases that were added later
   * @param sentAtMs when the heartbeat was sent. The control plane counts from a later time.
   */
  replied(named: readonly Lease[], updates: LeaseUpdates, sentAtMs: number): void {
    if (updates.revoked) {
      this.revoked();
      return;
    }
    const lostKeys = new Set(updates.lostLeases.map(keyOf));
    const cancelledKeys = new Set(updates.cancelledLeases.map(keyOf));
    for (const key of named.map(keyOf)) {
      const held = this.held.get(key);
      if (held === undefined) continue;
      if (lostKeys.has(key)) {
        this.lose(key, held);
        continue;
      }
      held.heardAtMs = Math.max(held.heardAtMs, sentAtMs);
      held.isConfirmed = true;
      renewSnapshots(held);
      // A cancelled lease stays in heartbeats until the end of its job is reported. Otherwise another agent
      // could get it.
      if (cancelledKeys.has(key)) held.controller.abort(cancellation());
      else held.confirm();
    }
  }

  /**
   * Must be called for each heartbeat without a reply. Removes the leases whose time is over. Renews the
   * snapshots of all others, because the next reply may arrive after any number of heartbeats.
   */
  unanswered(): void {
    const nowMs = this.now();
    for (const [key, held] of this.held) {
      if (nowMs >= this.lostAtMs(held)) this.lose(key, held);
      else renewSnapshots(held);
    }
  }

  /**
   * Cancels a job on this agent, with or without contact to the control plane. The end is reported as
   * `cancelled` when there is contact. Has no effect on a job whose switch is being committed.
   * @returns false if this agent does not run the job
   */
  cancel(jobId: string): boolean {
    const found = [...this.held.values()].filter(({ lease }) => lease.jobId === jobId);
    for (const { controller } of found) controller.abort(cancellation());
    return found.length > 0;
  }

  /**
   * Stops all work because the control plane refuses this agent. The work ends without another attempt on
   * this agent, so it drops its snapshot and what it staged on its target.
   */
  revoked(): void {
    this.abortAll(new SyncJobError({ code: 'agent_revoked' }));
  }

  /** Stops all work, for example before the process ends. */
  abortAll(reason: unknown): void {
    for (const { controller } of this.held.values()) controller.abort(reason);
  }

  private lostAtMs({ heardAtMs, isConfirmed, lease }: Held): number {
    return heardAtMs + this.lostAfterMs + (isConfirmed ? lease.graceSeconds * 1000 : 0);
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

function renewSnapshots({ snapshots }: Held): void {
  for (const renew of snapshots.keys()) renew();
}

function cancellation(): SyncJobError {
  return new SyncJobError({ code: 'cancelled' });
}

function keyOf({ jobId, epoch }: Lease): string {
  return `${jobId}.${epoch}`;
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((resolvePromise) => (resolve = resolvePromise));
  return { promise, resolve };
}
