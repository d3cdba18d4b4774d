import { crc32 } from 'node:zlib';
import { ByteSink } from '@understudy/bytes';
import type { CellMask, JobKeyMaterial } from '@understudy/masking';
import { type CopyIn, startCopyIn } from '../../postgres/copy-in.js';
import { copyOut, copyOutMessages, type MessageReceiver } from '../../postgres/copy-out.js';
import { guard } from '../../postgres/guard.js';
import type { FailureContext } from '../../postgres/server-failure.js';
import type { Client } from '../../postgres/session.js';
import type { TableName } from '../../postgres/table-name.js';
import { copyLayout } from '../copy-layout.js';
import { SyncJobError } from '../sync-job-error.js';
import type { TablePlan } from '../table-plan.js';
import type { Chunk } from './chunk.js';
import { readChunkSql, writeRowsSql } from './chunk-sql.js';
import { copyFormat, type CopyFormat } from './copy-format.js';
import { type MaskStream, maskStream } from './mask-stream.js';

export interface ChunkCopy {
  readonly plan: TablePlan;
  readonly masks: ReadonlyMap<string, CellMask>;
  readonly job: JobKeyMaterial;
  readonly chunk: Chunk;
  /** Has the table's columns. */
  readonly into: TableName;
  /** These are all of type text there. */
  readonly isText: boolean;
  /** In the snapshot's transaction. */
  readonly source: Client;
  /** In the transaction that writes the chunk. */
  readonly target: Client;
  readonly contextOf: (side: 'source' | 'target') => FailureContext;
  /** Rows that have begun and bytes written since it was last called. */
  readonly onProgress: (rows: number, bytes: number) => void;
}

export interface CopiedChunk {
  readonly rows: number;
  /** As they were sent, after masking. */
  readonly bytes: number;
  /** CRC-32 of these bytes. */
  readonly checksum: bigint;
  /** Columns in which a value was cut. */
  readonly truncated: readonly string[];
}

/**
 * Streams one chunk from source to target, its masks applied. Memory is bounded: nothing is read from the source while the
 * target's socket is full. After an error the source's client is of no more use, and the target's transaction has failed.
 */
export async function copyChunk(copy: ChunkCopy): Promise<CopiedChunk> {
  const layout = copyLayout(copy.plan, copy.masks);
  const format = copyFormat(copy.plan, copy.masks, layout, copy.isText);
  const mask = maskStream(copy.plan, copy.job, layout, format);
  const onTarget = copy.contextOf('target');
  const copyIn = await guard(onTarget, () =>
    startCopyIn(copy.target, writeRowsSql(layout, copy.into, format)),
  );
  try {
    return await stream(copy, readChunkSql(layout, copy.chunk, rowFilterOf(copy), format), {
      format,
      mask,
      copyIn,
    });
  } catch (error) {
    await copyIn.abandon();
    throw error;
  }
}

interface Way {
  readonly format: CopyFormat;
  readonly mask: MaskStream | undefined;
  readonly copyIn: CopyIn;
}

async function stream(copy: ChunkCopy, readSql: string, { format, mask, copyIn }: Way): Promise<CopiedChunk> {
  const { plan, onProgress } = copy;
  const onTarget = copy.contextOf('target');
  // The binary format has a message more, at its end.
  const rowsOf = (messages: number) => (format === 'binary' ? Math.max(0, messages - 1) : messages);
  let bytes = 0;
  let checksum = 0;
  let begun = 0;
  const write = (piece: Uint8Array, messages: number, onSent?: () => void) => {
    checksum = crc32(piece, checksum);
    bytes += piece.length;
    const rows = rowsOf(messages);
    onProgress(rows - begun, piece.length);
    begun = rows;
    const full = copyIn.write(piece, onSent);
    // Said here and now: by the time it reaches the outer guard nothing tells the target's error from the source's.
    return full && guard(onTarget, () => full);
  };
  const messages = await guard(copy.contextOf('source'), () =>
    mask === undefined
      ? copyOut(copy.source, readSql, write)
      : copyOutMessages(copy.source, readSql, new MaskingReceiver(mask, write)),
  );
  mask?.finish();
  const rows = await guard(onTarget, () => copyIn.finish());
  if (rows !== rowsOf(messages)) {
    throw new SyncJobError(
      { code: 'internal', tableIndex: plan.index },
      { cause: new Error(`the source sent ${rowsOf(messages)} rows, the target took ${rows}`) },
    );
  }
  return { rows, bytes, checksum: BigInt(checksum), truncated: [...(mask?.truncated ?? [])] };
}

type Write = (piece: Uint8Array, messages: number, onSent: () => void) => Promise<void> | undefined;

/** Sends on what one read has given, masked, in one piece. */
class MaskingReceiver implements MessageReceiver {
  private out = new ByteSink();
  /** Buffers whose bytes are sent: as many as are in flight at once, not one a piece. */
  private readonly idle: ByteSink[] = [];

  constructor(
    private readonly mask: MaskStream,
    private readonly write: Write,
  ) {}

  take(bytes: Uint8Array, start: number, end: number, isLast: boolean): void {
    this.mask.take(bytes, start, end, isLast, this.out);
  }

  flush(messages: number): Promise<void> | undefined {
    const { out, idle } = this;
    if (out.length === 0) return undefined;
    this.out = idle.pop() ?? new ByteSink();
    return this.write(out.bytes.subarray(0, out.length), messages, () => {
      out.length = 0;
      idle.push(out);
    });
  }
}

function rowFilterOf({ plan, chunk }: ChunkCopy): string | undefined {
  const { relationOid, fromPage, toPage, reads } = chunk;
  const part = { relationOid: reads === 'tree' ? undefined : relationOid, fromPage, toPage };
  return plan.rowFilter?.conditionFor(part);
}
