import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { environmentVariable, type ConnectionTarget, EXTRA_AUTHORITIES } from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';
import type { HeldTable, KeeperReply, KeeperRequest, HoldOrder } from './keeper-messages.js';

export interface HoldSnapshotRequest {
  readonly source: ConnectionTarget;
  /** The `application_name` of the keeper's session. */
  readonly sessionName: string;
  readonly tables: readonly HeldTable[];
  /**
   * The id of a snapshot to import, which another transaction must still hold. The keeper then shows the same
   * data.
   */
  readonly importId?: string;
  /** See {@link HoldOrder}. Without it, the keeper needs another session until it holds the snapshot. */
  readonly isWitnessed?: boolean;
  /**
   * The keeper exits if it has not been renewed for this many milliseconds. This also applies after the agent
   * has ended. Default: 60,000.
   */
  readonly expiresAfterMs?: number | undefined;
  readonly signal: AbortSignal;
  /** A keeper process that has no order yet. If undefined, a new one is started. */
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
  /** Aborts when the keeper process has ended. The reason is a SyncJobError snapshot_lost. */
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
  /** Ends the keeper. Resolves when its locks are released. Never throws. */
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

/**
 * The path of the compiled file. The keeper needs this file even if this process runs from the TypeScript
 * sources.
 */
const ENTRY = join(import.meta.dirname, '../../dist/source/snapshot-keeper-process.js');
const RELEASE_MS = 5_000;

/** A keeper process. It can be started before its order is known, and accepts only one order. */
export class KeeperProcess {
  private isOrdered = false;
  private readonly child: ChildProcess;
  private readonly exited: Promise<unknown>;
  private readonly gone = new AbortController();
  private confirming: { resolve: () => void; reject: (error: SyncJobError) => void }[] = [];

  constructor() {
    // Other users of the machine can read a process's arguments and possibly its environment, so secrets go
    // through the pipe.
    const authorities = environmentVariable(EXTRA_AUTHORITIES);
    this.child = fork(ENTRY, [], {
      detached: true,
      execArgv: [],
      env: authorities === undefined ? {} : { [EXTRA_AUTHORITIES]: authorities },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.child.on('error', () => undefined);
    this.exited = once(this.child, 'exit').catch(() => undefined);
    void this.exited.then(() => {
      this.onGone();
    });
  }

  async hold(order: HoldOrder, onBlocked?: (backendPids: readonly number[]) => void): Promise<HeldSnapshot> {
    const held = new Promise<Extract<KeeperReply, { kind: 'held' }>>((resolve, reject) => {
      this.child.on('message', (reply: KeeperReply) => {
        if (reply.kind === 'held') resolve(reply);
        if (reply.kind === 'blocked') onBlocked?.(reply.backendPids);
        if (reply.kind === 'confirmed') for (const waiting of this.confirming.splice(0)) waiting.resolve();
        if (reply.kind === 'failed')
          reject(new SyncJobError(reply.failure, { cause: new Error(reply.detail) }));
      });
      void this.exited.then(() => {
        reject(keeperGone());
      });
    });
    this.isOrdered = true;
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

  /** Ends the process if it has received no order. */
  discard(): void {
    // Without an order, the process ends as soon as its pipe closes.
    if (!this.isOrdered) this.leave();
  }

  async release(): Promise<void> {
    this.send({ kind: 'release' });
    const timer = setTimeout(() => this.child.kill('SIGKILL'), RELEASE_MS);
    await this.exited;
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
    if (this.child.connected) this.child.disconnect();
    this.child.unref();
  }

  private send(message: KeeperRequest): void {
    // If the process has ended, its `exit` event has reported that already.
    if (this.child.connected) this.child.send(message, () => undefined);
  }

  private onGone(): void {
    this.gone.abort(keeperGone());
    for (const { reject } of this.confirming.splice(0)) reject(keeperGone());
  }
}

function keeperGone(): SyncJobError {
  return new SyncJobError(
    { code: 'snapshot_lost', side: 'source' },
    { cause: new Error('the snapshot keeper has ended') },
  );
}
