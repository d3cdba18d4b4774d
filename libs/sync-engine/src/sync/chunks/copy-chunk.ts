import { crc32 } from 'node:zlib';
import { ByteSink } from '@understudy/bytes';
import { CopyRewriter, HeadTooLongError } from '@understudy/copy-format';
import { type CellMask, type JobKeyMaterial, MaskingError, rowKeyOf, TableMask } from '@understudy/masking';
import { type CopyIn, startCopyIn } from '../../postgres/copy-in.js';
import { copyOut } from '../../postgres/copy-out.js';
import { guard } from '../../postgres/guard.js';
import type { FailureContext } from '../../postgres/server-failure.js';
import type { Client } from '../../postgres/session.js';
import type { TableName } from '../../postgres/table-name.js';
import { blame, producedColumns } from '../compile-masks.js';
import { type CopyLayout, copyLayout } from '../copy-layout.js';
import { SyncJobError } from '../sync-job-error.js';
import type { TablePlan } from '../table-plan.js';
import type { Chunk } from './chunk.js';
import { readChunkSql, writeRowsSql } from './chunk-sql.js';

export interface ChunkCopy {
  readonly plan: TablePlan;
  readonly masks: ReadonlyMap<string, CellMask>;
  readonly job: JobKeyMaterial;
  readonly chunk: Chunk;
  /** Has the table's columns. */
  readonly into: TableName;
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
  /** As COPY text, after masking. */
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
  const mask = tableMask(copy, layout);
  const onTarget = copy.contextOf('target');
  const copyIn = await guard(onTarget, () => startCopyIn(copy.target, writeRowsSql(layout, copy.into)));
  try {
    return await stream(copy, layout, mask, copyIn);
  } catch (error) {
    await copyIn.abandon();
    throw error;
  }
}

async function stream(
  copy: ChunkCopy,
  layout: CopyLayout,
  mask: TableMask | undefined,
  copyIn: CopyIn,
): Promise<CopiedChunk> {
  const { plan, chunk, onProgress } = copy;
  const rewriter = mask && new CopyRewriter(mask.headFields, mask.rewrite);
  const onTarget = copy.contextOf('target');
  let bytes = 0;
  let checksum = 0;
  let begun = 0;
  const write = (piece: Uint8Array, rows: number, onSent?: () => void) => {
    checksum = crc32(piece, checksum);
    bytes += piece.length;
    onProgress(rows - begun, piece.length);
    begun = rows;
    return copyIn.write(piece, onSent);
  };
  /** Buffers whose bytes are sent: as many as are in flight at once, not one a piece. */
  const idle: ByteSink[] = [];
  const masked = (piece: Uint8Array, rows: number, into: CopyRewriter) => {
    const out = idle.pop() ?? new ByteSink();
    rewrite(plan, layout, into, piece, out);
    return write(out.bytes.subarray(0, out.length), rows, () => {
      out.length = 0;
      idle.push(out);
    });
  };
  const sent = await guard(copy.contextOf('source'), () =>
    copyOut(copy.source, readChunkSql(layout, chunk, rowFilterOf(copy)), (piece, rows) => {
      const full = rewriter === undefined ? write(piece, rows) : masked(piece, rows, rewriter);
      // Said here and now: by the time it reaches the outer guard nothing tells the target's error from the source's.
      return full && guard(onTarget, () => full);
    }),
  );
  rewriter?.finish();
  const rows = await guard(onTarget, () => copyIn.finish());
  if (rows !== sent) {
    throw new SyncJobError(
      { code: 'internal', tableIndex: plan.index },
      { cause: new Error(`the source sent ${sent} rows, the target took ${rows}`) },
    );
  }
  return { rows, bytes, checksum: BigInt(checksum), truncated: [...(mask?.truncated ?? [])] };
}

function rowFilterOf({ plan, chunk }: ChunkCopy): string | undefined {
  const { relationOid, fromPage, toPage, reads } = chunk;
  const part = { relationOid: reads === 'tree' ? undefined : relationOid, fromPage, toPage };
  return plan.rowFilter?.conditionFor(part);
}

function tableMask({ plan, job }: ChunkCopy, { head, keyFields }: CopyLayout): TableMask | undefined {
  if (head.length === 0) return undefined;
  return blame(plan, () => new TableMask(head, keyFields, rowKeyOf(job), producedColumns(plan)));
}

function rewrite(
  plan: TablePlan,
  { head }: CopyLayout,
  rewriter: CopyRewriter,
  piece: Uint8Array,
  out: ByteSink,
): void {
  try {
    rewriter.push(piece, out);
  } catch (cause) {
    if (cause instanceof HeadTooLongError) {
      const field = head[cause.field];
      throw failure(plan, 'value_invalid', field?.kind === 'mask' ? field.mask.column.name : '', cause);
    }
    if (!(cause instanceof MaskingError)) throw cause;
    throw failure(plan, cause.code, cause.column, cause);
  }
}

function failure(
  plan: TablePlan,
  code: MaskingError['code'],
  column: string,
  cause: HeadTooLongError | MaskingError,
): SyncJobError {
  const columnIndex = plan.columnIndex.get(column);
  const place = columnIndex === undefined ? {} : { columnIndex };
  return new SyncJobError({ code, tableIndex: plan.index, ...place }, { cause });
}
