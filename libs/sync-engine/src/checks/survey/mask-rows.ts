import { ByteSink } from '@understudy/bytes';
import { CopyRewriter, readTextField } from '@understudy/copy-format';
import { type CellMask, type JobKeyMaterial, rowKeyOf, TextTableMask } from '@understudy/masking';
import { copyOut, quoteIdentifier, type Client } from '@understudy/postgres';
import { producedColumns } from '../../plan/compile-masks.js';
import { copyLayout } from '../../copy/copy-layout.js';
import type { TablePlan } from '../../plan/table-plan.js';

export type TextRow = readonly (string | null)[];

/** Rows of a table before and after masking. */
export interface MaskedRows {
  readonly columns: readonly string[];
  readonly before: readonly TextRow[];
  readonly after: readonly TextRow[];
}

export interface RowsToMask {
  readonly plan: TablePlan;
  readonly masks: ReadonlyMap<string, CellMask>;
  readonly job: JobKeyMaterial;
  /** The `FROM` item with the rows. */
  readonly from: string;
  /** The largest number of rows to read. */
  readonly rows: number;
  /** Further columns to read, in addition to the primary key and the columns with rules. */
  readonly more?: readonly string[];
  /** Whether to read the rows with the smallest primary keys. */
  readonly isOrdered: boolean;
}

/** A row is skipped if a column that is read has a value with at least this many bytes on disk. */
const LARGEST_VALUE = 256 * 1024;

/**
 * Reads a few rows of a table and masks them with the same code as a job. Must run in a transaction.
 * @throws MaskingError
 */
export async function maskRows(client: Client, request: RowsToMask): Promise<MaskedRows> {
  const { plan, masks, job, more = [] } = request;
  const { head, keyFields, read } = copyLayout(plan, masks);
  if (head.length === 0) return { columns: [], before: [], after: [] };
  const names = [
    ...read.slice(0, head.length),
    ...more.filter((name) => !read.slice(0, head.length).includes(name)),
  ];
  const sink = new ByteSink();
  await copyOut(client, selectSql(names, keyFields, head, request), (piece) => {
    sink.write(piece, 0, piece.length);
    return undefined;
  });
  const bytes = sink.bytes.subarray(0, sink.length);
  const mask = new TextTableMask(head, keyFields, rowKeyOf(job), producedColumns(plan));
  const written = new ByteSink();
  new CopyRewriter(mask.headFields, mask.rewrite).push(bytes, written);
  const kept = names.flatMap((_, i) => (head[i]?.kind === 'drop' ? [] : [i]));
  return {
    columns: kept.map((i) => names[i] ?? ''),
    before: rowsOf(bytes).map((row) => kept.map((i) => row[i] ?? null)),
    after: rowsOf(written.bytes.subarray(0, written.length)),
  };
}

function selectSql(
  names: readonly string[],
  keyFields: number,
  head: readonly { readonly kind: string }[],
  { plan, from, rows, isOrdered }: RowsToMask,
): string {
  const columns = names.map(quoteIdentifier);
  const large = columns.filter((_, i) => head[i] === undefined || head[i].kind === 'mask');
  const small = large.map((column) => `coalesce(pg_catalog.pg_column_size(${column}), 0) < ${LARGEST_VALUE}`);
  const hasKey = plan.source.columns.some(({ keyPosition }) => keyPosition !== undefined);
  const order = isOrdered && hasKey ? ` ORDER BY ${columns.slice(0, keyFields).join(', ')}` : '';
  const where = small.length === 0 ? '' : ` WHERE ${small.join(' AND ')}`;
  return `COPY (SELECT ${columns.join(', ')} FROM ${from}${where}${order} LIMIT ${rows}) TO STDOUT`;
}

const TAB = 0x09;
const NEWLINE = 0x0a;

function rowsOf(bytes: Uint8Array): readonly TextRow[] {
  const rows: (string | null)[][] = [];
  let row: (string | null)[] = [];
  let start = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== TAB && bytes[at] !== NEWLINE) continue;
    row.push(readTextField(bytes, start, at));
    start = at + 1;
    if (bytes[at] !== NEWLINE) continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
