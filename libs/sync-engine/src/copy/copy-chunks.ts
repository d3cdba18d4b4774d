import type { CellMask, JobKeyMaterial } from '@understudy/masking';
import { disconnect, type Client, killSessions, type Session } from '@understudy/postgres';
import type { DatabaseSide, TableName } from '@understudy/sync-job';
import { guard, type FailureContext } from '../session/guard.js';
import type { TablePlan } from '../plan/table-plan.js';
import type { MaskingThreads } from './threads/masking-threads.js';
import type { Chunk } from './plan-chunks.js';
import { type CopiedChunk, copyChunk } from './copy-chunk.js';
import { type PairUnderWatch, Watchdog, type WatchdogSettings } from './watchdog.js';

/** Writes one chunk on the target as one unit. */
export interface ChunkWriter {
  /**
   * One transaction.
   * @param copy writes the chunk's rows into a table of the writer's choice that has the table's written columns
   */
  write(client: Client, chunk: Chunk, copy: CopyInto): Promise<void>;
}

/** @param options `isText`: all columns of `into` are of type text, whatever the table's are */
export type CopyInto = (into: TableName, options?: { readonly isText?: boolean }) => Promise<CopiedChunk>;

export interface ChunksRequest {
  /** Taken in this order. */
  readonly chunks: readonly Chunk[];
  /** Done by an earlier attempt. */
  readonly isDone: (chunk: Chunk) => boolean;
  /** Pairs of source and target at most. */
  readonly connections: number;
  /** Joined to the snapshot. */
  readonly openSource: () => Promise<Session>;
  readonly openTarget: () => Promise<Session>;
  readonly writer: ChunkWriter;
  /** By table index. */
  readonly plans: readonly TablePlan[];
  /** By table index. */
  readonly masks: readonly ReadonlyMap<string, CellMask>[];
  readonly job: JobKeyMaterial;
  /** For the rows of these tables; ended with the copy. */
  readonly threads?: { readonly of: MaskingThreads; readonly tables: ReadonlySet<number> } | undefined;
  readonly contextOf: (side: DatabaseSide, tableIndex: number) => FailureContext;
  /** Rows that have begun and bytes written since it was last called for the table. */
  readonly onProgress: (tableIndex: number, rows: number, bytes: number) => void;
  readonly watchdog: WatchdogSettings;
  readonly signal: AbortSignal;
}

export interface CopiedChunks {
  /** By table index: columns in which a value was cut. */
  readonly truncated: ReadonlyMap<number, ReadonlySet<string>>;
}

/**
 * Copies the chunks over several pairs of connections, each pair one chunk after the other. When it resolves all are written;
 * when it rejects no session of it is left, and every chunk is written whole or not at all.
 * @throws the first failure, or the signal's reason
 */
export async function copyChunks(request: ChunksRequest): Promise<CopiedChunks> {
  request.signal.throwIfAborted();
  const waiting = request.chunks.filter((chunk) => !request.isDone(chunk));
  const crew = new Crew(request, waiting);
  const onAbort = () => {
    crew.halt(request.signal.reason);
  };
  request.signal.addEventListener('abort', onAbort);
  try {
    return await crew.work(Math.min(request.connections, waiting.length));
  } finally {
    request.signal.removeEventListener('abort', onAbort);
  }
}

/** The workers of one copy, and how they stop: at the first failure all sessions are ended, and nothing after it counts. */
class Crew {
  private readonly queue: Iterator<Chunk>;
  private readonly sessions = new Set<Session>();
  private readonly truncated = new Map<number, Set<string>>();
  private readonly watchdog: Watchdog;
  private halted: { readonly reason: unknown; readonly killed: Promise<void> } | undefined;

  constructor(
    private readonly request: ChunksRequest,
    waiting: readonly Chunk[],
  ) {
    this.queue = waiting.values();
    this.watchdog = new Watchdog(request.watchdog, (error) => {
      this.halt(error);
    });
  }

  async work(pairs: number): Promise<CopiedChunks> {
    const workers = Array.from({ length: pairs }, () =>
      this.copyInOrder().catch((error: unknown) => {
        this.halt(error);
      }),
    );
    await Promise.all(workers);
    this.watchdog.stop();
    await this.request.threads?.of.close();
    if (this.halted !== undefined) {
      await this.halted.killed;
      throw this.halted.reason;
    }
    return { truncated: this.truncated };
  }

  halt(reason: unknown): void {
    void this.request.threads?.of.close(); // a thread may be at work on a row for long
    this.halted ??= { reason, killed: killSessions([...this.sessions]) };
  }

  private async copyInOrder(): Promise<void> {
    const [source, target] = await Promise.all([
      this.open(this.request.openSource),
      this.open(this.request.openTarget),
    ]);
    // The rows of a chunk come in one order, whenever it is read.
    await source.client.query('SET max_parallel_workers_per_gather = 0');
    const pair = this.watchdog.watch(source, target);
    try {
      for (let next = this.queue.next(); next.done !== true; next = this.queue.next()) {
        if (this.halted !== undefined) return;
        await this.copy(next.value, pair);
      }
    } finally {
      pair.done();
      await Promise.all([source, target].map((session) => this.close(session)));
    }
  }

  private async copy(chunk: Chunk, pair: PairUnderWatch): Promise<void> {
    const { plans, masks, job, threads, writer, contextOf, onProgress } = this.request;
    const { tableIndex } = chunk;
    const plan = plans[tableIndex];
    if (plan === undefined) throw new Error('a chunk of a table that is not in the job');
    pair.begins(tableIndex);
    const copy: CopyInto = async (into, { isText = false } = {}) => {
      const copied = await copyChunk({
        plan,
        masks: masks[tableIndex] ?? new Map<string, CellMask>(),
        job,
        threads: threads?.tables.has(tableIndex) === true ? threads.of : undefined,
        chunk,
        into,
        isText,
        source: pair.source.client,
        target: pair.target.client,
        contextOf: (side) => contextOf(side, tableIndex),
        onProgress: (rows, bytes) => {
          pair.moved();
          onProgress(tableIndex, rows, bytes);
        },
      });
      this.keepTruncated(tableIndex, copied.truncated);
      return copied;
    };
    await guard(contextOf('target', tableIndex), () => writer.write(pair.target.client, chunk, copy));
  }

  private async open(openOne: () => Promise<Session>): Promise<Session> {
    const session = await openOne();
    this.sessions.add(session);
    if (this.halted === undefined) return session;
    await killSessions([session]);
    throw this.halted.reason;
  }

  private async close(session: Session): Promise<void> {
    this.sessions.delete(session);
    await disconnect(session.client);
  }

  private keepTruncated(tableIndex: number, columns: readonly string[]): void {
    const kept = this.truncated.get(tableIndex) ?? new Set();
    for (const column of columns) kept.add(column);
    if (kept.size > 0) this.truncated.set(tableIndex, kept);
  }
}
