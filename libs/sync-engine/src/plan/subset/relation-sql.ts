import type { TablePlan } from '../table-plan.js';
import { quoteIdentifier, quoteTable } from '@understudy/postgres';
import { inRelations, tidList } from './row-filter.js';
import type { SubsetTable } from './subset-selection.js';
import { joinCondition, mustReference, type TableLink } from './table-links.js';

type RowLocations = Iterable<readonly [page: number, row: number]>;

/**
 * Writes a FROM item with all rows of a table and its partitions. Excludes rows of tables that inherit from
 * it.
 */
export function fromTable({ name, isPartitioned }: SubsetTable): string {
  return `${isPartitioned ? '' : 'ONLY '}${quoteTable(name)}`;
}

/** Writes a query for the rows that a table's own subset selects. */
export function selectedRows(table: SubsetTable): string {
  const { condition, limit } = table.selection ?? {};
  const order = table.key.length === 0 ? ['tableoid', 'ctid'] : table.key.map(quoteIdentifier);
  return [
    `SELECT tableoid, ctid FROM ${fromTable(table)}`,
    ...(condition === undefined ? [] : [`WHERE ${condition}`]),
    ...(limit === undefined ? [] : [`ORDER BY ${order.join(', ')} LIMIT ${limit}`]),
  ].join(' ');
}

/** Writes a query for the parent rows that the given child rows reference. */
export function parentsOf(link: TableLink, child: LocatedRows, parent: SubsetTable): string {
  return `SELECT p.tableoid, p.ctid FROM ${locatedRows(child, 'c')} JOIN ${fromTable(parent)} AS p ON ${joinCondition(link, 'c', 'p')}`;
}

/** Writes a query for the child rows that reference the given parent rows. */
export function childrenOf(link: TableLink, child: SubsetTable, parent: LocatedRows): string {
  return `SELECT c.tableoid, c.ctid FROM ${locatedRows(parent, 'p')} JOIN ${fromTable(child)} AS c ON ${joinCondition(link, 'c', 'p')}`;
}

/**
 * Writes a query for all rows of a table, each joined with the parent rows that it references. Returns zeros
 * for a parent that a row does not reference.
 */
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

/** Rows of one relation. `relation` is the quoted name of a table or of a leaf partition. */
export interface LocatedRows {
  readonly relation: string;
  readonly locations: RowLocations;
}

function locatedRows({ relation, locations }: LocatedRows, alias: string): string {
  return `(SELECT tableoid, * FROM ONLY ${relation} WHERE ctid = ANY (${tidList(locations)})) AS ${alias}`;
}

/**
 * Writes a FROM item with those rows of a table that the job copies. It is valid only in the job's snapshot. Excludes
 * partitions that were attached after the job divided the table into chunks.
 */
export function copiedRows(plan: CopiedTable): string {
  const { table, conditions } = copiedFrom(plan);
  return conditions === '' ? table : `(SELECT * FROM ${table}${conditions}) AS copied`;
}

/**
 * Writes a query for the copied rows of a child that reference no copied row of the parent by a foreign key. It is valid
 * only in the job's snapshot.
 */
export function orphansOf(link: TableLink, child: CopiedTable, parent: CopiedTable): string {
  const rowsOf = (plan: CopiedTable) => {
    const { table, conditions } = copiedFrom(plan);
    return `${table}${conditions}`;
  };
  return orphansIn(link, rowsOf(child), rowsOf(parent));
}

/**
 * Writes a query for the rows of a child that reference no row of the parent.
 * @param child,parent the table of each, with an optional WHERE clause
 */
export function orphansIn(link: TableLink, child: string, parent: string): string {
  return `SELECT c.tableoid, c.ctid FROM (SELECT tableoid, ctid, * FROM ${child}) AS c WHERE ${mustReference(link, 'c')}
     AND NOT EXISTS (SELECT FROM (SELECT tableoid, ctid, * FROM ${parent}) AS p WHERE ${joinCondition(link, 'c', 'p')})`;
}

type CopiedTable = Pick<TablePlan, 'name' | 'source' | 'rowFilter' | 'leaves'>;

function copiedFrom({ name, source, rowFilter, leaves }: CopiedTable) {
  const relationOid = source.isPartitioned ? undefined : source.oid;
  const filter = rowFilter?.conditionFor({ relationOid, fromPage: undefined, toPage: undefined });
  const conditions = [
    ...(leaves === undefined ? [] : [inRelations(leaves)]),
    ...(filter === undefined ? [] : [`(${filter})`]),
  ];
  return {
    table: `${source.isPartitioned ? '' : 'ONLY '}${quoteTable(name)}`,
    conditions: conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`,
  };
}
