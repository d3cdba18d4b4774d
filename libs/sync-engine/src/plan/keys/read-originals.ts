import { ByteSink } from '@understudy/bytes';
import { CopyRewriter } from '@understudy/copy-format';
import { copyOut, quoteIdentifier, quoteTable, type Client } from '@understudy/postgres';
import type { TablePlan } from '../table-plan.js';
import { canonicalOf, type ColumnPlace, type PlanKeys } from './job-keys.js';

/** Reads columns of the source as a job's plans name them. In the snapshot's transaction. */
export class OriginalsReader {
  constructor(
    private readonly source: Client,
    private readonly plans: readonly TablePlan[],
    private readonly keys: readonly PlanKeys[],
  ) {}

  /** Do all values of an integer column lie within bounds, both included? */
  readonly isWithin = async (place: ColumnPlace, min: number, max: number): Promise<boolean> => {
    const column = quoteIdentifier(place.column);
    const { rows } = await this.source.query<{ within: boolean }>(
      `SELECT coalesce(min(${column}) >= $1::numeric AND max(${column}) <= $2::numeric, true) AS within FROM ${this.from(place)}`,
      [min, max],
    );
    return rows[0]?.within === true;
  };

  /** Rows with a value there, or `limit` when there are more. */
  async countValues(place: ColumnPlace, limit: number): Promise<number> {
    const column = quoteIdentifier(place.column);
    const { rows } = await this.source.query<{ count: number }>(
      `SELECT count(*)::int4 AS count FROM (SELECT FROM ${this.from(place)} WHERE ${column} IS NOT NULL LIMIT $1) AS few`,
      [limit],
    );
    return rows[0]?.count ?? 0;
  }

  /** Different values of the columns together, or `limit` when there are more. */
  async countDistinct(places: readonly ColumnPlace[], limit: number): Promise<number> {
    const { rows } = await this.source.query<{ count: number }>(
      `SELECT count(*)::int4 AS count FROM (SELECT FROM (${this.distinct(places)}) AS all_of_them LIMIT $1) AS few`,
      [limit],
    );
    return rows[0]?.count ?? 0;
  }

  /** Every different value of the columns once, always in the same order, as a field of COPY's text format. */
  async eachDistinct(
    places: readonly ColumnPlace[],
    take: (bytes: Uint8Array, start: number, end: number) => void,
  ): Promise<void> {
    const ignored = new ByteSink(1 << 12);
    const rewriter = new CopyRewriter(1, (bytes, [start = 0, end = 0]) => {
      take(bytes, start, end);
    });
    const sql = `COPY (SELECT value FROM (${this.distinct(places)}) AS originals ORDER BY value) TO STDOUT`;
    await copyOut(this.source, sql, (chunk) => {
      ignored.length = 0;
      rewriter.push(chunk, ignored);
      return undefined;
    });
    rewriter.finish();
  }

  /** By bytes, whatever the column's collation takes for equal. */
  private distinct(places: readonly ColumnPlace[]): string {
    const columns = places.map((place) => {
      const text = this.asText(place);
      return `SELECT ${text} COLLATE "C" AS value FROM ${this.from(place)} WHERE ${quoteIdentifier(place.column)} IS NOT NULL`;
    });
    return columns.join(' UNION ').replace(/^SELECT/, 'SELECT DISTINCT');
  }

  private asText({ plan, column }: ColumnPlace): string {
    const name = quoteIdentifier(column);
    const canonical = canonicalOf(this.keys[plan]?.source.types.get(column));
    if (canonical === 'number') return `pg_catalog.trim_scale(${name})::text`;
    return canonical === 'folded' ? `pg_catalog.lower(${name}::text)` : `${name}::text`;
  }

  private from({ plan }: ColumnPlace): string {
    const source = this.plans[plan]?.source;
    if (source === undefined) throw new Error('a place is in a plan');
    return `${source.isPartitioned ? '' : 'ONLY '}${quoteTable(source.name)}`;
  }
}
