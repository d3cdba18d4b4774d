import type { RelationPart, RowSet } from './row-set.js';
import type { TableSize } from '../../progress/table-counts.js';

/** The rows of one table that a job copies, where these are not all. */
export class RowFilter {
  /**
   * @param rows the kept ones; with a condition, those kept beside what it admits
   * @param count how many rows are kept in all
   * @param more.condition SQL over the table's columns
   * @param more.dropped all rows that are not kept, where they are known
   */
  constructor(
    private readonly rows: RowSet,
    readonly count: number,
    private readonly more: { readonly condition?: string; readonly dropped?: RowSet } = {},
  ) {}

  /**
   * What `WHERE` has to say beside the part's own bounds; undefined when all its rows are kept. It names places in the
   * snapshot, so it means nothing outside of that. Cost, and the text's length: about 14 bytes for each row kept, or
   * dropped if these are fewer.
   */
  conditionFor(part: RelationPart): string | undefined {
    const { condition, dropped } = this.more;
    if (condition !== undefined) {
      return this.rows.countIn(part) === 0 ? condition : `${condition} OR ${placesIn(this.rows, part)}`;
    }
    if (dropped === undefined || this.rows.countIn(part) <= dropped.countIn(part)) {
      return placesIn(this.rows, part);
    }
    // Written so that servers before 15 look the places up by hash, too: they do not for `<> ALL`.
    return dropped.countIn(part) === 0 ? undefined : `(${placesIn(dropped, part)}) IS NOT TRUE`;
  }
}

function placesIn(rows: RowSet, part: RelationPart): string {
  if (part.relationOid !== undefined) return placesOf(rows, Number(part.relationOid), part);
  const leaves = rows
    .relationOids()
    .map((oid) => `(tableoid = '${oid}'::pg_catalog.oid AND ${placesOf(rows, oid, part)})`);
  return leaves.length === 0 ? 'false' : leaves.join(' OR ');
}

function placesOf(rows: RowSet, oid: number, { fromPage, toPage }: RelationPart): string {
  const list = tidList(rows.places(oid, fromPage, toPage));
  return list === '' ? 'false' : `ctid = ANY (${list})`;
}

/** An array constant of places; empty when there are none. */
export function tidList(places: Iterable<readonly [page: number, row: number]>): string {
  const parts: string[] = [];
  for (const [page, row] of places) parts.push(`"(${page},${row})"`);
  return parts.length === 0 ? '' : `'{${parts.join(',')}}'::pg_catalog.tid[]`;
}

/** What some of a table's rows are in bytes, if they are like the others. @param rows of the part, exactly */
export function sizeOfPart({ rows, bytes }: TableSize, part: number): TableSize {
  return { rows: part, bytes: Math.round(bytes * Math.min(1, part / Math.max(1, rows))) };
}
