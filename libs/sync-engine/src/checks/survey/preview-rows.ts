import { ByteSink } from '@understudy/bytes';
import { CopyRewriter, readTextField } from '@understudy/copy-format';
import { type CellMask, type JobKeyMaterial, rowKeyOf, TextTableMask } from '@understudy/masking';
import { copyOut, quoteIdentifier, quoteTable, type Client } from '@understudy/postgres';
import { producedColumns } from '../../plan/compile-masks.js';
import { copyLayout, type CopyLayout } from '../../copy/copy-layout.js';
import type { TablePlan } from '../../plan/table-plan.js';

/** Rows of a table before and after masking. */
export interface RowPreview {
  /** The primary key and the columns with rules. */
  readonly columns: readonly string[];
  readonly before: readonly PreviewRow[];
  readonly after: readonly PreviewRow[];
  /** Whether rows were skipped because of their large values, so that no row is left. */
  readonly skipsLarge: boolean;
}

export type PreviewRow = readonly (string | null)[];

/** A row is skipped if a column with a rule has a value with at least this many bytes on disk. */
const LARGEST_VALUE = 256 * 1024;

/**
 * Reads a few rows of a table and masks them with the same code as a job. In a unique column, the preview can
 * show a value that a job would replace, because another row already has it. Must run in a transaction.
 * @throws MaskingError
 */
export async function previewRows(
  client: Client,
  plan: TablePlan,
  masks: ReadonlyMap<string, CellMask>,
  job: JobKeyMaterial,
  rows: number,
): Promise<RowPreview> {
  const layout = copyLayout(plan, masks);
  const count = layout.head.length;
  if (count === 0) return { columns: [], before: [], after: [], skipsLarge: false };
  const read = new ByteSink();
  await copyOut(client, selectSql(plan, layout, rows), (piece) => {
    read.write(piece, 0, piece.length);
    return undefined;
  });
  const bytes = read.bytes.subarray(0, read.length);
  const skipsLarge = bytes.length === 0 && (await hasRows(client, plan));
  const mask = new TextTableMask(layout.head, layout.keyFields, rowKeyOf(job), producedColumns(plan));
  const written = new ByteSink();
  new CopyRewriter(mask.headFields, mask.rewrite).push(bytes, written);
  const kept = layout.head.flatMap(({ kind }, i) => (kind === 'drop' ? [] : [i]));
  return {
    columns: kept.map((i) => layout.read[i] ?? ''),
    before: rowsOf(bytes).map((row) => kept.map((i) => row[i] ?? null)),
    after: rowsOf(written.bytes.subarray(0, written.length)).map((row) => row.slice(0, kept.length)),
    skipsLarge,
  };
}

async function hasRows(client: Client, { name }: TablePlan): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM ${quoteTable(name)}) AS found`,
  );
  return rows[0]?.found === true;
}

function selectSql(plan: TablePlan, { read, head, keyFields }: CopyLayout, rows: number): string {
  const columns = read.slice(0, head.length).map(quoteIdentifier);
  const ruled = head.flatMap((item, i) => (item.kind === 'mask' ? [columns[i] ?? ''] : []));
  const small = ruled.map((column) => `coalesce(pg_catalog.pg_column_size(${column}), 0) < ${LARGEST_VALUE}`);
  const hasKey = plan.source.columns.some(({ keyPosition }) => keyPosition !== undefined);
  const order = hasKey ? ` ORDER BY ${columns.slice(0, keyFields).join(', ')}` : '';
  return `COPY (SELECT ${columns.join(', ')} FROM ${quoteTable(plan.name)} WHERE ${small.join(' AND ')}${order} LIMIT ${rows}) TO STDOUT`;
}

const TAB = 0x09;
const NEWLINE = 0x0a;

function rowsOf(bytes: Uint8Array): readonly (readonly (string | null)[])[] {
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
