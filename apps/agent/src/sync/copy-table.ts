import { ByteSink } from '@understudy/bytes';
import { CopyRewriter, HeadTooLongError } from '@understudy/copy-format';
import { type CellMask, MaskingError, rowKeyOf, TableMask, type JobKeyMaterial } from '@understudy/masking';
import type { Client } from '../postgres/session.js';
import { startCopyIn } from '../postgres/copy-in.js';
import { copyOut } from '../postgres/copy-out.js';
import { guard } from '../postgres/guard.js';
import type { FailureContext } from '../postgres/server-failure.js';
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
  /** In the transaction that replaces the tables. */
  readonly target: Client;
  readonly contextOf: (side: 'source' | 'target') => FailureContext;
  /** More rows, and bytes, have left the source. */
  readonly onProgress: (tableIndex: number, rows: number, bytes: number) => void;
}

export interface CopiedTable {
  readonly rows: number;
  /** Columns in which a value was cut. */
  readonly truncated: readonly string[];
}

/**
 * Streams one table from source to target, its masks applied. Memory is bounded: nothing is read from the source while the
 * target's socket is full. After an error both clients are of no more use.
 */
export async function copyTable(copy: TableCopy): Promise<CopiedTable> {
  const { plan, job } = copy;
  const layout = copyLayout(plan, copy.masks);
  const mask =
    layout.head.length === 0
      ? undefined
      : blame(plan, () => new TableMask(layout.head, layout.keyFields, rowKeyOf(job), producedColumns(plan)));
  const rewriter = mask && new CopyRewriter(mask.headFields, mask.rewrite);
  const onTarget = copy.contextOf('target');
  const copyIn = await guard(onTarget, () => startCopyIn(copy.target, layout.targetSql));
  /** Buffers whose bytes are sent: as many as are in flight at once, not one a chunk. */
  const idle: ByteSink[] = [];
  const masked = (chunk: Uint8Array, into: CopyRewriter) => {
    const out = idle.pop() ?? new ByteSink();
    rewrite(plan, layout, into, chunk, out);
    return copyIn.write(out.bytes.subarray(0, out.length), () => {
      out.length = 0;
      idle.push(out);
    });
  };
  let counted = 0;
  const sent = await guard(copy.contextOf('source'), () =>
    copyOut(copy.source, layout.sourceSql, (chunk, rows) => {
      copy.onProgress(plan.index, rows - counted, chunk.length);
      counted = rows;
      const full = rewriter === undefined ? copyIn.write(chunk) : masked(chunk, rewriter);
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
  return { rows, truncated: [...(mask?.truncated ?? [])] };
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
