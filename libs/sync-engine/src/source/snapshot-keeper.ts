import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { environmentVariable, type ConnectionTarget, EXTRA_AUTHORITIES } from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';
import type { HeldTable, KeeperReply, KeeperRequest, HoldOrder } from './keeper-messages.js';

export interface HoldSnapshotRequest {
  readonly source: ConnectionTarget;
  /** Its session's `application_name`. */
  readonly sessionName: string;
  readonly tables: readonly HeldTable[];
  /** A snapshot that another keeper, perhaps another agent's, still holds: the new one then shows the same instant. */
  readonly importId?: string;
  /** How long the keeper stays after the last renewal, without this process too. */
  readonly expiresAfterMs?: number | undefined;
  readonly signal: AbortSignal;
  /** Started ahead, and without an order so far; else one is started now. */
  readonly keeper?: KeeperProcess;
  /** Told of sessions of the source for whose locks it waits. */
  readonly onBlocked?: (backendPids: readonly number[]) => void;
}

/** The source as of one instant, for as long as somebody renews it. */
export interface HeldSnapshot {
  /** For `joinSnapshot` and for `pg_dump --snapshot`. */
  readonly snapshotId: string;
  readonly backendPid: number;
  readonly processId: number;
  /** Aborted, with a SyncJobError snapshot_lost as its reason, when the keeper has gone without being asked. */
  readonly lost: AbortSignal;
  renew(): void;
  /** Resolves when the transaction has stood without a break until now. @throws SyncJobError snapshot_lost */
  confirm(): Promise<void>;
  /** Leaves the keeper running until it expires, so that the next attempt can join its snapshot. */
  leave(): void;
  /** Ends it; resolves when its locks are gone. Never throws. */
  release(): Promise<void>;
}

/**
 * Has a snapshot keeper hold, and waits until it does.
 * @throws SyncJobError as `beginSnapshot` and `openSession` do, or the signal's reason: then nothing is held
 */
export async function holdSnapshot(request: HoldSnapshotRequest): Promise<HeldSnapshot> {
  const { source, sessionName, tables, importId, expiresAfterMs = HOLDER_EXPIRES_AFTER_MS, signal } = request;
  signal.throwIfAborted();
  const { keeper = new KeeperProcess() } = request;
  const onAbort = () => void keeper.release();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const order = { kind: 'hold', source, sessionName, tables, expiresAfterMs } as const;
    return await keeper.hold(importId === undefined ? order : { ...order, importId }, request.onBlocked);
  } catch (error) {
    await keeper.release();
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Longer than a lease, so that the next agent finds the snapshot of the one that was lost. */
export const HOLDER_EXPIRES_AFTER_MS = 60_000;

/** The compiled file, for a process that runs the sources too. */
const ENTRY = join(import.meta.dirname, '../../dist/source/snapshot-keeper-process.js');
const RELEASE_MS = 5_000;

/** A process that takes one order, which cannot come before much else is known: it may be started ahead. */
export class KeeperProcess {
  private isOrdered = false;
  private readonly child: ChildProcess;
  private readonly exited: Promise<unknown>;
  private readonly gone = new AbortController();
  private confirming: { resolve: () => void; reject: (error: SyncJobError) => void }[] = [];

  constructor() {
    // Arguments and environment of a process are there for others to read: what is secret goes through the pipe.
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

  /** Ends one that was given no order. */
  discard(): void {
    // Nothing keeps it then but its pipe.
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
    // One that is gone is told of by its exit.
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
