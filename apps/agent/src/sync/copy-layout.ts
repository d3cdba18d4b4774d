import type { CellMask, HeadField } from '@understudy/masking';
import { quoteIdentifier, quoteTable } from '../postgres/quote.js';
import type { TableName } from '../postgres/table-name.js';
import type { ColumnPlan, TablePlan } from './table-plan.js';

/** How a table's rows travel: which COPY reads them, which writes them, and what happens to their first fields. */
export interface CopyLayout {
  readonly sourceSql: string;
  readonly targetSql: string;
  /** Empty: rows pass unparsed. */
  readonly head: readonly HeadField[];
  /** The first so many fields of the head are the row key. */
  readonly keyFields: number;
}

/**
 * Pure. The order of columns in a COPY is ours to choose: what has to be looked at stands first (row key, then the ruled
 * columns), so that the rest of each row passes through unread. The row key is the primary key, else the row's place in
 * the snapshot.
 * @param into the table on the target
 */
export function copyLayout(
  plan: TablePlan,
  masks: ReadonlyMap<string, CellMask>,
  into: TableName,
): CopyLayout {
  const { columns } = plan;
  const touched = columns.filter(({ fill }) => fill.kind !== 'preserve');
  if (touched.length === 0) return untouched(plan, into);
  const key = plan.source.columns
    .filter(({ keyPosition }) => keyPosition !== undefined)
    .sort((a, b) => (a.keyPosition ?? 0) - (b.keyPosition ?? 0))
    .map(({ name }) => name);
  const place = key.length === 0 ? ['tableoid', 'ctid'] : [];
  const planned = new Map(columns.map((column) => [column.description.name, column]));
  const keySet = new Set(key);
  const ruled = touched.filter(({ description }) => !keySet.has(description.name));
  const rest = columns.filter((column) => !keySet.has(column.description.name) && !ruled.includes(column));
  const headNames = [...place, ...key, ...ruled.map(({ description }) => description.name)];
  const head = headNames.map((name, i) =>
    i < place.length ? ({ kind: 'drop' } as const) : headField(planned.get(name), masks),
  );
  const restNames = rest.map(({ description }) => description.name);
  const written = headNames.filter((_, i) => head[i]?.kind !== 'drop');
  return {
    sourceSql: selectSql(
      plan,
      [...headNames, ...restNames],
      key.some((name) => !planned.has(name)),
    ),
    targetSql: `COPY ${quoteTable(into)} ${columnList([...written, ...restNames])} FROM STDIN`,
    head,
    keyFields: place.length + key.length,
  };
}

/** A key column that is not written is a generated one. */
function headField(column: ColumnPlan | undefined, masks: ReadonlyMap<string, CellMask>): HeadField {
  if (column === undefined) return { kind: 'drop' };
  if (column.fill.kind === 'null') return { kind: 'null' };
  const mask = masks.get(column.description.name);
  return column.fill.kind === 'produce' && mask !== undefined ? { kind: 'mask', mask } : { kind: 'keep' };
}

function untouched(plan: TablePlan, into: TableName): CopyLayout {
  const names = plan.columns.map(({ description }) => description.name);
  return {
    sourceSql: selectSql(plan, names, false),
    targetSql: `COPY ${quoteTable(into)} ${columnList(names)} FROM STDIN`,
    head: [],
    keyFields: 0,
  };
}

/** COPY of a table is faster than COPY of a query, but reads no system or generated columns and no partitions. */
function selectSql(
  { name, source, rowFilter }: TablePlan,
  names: readonly string[],
  hasGenerated: boolean,
): string {
  const table = quoteTable(name);
  const relationOid = source.isPartitioned ? undefined : source.oid;
  const filter = rowFilter?.conditionFor({ relationOid, fromPage: undefined, toPage: undefined });
  if (filter === undefined && !source.isPartitioned && !hasGenerated && !names.includes('ctid')) {
    return `COPY ${table} ${columnList(names)} TO STDOUT`;
  }
  const from = `${source.isPartitioned ? '' : 'ONLY '}${table}`;
  const where = filter === undefined ? '' : ` WHERE ${filter}`;
  return `COPY (SELECT ${names.map(quoteIdentifier).join(', ')} FROM ${from}${where}) TO STDOUT`;
}

function columnList(names: readonly string[]): string {
  return names.length === 0 ? '' : `(${names.map(quoteIdentifier).join(', ')})`;
}
