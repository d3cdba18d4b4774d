import type { CellMask, JobKeyMaterial } from '@understudy/masking';
import {
  type Client,
  type CopyIn,
  copyOut,
  copyOutMessages,
  type Session,
  startCopyIn,
} from '@understudy/postgres';
import { type TableName, SyncJobError } from '@understudy/sync-job';
import type { JobMasks } from '../plan/compile-masks.js';
import type { FailureContexts } from '../session/failure-contexts.js';
import { guard, type FailureContext } from '../session/guard.js';
import { copyLayout } from './copy-layout.js';
import type { MaskingThreads } from './threads/masking-threads.js';
import { ThreadReceiver } from './threads/thread-receiver.js';
import type { TablePlan } from '../plan/table-plan.js';
import type { Chunk } from './plan-chunks.js';
import { readChunkSql, writeRowsSql } from './chunk-sql.js';
import { copyFormat, type CopyFormat } from './copy-format.js';
import { maskStream } from './mask-stream.js';
import { MaskingReceiver, type RowReceiver, type WritePiece } from './row-receiver.js';
import type { PairUnderWatch, WatchdogSettings } from './watchdog.js';

/** The chunks to copy, and everything that all of them need. */
export interface ChunksRequest {
  /** All chunks, in the order in which they are copied. */
  readonly chunks: readonly Chunk[];
  /** Returns true if an earlier attempt has committed the chunk. */
  readonly isDone: (chunk: Chunk) => boolean;
  /** The maximum number of pairs of a source and a target session. */
  readonly connections: number;
  /** Opens a session that has joined the snapshot. */
  readonly openSource: () => Promise<Session>;
  readonly openTarget: () => Promise<Session>;
  /** Receives each session on the target after its last chunk. If undefined, the session is closed. */
  readonly keepTarget?: (session: Session) => void;
  readonly writer: ChunkWriter;
  /** The plans, by table index. */
  readonly plans: readonly TablePlan[];
  readonly masks: JobMasks;
  readonly material: JobKeyMaterial;
  /**
   * The threads that mask rows, and the table indexes of the tables whose rows they mask. `copyChunks` ends
   * the threads. If undefined, the current thread masks all rows.
   */
  readonly threads?: { readonly of: MaskingThreads; readonly tables: ReadonlySet<number> } | undefined;
  readonly contexts: Pick<FailureContexts, 'on'>;
  /** Receives the rows that were read and the bytes that were written since the last call for this table. */
  readonly onProgress: (tableIndex: number, rows: number, bytes: number) => void;
  readonly watchdog: WatchdogSettings;
  readonly signal: AbortSignal;
}

/** Writes chunks to the target. */
export interface ChunkWriter {
  /**
   * Writes the chunk in one transaction.
   * @param copy writes the chunk's rows into a table that the implementation chooses. This table must have
   * the written columns.
   */
  write(client: Client, chunk: Chunk, copy: CopyInto): Promise<void>;
}

/**
 * Copies the chunk's rows into a table.
 * @param options `isText`: all columns of `into` are of type text, even if the real table has other types
 */
export type CopyInto = (into: TableName, options?: { readonly isText?: boolean }) => Promise<CopiedChunk>;

export interface CopiedChunk {
  readonly rows: number;
  /** The number of bytes sent to the target, after masking. */
  readonly bytes: number;
  /** Columns in which a value was cut. */
  readonly truncated: readonly string[];
}

/** A chunk, the sessions that copy it, and where its rows go. */
export interface ChunkCopy {
  readonly plan: TablePlan;
  readonly chunk: Chunk;
  /** The table to write to. It has the written columns of the chunk's table. */
  readonly into: TableName;
  /** True if all columns of `into` are of type text. */
  readonly isText: boolean;
  /** The source's transaction uses the job's snapshot, and the target's transaction writes the chunk. */
  readonly pair: PairUnderWatch;
  readonly onSource: FailureContext;
  readonly onTarget: FailureContext;
}

/**
 * Streams one chunk from the source to the target and masks its rows. Memory is bounded, because nothing is
 * read from the source while the target's socket is full. After an error, the source's client cannot be used
 * again, and the target's transaction must be rolled back.
 */
export async function copyChunk(request: ChunksRequest, copy: ChunkCopy): Promise<CopiedChunk> {
  const { plan, chunk, into, isText, pair, onTarget } = copy;
  const { threads, material } = request;
  const masks = request.masks.get(chunk.tableIndex) ?? NO_MASKS;
  const layout = copyLayout(plan, masks);
  const format = copyFormat(plan, masks, layout, isText);
  const copyIn = await guard(onTarget, () =>
    startCopyIn(pair.target.client, writeRowsSql(layout, into, format)),
  );
  try {
    return await stream(request, copy, readChunkSql(layout, chunk, rowFilterOf(copy), format), {
      format,
      copyIn,
      receiver: (write) => {
        if (threads?.tables.has(chunk.tableIndex) === true && masks.size > 0)
          return new ThreadReceiver(threads.of, plan, isText, write);
        const mask = maskStream(plan, material, layout, format);
        return mask && new MaskingReceiver(mask, write);
      },
    });
  } catch (error) {
    await copyIn.abandon();
    throw error;
  }
}

const NO_MASKS: ReadonlyMap<string, CellMask> = new Map();

interface StreamOptions {
  readonly format: CopyFormat;
  readonly copyIn: CopyIn;
  /** Creates the receiver of the chunk's rows. @returns undefined if the rows are copied unchanged */
  readonly receiver: (write: WritePiece) => RowReceiver | undefined;
}

async function stream(
  { onProgress }: ChunksRequest,
  { plan, pair, onSource, onTarget }: ChunkCopy,
  readSql: string,
  { format, copyIn, receiver: receiverFor }: StreamOptions,
): Promise<CopiedChunk> {
  // COPY sends one message for each row. In the binary format, one more message, the trailer, follows the
  // rows.
  const rowsOf = (messages: number) => (format === 'binary' ? Math.max(0, messages - 1) : messages);
  let bytes = 0;
  let begun = 0;
  const write: WritePiece = (piece, messages, onSent) => {
    bytes += piece.length;
    const rows = rowsOf(messages);
    pair.moved();
    onProgress(plan.index, rows - begun, piece.length);
    begun = rows;
    const full = copyIn.write(piece, onSent);
    // This guard reports the error as the target's. The outer guard would report it as the source's.
    return full && guard(onTarget, () => full);
  };
  const receiver = receiverFor(write);
  let messages: number;
  let truncated: readonly string[] = [];
  try {
    messages = await guard(onSource, async () => {
      if (receiver === undefined) return copyOut(pair.source.client, readSql, write);
      const received = await copyOutMessages(pair.source.client, readSql, receiver);
      truncated = await receiver.finish();
      return received;
    });
  } finally {
    receiver?.close();
  }
  const rows = await guard(onTarget, () => copyIn.finish());
  if (rows !== rowsOf(messages)) {
    throw new SyncJobError(
      { code: 'internal', tableIndex: plan.index },
      { cause: new Error(`the source sent ${rowsOf(messages)} rows, but the target received ${rows}`) },
    );
  }
  return { rows, bytes, truncated };
}

function rowFilterOf({ plan, chunk }: ChunkCopy): string | undefined {
  const { relationOid, fromPage, toPage, reads } = chunk;
  const part = { relationOid: reads === 'tree' ? undefined : relationOid, fromPage, toPage };
  return plan.rowFilter?.conditionFor(part);
}
