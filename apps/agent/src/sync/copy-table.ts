import { ByteSink } from '@understudy/bytes';
import { CopyRewriter, HeadTooLongError } from '@understudy/copy-format';
import { type CellMask, MaskingError, rowKeyOf, TableMask, type JobKeyMaterial } from '@understudy/masking';
import type { Client } from '../postgres/session.js';
import { type CopyIn, startCopyIn } from '../postgres/copy-in.js';
import { copyOut } from '../postgres/copy-out.js';
import { guard } from '../postgres/guard.js';
import type { FailureContext } from '../postgres/server-failure.js';
import type { TableName } from '../postgres/table-name.js';
import { blame, producedColumns } from './compile-masks.js';
import { type CopyLayout, copyLayout } from './copy-layout.js';
import { SyncJobError } from './sync-job-error.js';
import type { TablePlan } from './table-plan.js';

export interface TableCopy {
  readonly plan: TablePlan;
  readonly masks: ReadonlyMap<string, CellMask>;
  readonly job: JobKeyMaterial;
  /** In the snapshot's transaction. */
  readonly source: Client;
  /** In a chunk's transaction. */
  readonly target: Client;
  readonly into: TableName;
  readonly contextOf: (side: 'source' | 'target') => FailureContext;
  readonly onRows: (rows: number) => void;
}

export interface CopiedTable {
  readonly rows: number;
  /** Of the rows as they were sent. */
  readonly bytes: number;
  /** Columns in which a value was cut. */
  readonly truncated: readonly string[];
}

/**
 * Streams one table from source to target, its masks applied. Memory is bounded: nothing is read from the source while the
 * target's socket is full. After an error the source's client is of no more use, and the target's transaction has failed.
 */
export async function copyTable(copy: TableCopy): Promise<CopiedTable> {
  const { plan, job } = copy;
  const layout = copyLayout(plan, copy.masks, copy.into);
  const mask =
    layout.head.length === 0
      ? undefined
      : blame(plan, () => new TableMask(layout.head, layout.keyFields, rowKeyOf(job), producedColumns(plan)));
  const rewriter = mask && new CopyRewriter(mask.headFields, mask.rewrite);
  const onTarget = copy.contextOf('target');
  const copyIn = await guard(onTarget, () => startCopyIn(copy.target, layout.targetSql));
  try {
    const sent = await send(copy, layout, rewriter, copyIn);
    rewriter?.finish();
    const rows = await guard(onTarget, () => copyIn.finish());
    if (rows !== sent.rows) throw miscounted(plan, sent.rows, rows);
    return { ...sent, truncated: [...(mask?.truncated ?? [])] };
  } catch (error) {
    await copyIn.abandon();
    throw error;
  }
}

async function send(
  { plan, source, contextOf, onRows }: TableCopy,
  layout: CopyLayout,
  rewriter: CopyRewriter | undefined,
  copyIn: CopyIn,
): Promise<{ rows: number; bytes: number }> {
  const onTarget = contextOf('target');
  /** Buffers whose bytes are sent: as many as are in flight at once, not one a chunk. */
  const idle: ByteSink[] = [];
  let bytes = 0;
  const masked = (chunk: Uint8Array, into: CopyRewriter) => {
    const out = idle.pop() ?? new ByteSink();
    rewrite(plan, layout, into, chunk, out);
    bytes += out.length;
    return copyIn.write(out.bytes.subarray(0, out.length), () => {
      out.length = 0;
      idle.push(out);
    });
  };
  const passed = (chunk: Uint8Array) => {
    bytes += chunk.length;
    return copyIn.write(chunk);
  };
  const rows = await guard(contextOf('source'), () =>
    copyOut(source, layout.sourceSql, (chunk, rows) => {
      onRows(rows);
      const full = rewriter === undefined ? passed(chunk) : masked(chunk, rewriter);
      // Said here and now: by the time it reaches the outer guard nothing tells the target's error from the source's.
      return full && guard(onTarget, () => full);
    }),
  );
  return { rows, bytes };
}

function miscounted({ index }: TablePlan, sent: number, taken: number): SyncJobError {
  return new SyncJobError(
    { code: 'internal', tableIndex: index },
    { cause: new Error(`the source sent ${sent} rows, the target took ${taken}`) },
  );
}

function rewrite(
  plan: TablePlan,
  { head }: CopyLayout,
  rewriter: CopyRewriter,
  chunk: Uint8Array,
  out: ByteSink,
): void {
  try {
    rewriter.push(chunk, out);
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
