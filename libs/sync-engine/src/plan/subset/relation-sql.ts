import type { TablePlan } from '../table-plan.js';
import { quoteIdentifier, quoteTable } from '@understudy/postgres';
import { tidList } from './row-filter.js';
import type { SubsetTable } from './subset-selection.js';
import { joinCondition, type TableLink } from './table-links.js';

type Places = Iterable<readonly [page: number, row: number]>;

/** All rows of a table, and of its partitions, but none of tables that inherit from it. */
export function fromTable({ name, isPartitioned }: SubsetTable): string {
  return `${isPartitioned ? '' : 'ONLY '}${quoteTable(name)}`;
}

/** The rows that a table's own subset asks for. */
export function selectedRows(table: SubsetTable): string {
  const { condition, limit } = table.selection ?? {};
  const order = table.key.length === 0 ? ['tableoid', 'ctid'] : table.key.map(quoteIdentifier);
  return [
    `SELECT tableoid, ctid FROM ${fromTable(table)}`,
    ...(condition === undefined ? [] : [`WHERE ${condition}`]),
    ...(limit === undefined ? [] : [`ORDER BY ${order.join(', ')} LIMIT ${limit}`]),
  ].join(' ');
}

/** The rows that these rows of a child refer to. */
export function parentsOf(link: TableLink, child: PlacedRows, parent: SubsetTable): string {
  return `SELECT p.tableoid, p.ctid FROM ${placed(child, 'c')} JOIN ${fromTable(parent)} AS p ON ${joinCondition(link, 'c', 'p')}`;
}

/** The rows that refer to these rows of a parent. */
export function childrenOf(link: TableLink, child: SubsetTable, parent: PlacedRows): string {
  return `SELECT c.tableoid, c.ctid FROM ${placed(parent, 'p')} JOIN ${fromTable(child)} AS c ON ${joinCondition(link, 'c', 'p')}`;
}

/** All rows of a table, each beside the rows that it refers to by these links; zeros where there is none. */
export function rowsWithParents(
  table: SubsetTable,
  links: readonly { readonly link: TableLink; readonly parent: SubsetTable }[],
): string {
  const parents = links.map(
    (_, i) => `coalesce(p${i}.tableoid, '0'::pg_catalog.oid), coalesce(p${i}.ctid, '(0,0)'::pg_catalog.tid)`,
  );
  const joins = links.map(
    ({ link, parent }, i) =>
      `LEFT JOIN ${fromTable(parent)} AS p${i} ON ${joinCondition(link, 'c', `p${i}`)}`,
  );
  return `SELECT ${['c.tableoid, c.ctid', ...parents].join(', ')} FROM ${[`${fromTable(table)} AS c`, ...joins].join(' ')}`;
}

/** Some rows of one relation: a table or a leaf of a partitioned one, already quoted. */
export interface PlacedRows {
  readonly relation: string;
  readonly places: Places;
}

function placed({ relation, places }: PlacedRows, alias: string): string {
  return `(SELECT * FROM ONLY ${relation} WHERE ctid = ANY (${tidList(places)})) AS ${alias}`;
}

/** The rows of a table that the job copies, to stand after FROM. Means nothing outside of the job's snapshot. */
export function copiedRows({
  name,
  source,
  rowFilter,
}: Pick<TablePlan, 'name' | 'source' | 'rowFilter'>): string {
  const table = `${source.isPartitioned ? '' : 'ONLY '}${quoteTable(name)}`;
  const relationOid = source.isPartitioned ? undefined : source.oid;
  const filter = rowFilter?.conditionFor({ relationOid, fromPage: undefined, toPage: undefined });
  return filter === undefined ? table : `(SELECT * FROM ${table} WHERE ${filter}) AS copied`;
}
