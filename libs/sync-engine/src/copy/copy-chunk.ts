import type { CellMask, JobKeyMaterial } from '@understudy/masking';
import { type CopyIn, startCopyIn, copyOut, copyOutMessages, type Client } from '@understudy/postgres';
import { type TableName, SyncJobError } from '@understudy/sync-job';
import { guard, type FailureContext } from '../session/guard.js';
import { type CopyLayout, copyLayout } from './copy-layout.js';
import type { MaskingThreads } from './threads/masking-threads.js';
import { ThreadReceiver } from './threads/thread-receiver.js';
import type { TablePlan } from '../plan/table-plan.js';
import type { Chunk } from './plan-chunks.js';
import { readChunkSql, writeRowsSql } from './chunk-sql.js';
import { copyFormat, type CopyFormat } from './copy-format.js';
import { maskStream } from './mask-stream.js';
import { MaskingReceiver, type RowReceiver, type WritePiece } from './row-receiver.js';

export interface ChunkCopy {
  readonly plan: TablePlan;
  readonly masks: ReadonlyMap<string, CellMask>;
  readonly job: JobKeyMaterial;
  /** The threads that mask the table's rows. If undefined, the current thread masks them. */
  readonly threads?: MaskingThreads | undefined;
  readonly chunk: Chunk;
  /** The table to write to. It has the written columns of the chunk's table. */
  readonly into: TableName;
  /** True if all columns of `into` are of type text. */
  readonly isText: boolean;
  /** A client whose transaction uses the job's snapshot of the source. */
  readonly source: Client;
  /** A client in the transaction that writes the chunk. */
  readonly target: Client;
  readonly contextOf: (side: 'source' | 'target') => FailureContext;
  /** Called with the rows whose writing has begun and the bytes written, both since the last call. */
  readonly onProgress: (rows: number, bytes: number) => void;
}

export interface CopiedChunk {
  readonly rows: number;
  /** The number of bytes sent to the target, after masking. */
  readonly bytes: number;
  /** Columns in which a value was cut. */
  readonly truncated: readonly string[];
}

/**
 * Streams one chunk from the source to the target and masks its rows. Memory is bounded, because nothing is
 * read from the source while the target's socket is full. After an error, the source's client cannot be used
 * again, and the target's transaction must be rolled back.
 */
export async function copyChunk(copy: ChunkCopy): Promise<CopiedChunk> {
  const layout = copyLayout(copy.plan, copy.masks);
  const format = copyFormat(copy.plan, copy.masks, layout, copy.isText);
  const onTarget = copy.contextOf('target');
  const copyIn = await guard(onTarget, () =>
    startCopyIn(copy.target, writeRowsSql(layout, copy.into, format)),
  );
  try {
    return await stream(copy, readChunkSql(layout, copy.chunk, rowFilterOf(copy), format), {
      format,
      copyIn,
      receiver: (write) => receiverOf(copy, layout, format, write),
    });
  } catch (error) {
    await copyIn.abandon();
    throw error;
  }
}

interface StreamOptions {
  readonly format: CopyFormat;
  readonly copyIn: CopyIn;
  /** Creates the receiver of the chunk's rows. @returns undefined if the rows are copied unchanged */
  readonly receiver: (write: WritePiece) => RowReceiver | undefined;
}

function receiverOf(
  { plan, masks, job, isText, threads }: ChunkCopy,
  layout: CopyLayout,
  format: CopyFormat,
  write: WritePiece,
): RowReceiver | undefined {
  if (threads !== undefined && masks.size > 0) return new ThreadReceiver(threads, plan, isText, write);
  const mask = maskStream(plan, job, layout, format);
  return mask && new MaskingReceiver(mask, write);
}

async function stream(
  copy: ChunkCopy,
  readSql: string,
  { format, copyIn, receiver: receiverFor }: StreamOptions,
): Promise<CopiedChunk> {
  const { plan, onProgress } = copy;
  const onTarget = copy.contextOf('target');
  // COPY sends one message for each row. In the binary format, one more message, the trailer, follows the
  // rows.
  const rowsOf = (messages: number) => (format === 'binary' ? Math.max(0, messages - 1) : messages);
  let bytes = 0;
  let begun = 0;
  const write: WritePiece = (piece, messages, onSent) => {
    bytes += piece.length;
    const rows = rowsOf(messages);
    onProgress(rows - begun, piece.length);
    begun = rows;
    const full = copyIn.write(piece, onSent);
    // This guard reports the error as the target's. The outer guard would report it as the source's.
    return full && guard(onTarget, () => full);
  };
  const receiver = receiverFor(write);
  let messages: number;
  let truncated: readonly string[] = [];
  try {
    messages = await guard(copy.contextOf('source'), async () => {
      if (receiver === undefined) return copyOut(copy.source, readSql, write);
      const received = await copyOutMessages(copy.source, readSql, receiver);
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
