import type { RelationPart, RowSet } from './row-set.js';
import type { TableSize } from '../../progress/table-counts.js';

/** Selects the rows that a job copies from a table that it does not copy completely. */
export class RowFilter {
  /**
   * @param rows the kept rows; if there is a condition, only the kept rows that do not satisfy it
   * @param count the number of all kept rows
   * @param more.condition SQL that is true only for kept rows
   * @param more.dropped all other rows of the table, if they are known
   */
  constructor(
    private readonly rows: RowSet,
    readonly count: number,
    private readonly more: { readonly condition?: string; readonly dropped?: RowSet } = {},
  ) {}

  /**
   * Writes the SQL condition that selects the kept rows in a part of the table. The condition contains row
   * locations, so it is valid only in the snapshot. Its length is about 14 bytes for each kept row, or for
   * each dropped row if fewer rows are dropped than kept.
   * @returns undefined if all rows of the part are kept
   */
  conditionFor(part: RelationPart): string | undefined {
    const { condition, dropped } = this.more;
    if (condition !== undefined) {
      return this.rows.countIn(part) === 0 ? condition : `${condition} OR ${locationsIn(this.rows, part)}`;
    }
    if (dropped === undefined || this.rows.countIn(part) <= dropped.countIn(part)) {
      return locationsIn(this.rows, part);
    }
    // With this form, servers before version 15 look locations up in a hash table. With `<> ALL`, they would
    // compare each.
    return dropped.countIn(part) === 0 ? undefined : `(${locationsIn(dropped, part)}) IS NOT TRUE`;
  }
}

function locationsIn(rows: RowSet, part: RelationPart): string {
  if (part.relationOid !== undefined) return locationsOf(rows, Number(part.relationOid), part);
  const leaves = rows
    .relationOids()
    .map((oid) => `(tableoid = '${oid}'::pg_catalog.oid AND ${locationsOf(rows, oid, part)})`);
  return leaves.length === 0 ? 'false' : leaves.join(' OR ');
}

function locationsOf(rows: RowSet, oid: number, { fromPage, toPage }: RelationPart): string {
  const list = tidList(rows.locations(oid, fromPage, toPage));
  return list === '' ? 'false' : `ctid = ANY (${list})`;
}

/** Writes a condition that is true for the rows of the relations. @param oids of plain tables or leaf partitions */
export function inRelations(oids: readonly string[], alias?: string): string {
  return `${alias === undefined ? '' : `${alias}.`}tableoid = ANY ('{${oids.join(',')}}'::pg_catalog.oid[])`;
}

/** Writes an SQL constant for an array of row locations. @returns an empty text if there are none */
export function tidList(locations: Iterable<readonly [page: number, row: number]>): string {
  const parts: string[] = [];
  for (const [page, row] of locations) parts.push(`"(${page},${row})"`);
  return parts.length === 0 ? '' : `'{${parts.join(',')}}'::pg_catalog.tid[]`;
}

/**
 * Estimates the size of a part of a table.
 * @param part the exact number of rows in the part
 */
export function sizeOfPart({ rows, bytes }: TableSize, part: number): TableSize {
  return { rows: part, bytes: Math.round(bytes * Math.min(1, part / Math.max(1, rows))) };
}
