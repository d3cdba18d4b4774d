import { SyncJobError } from '@understudy/sync-job';
import type { KeeperReply, KeeperRequest, HoldOrder } from './keeper-messages.js';
import { returnKeeperProcess, takeKeeperProcess } from './keeper-processes.js';

export interface HoldSnapshotRequest extends Omit<HoldOrder, 'kind' | 'expiresAfterMs'> {
  /**
   * The keeper exits if it has not been renewed for this many milliseconds. This also applies after the agent
   * has ended. Default: 60,000.
   */
  readonly expiresAfterMs?: number | undefined;
  readonly signal: AbortSignal;
  /** A keeper that has no order yet. If undefined, another one is taken. */
  readonly keeper?: KeeperProcess;
  /** Called with the sessions of the source that hold locks for which the keeper waits. */
  readonly onBlocked?: (backendPids: readonly number[]) => void;
}

/** A snapshot of the source that a keeper process holds as long as it is renewed. */
export interface HeldSnapshot {
  /** The id to pass to `joinSnapshot` and to `pg_dump --snapshot`. */
  readonly snapshotId: string;
  readonly backendPid: number;
  readonly processId: number;
  /** Aborts when the keeper has ended or was released. The reason is a SyncJobError snapshot_lost. */
  readonly lost: AbortSignal;
  renew(): void;
  /**
   * Resolves if the keeper's transaction is still open. An open transaction shows that the keeper has held
   * the snapshot without interruption.
   * @throws SyncJobError snapshot_lost
   */
  confirm(): Promise<void>;
  /** Leaves the keeper running until it expires, so that the next attempt can join its snapshot. */
  leave(): void;
  /** Ends the keeper's session. Resolves when its locks are released. Never throws. */
  release(): Promise<void>;
}

/**
 * Orders a snapshot keeper to hold a snapshot, and waits until the keeper holds it.
 * @throws SyncJobError as `beginSnapshot` and `openSession` do, or the signal's reason. After an error, no
 * snapshot is held.
 */
export async function holdSnapshot(request: HoldSnapshotRequest): Promise<HeldSnapshot> {
  const { source, sessionName, tables, importId, isWitnessed = false } = request;
  const { expiresAfterMs = KEEPER_EXPIRES_AFTER_MS, signal } = request;
  signal.throwIfAborted();
  const { keeper = new KeeperProcess() } = request;
  const onAbort = () => void keeper.release();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const order = { kind: 'hold', source, sessionName, tables, expiresAfterMs, isWitnessed } as const;
    return await keeper.hold(importId === undefined ? order : { ...order, importId }, request.onBlocked);
  } catch (error) {
    await keeper.release();
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/**
 * The default expiry. It is longer than a lease, so the next agent can join the snapshot after an agent was
 * lost.
 */
export const KEEPER_EXPIRES_AFTER_MS = 60_000;

const RELEASE_MS = 5_000;

/** A keeper for one order. Its process can start before the order is known, and accepts other orders later. */
export class KeeperProcess {
  private readonly child = takeKeeperProcess();
  private readonly gone = new AbortController();
  private readonly ended = new Promise<void>((resolve) => {
    this.gone.signal.addEventListener('abort', () => {
      resolve();
    });
  });
  private order: PendingOrder | undefined;
  private releasing: Promise<void> | undefined;
  private confirming: { resolve: () => void; reject: (error: SyncJobError) => void }[] = [];

  constructor() {
    this.child.on('message', this.onReply).on('exit', this.onGone).on('error', this.onGone);
  }

  async hold(order: HoldOrder, onBlocked?: (backendPids: readonly number[]) => void): Promise<HeldSnapshot> {
    const held = new Promise<HeldReply>((resolve, reject) => {
      this.order = { resolve, reject, onBlocked };
    });
    void this.ended.then(() => this.order?.reject(keeperGone()));
    this.send(order);
    const { snapshotId, backendPid } = await held;
    return {
      snapshotId,
      backendPid,
      processId: this.child.pid ?? 0,
      lost: this.gone.signal,
      renew: () => {
        this.send({ kind: 'renew' });
      },
      confirm: () => this.confirm(),
      leave: () => {
        this.leave();
      },
      release: () => this.release(),
    };
  }

  /** Gives the process to the next job if it has received no order. */
  discard(): void {
    if (this.order === undefined) this.handBack();
  }

  release(): Promise<void> {
    return (this.releasing ??= this.endOrder());
  }

  private async endOrder(): Promise<void> {
    this.send({ kind: 'release' });
    const timer = setTimeout(() => this.child.kill('SIGKILL'), RELEASE_MS);
    await this.ended;
    clearTimeout(timer);
  }

  private confirm(): Promise<void> {
    if (this.gone.signal.aborted) return Promise.reject(keeperGone());
    return new Promise((resolve, reject) => {
      this.confirming.push({ resolve, reject });
      this.send({ kind: 'confirm' });
    });
  }

  private leave(): void {
    if (this.gone.signal.aborted) return;
    if (this.child.connected) this.child.disconnect();
    this.child.unref();
  }

  private send(message: KeeperRequest): void {
    // The process may work for another job by now, or its `exit` event may not have been reported yet.
    if (!this.gone.signal.aborted && this.child.connected) this.child.send(message, () => undefined);
  }

  private readonly onReply = (reply: KeeperReply): void => {
    if (reply.kind === 'held') this.order?.resolve(reply);
    if (reply.kind === 'blocked') this.order?.onBlocked?.(reply.backendPids);
    if (reply.kind === 'confirmed') for (const waiting of this.confirming.splice(0)) waiting.resolve();
    if (reply.kind === 'failed')
      this.order?.reject(new SyncJobError(reply.failure, { cause: new Error(reply.detail) }));
    if (reply.kind === 'released') this.handBack();
  };

  private handBack(): void {
    this.onGone();
    this.child.off('message', this.onReply).off('exit', this.onGone).off('error', this.onGone);
    returnKeeperProcess(this.child);
  }

  private readonly onGone = (): void => {
    this.gone.abort(keeperGone());
    for (const { reject } of this.confirming.splice(0)) reject(keeperGone());
  };
}

type HeldReply = Extract<KeeperReply, { kind: 'held' }>;

interface PendingOrder {
  readonly resolve: (held: HeldReply) => void;
  readonly reject: (error: SyncJobError) => void;
  readonly onBlocked: ((backendPids: readonly number[]) => void) | undefined;
}

function keeperGone(): SyncJobError {
  return new SyncJobError(
    { code: 'snapshot_lost', side: 'source' },
    { cause: new Error('the snapshot keeper has ended') },
  );
}
