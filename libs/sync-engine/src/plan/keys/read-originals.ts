import { ByteSink } from '@understudy/bytes';
import { CopyRewriter } from '@understudy/copy-format';
import { copyOut, quoteIdentifier, quoteTable, releasingLocks, type Client } from '@understudy/postgres';
import type { TablePlan } from '../table-plan.js';
import { canonicalOf, type ColumnLocation, type PlanKeys } from './job-keys.js';

/** Reads original values in the transaction of the snapshot. */
export class OriginalsReader {
  constructor(
    private readonly source: Client,
    private readonly plans: readonly TablePlan[],
    private readonly keys: readonly PlanKeys[],
  ) {}

  /** Returns whether all values of an integer column are within the bounds, both included. */
  readonly isWithin = async (location: ColumnLocation, min: number, max: number): Promise<boolean> => {
    const column = quoteIdentifier(location.column);
    const { rows } = await releasingLocks(this.source, () =>
      this.source.query<{ within: boolean }>(
        `SELECT coalesce(min(${column}) >= $1::numeric AND max(${column}) <= $2::numeric, true) AS within FROM ${this.from(location)}`,
        [min, max],
      ),
    );
    return rows[0]?.within === true;
  };

  /** Counts the rows in which the column is not NULL, up to `limit`. */
  async countValues(location: ColumnLocation, limit: number): Promise<number> {
    const column = quoteIdentifier(location.column);
    const { rows } = await releasingLocks(this.source, () =>
      this.source.query<{ count: number }>(
        `SELECT count(*)::int4 AS count FROM (SELECT FROM ${this.from(location)} WHERE ${column} IS NOT NULL LIMIT $1) AS few`,
        [limit],
      ),
    );
    return rows[0]?.count ?? 0;
  }

  /** Counts the distinct values that occur in any of the columns, up to `limit`. */
  async countDistinct(locations: readonly ColumnLocation[], limit: number): Promise<number> {
    const { rows } = await releasingLocks(this.source, () =>
      this.source.query<{ count: number }>(
        `SELECT count(*)::int4 AS count FROM (SELECT FROM (${this.distinct(locations)}) AS all_of_them LIMIT $1) AS few`,
        [limit],
      ),
    );
    return rows[0]?.count ?? 0;
  }

  /**
   * Calls `take` once for each distinct value of the columns, in a fixed order. The value is
   * `bytes[start, end)`, a field in COPY's text format.
   */
  async eachDistinct(
    locations: readonly ColumnLocation[],
    take: (bytes: Uint8Array, start: number, end: number) => void,
  ): Promise<void> {
    const ignored = new ByteSink(1 << 12);
    const rewriter = new CopyRewriter(1, (bytes, [start = 0, end = 0]) => {
      take(bytes, start, end);
    });
    const sql = `COPY (SELECT value FROM (${this.distinct(locations)}) AS originals ORDER BY value) TO STDOUT`;
    await releasingLocks(this.source, () =>
      copyOut(this.source, sql, (chunk) => {
        ignored.length = 0;
        rewriter.push(chunk, ignored);
        return undefined;
      }),
    );
    rewriter.finish();
  }

  /**
   * Writes a query for the distinct values. It uses the collation "C", which compares bytes, because the
   * column's own collation can treat different texts as equal.
   */
  private distinct(locations: readonly ColumnLocation[]): string {
    const columns = locations.map((location) => {
      const text = this.asText(location);
      return `SELECT ${text} COLLATE "C" AS value FROM ${this.from(location)} WHERE ${quoteIdentifier(location.column)} IS NOT NULL`;
    });
    return columns.join(' UNION ').replace(/^SELECT/, 'SELECT DISTINCT');
  }

  private asText({ plan, column }: ColumnLocation): string {
    const name = quoteIdentifier(column);
    const canonical = canonicalOf(this.keys[plan]?.source.types.get(column));
    if (canonical === 'number') return `pg_catalog.trim_scale(${name})::text`;
    return canonical === 'folded' ? `pg_catalog.lower(${name}::text)` : `${name}::text`;
  }

  private from({ plan }: ColumnLocation): string {
    const source = this.plans[plan]?.source;
    if (source === undefined) throw new Error('expected a column of a planned table');
    return `${source.isPartitioned ? '' : 'ONLY '}${quoteTable(source.name)}`;
  }
}
