import type { ByteSink } from '@understudy/bytes';
import { BinaryRewriter, CopyRewriter, HeadTooLongError, textOfBinary } from '@understudy/copy-format';
import {
  type BinaryHeadField,
  BinaryTableMask,
  isBinaryMask,
  type JobKeyMaterial,
  MaskingError,
  rowKeyOf,
  TextTableMask,
} from '@understudy/masking';
import { blame, producedColumns } from '../plan/compile-masks.js';
import type { CopyLayout } from './copy-layout.js';
import { columnFailure } from '../plan/problems/column-failure.js';
import type { TablePlan } from '../plan/table-plan.js';
import type { CopyFormat } from './copy-format.js';

/** Masks the rows of one chunk as they arrive. */
export interface MaskStream {
  /** The columns in which a value has been cut so far. */
  readonly truncated: ReadonlySet<string>;
  /**
   * Masks `bytes[start, end)`, which is a row or the next part of one. Appends the masked bytes to `out` as
   * soon as they are complete.
   * @throws SyncJobError with the table and the column
   */
  take(bytes: Uint8Array, start: number, end: number, isLast: boolean, out: ByteSink): void;
  /** Call it after the last row. @throws if the last row is incomplete */
  finish(): void;
}

/**
 * Creates the mask stream of one chunk.
 * @returns undefined for rows that are copied unchanged
 */
export function maskStream(
  plan: TablePlan,
  job: JobKeyMaterial,
  layout: CopyLayout,
  format: CopyFormat,
): MaskStream | undefined {
  if (layout.head.length === 0) return undefined;
  const { rewriter, truncated } = blame(plan, () =>
    format === 'binary' ? binaryRewriter(plan, job, layout) : textRewriter(plan, job, layout),
  );
  return {
    truncated,
    take(bytes, start, end, isLast, out) {
      try {
        rewriter.take(bytes, start, end, isLast, out);
      } catch (cause) {
        throw failureOf(cause, plan, layout);
      }
    },
    finish() {
      rewriter.finish();
    },
  };
}

interface Rewriting {
  readonly rewriter: Pick<MaskStream, 'take' | 'finish'>;
  readonly truncated: ReadonlySet<string>;
}

function textRewriter(plan: TablePlan, job: JobKeyMaterial, { head, keyFields }: CopyLayout): Rewriting {
  const mask = new TextTableMask(head, keyFields, rowKeyOf(job), producedColumns(plan));
  return { rewriter: new CopyRewriter(head.length, mask.rewrite), truncated: mask.truncated };
}

function binaryRewriter(
  plan: TablePlan,
  job: JobKeyMaterial,
  { head, keyFields, read }: CopyLayout,
): Rewriting {
  const types = new Map(plan.source.columns.map(({ name, type }) => [name, type]));
  const key = read.slice(0, keyFields).flatMap((name) => textOfBinary(types.get(name) ?? 0) ?? []);
  const fields = head.flatMap((item): BinaryHeadField[] => {
    if (item.kind === 'keep' || item.kind === 'null') return [{ kind: item.kind }];
    return item.kind === 'mask' && isBinaryMask(item.mask) ? [{ kind: 'mask', mask: item.mask }] : [];
  });
  if (fields.length !== head.length || key.length !== keyFields) {
    throw new Error('the rows of this table cannot be copied in the binary format');
  }
  const mask = new BinaryTableMask(fields, key, rowKeyOf(job), producedColumns(plan));
  return { rewriter: new BinaryRewriter(head.length, mask.rewrite), truncated: mask.truncated };
}

function failureOf(cause: unknown, plan: TablePlan, { head }: CopyLayout): unknown {
  if (cause instanceof HeadTooLongError) {
    const field = head[cause.field];
    const column = field?.kind === 'mask' ? field.mask.column.name : '';
    return columnFailure(plan, column, 'value_invalid', cause);
  }
  return cause instanceof MaskingError ? columnFailure(plan, cause.column, cause.code, cause) : cause;
}
