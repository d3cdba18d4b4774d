import { ByteSink, decodeUtf8 } from '@understudy/bytes';
import { CopyRewriter } from '@understudy/copy-format';
import { copyOut, quoteIdentifier, quoteTable, releasingLocks } from '@understudy/postgres';
import { guard } from '../../session/guard.js';
import type { LocatedClient } from '../../session/located-client.js';
import type { TablePlan } from '../table-plan.js';
import { canonicalOf, type ColumnLocation, type PlanKeys } from './job-keys.js';
import type { KeyComparison } from './key-comparison.js';

/** Reads original values in the transaction of the snapshot. */
export class OriginalsReader {
  constructor(
    private readonly source: LocatedClient,
    private readonly plans: readonly TablePlan[],
    private readonly keys: readonly PlanKeys[],
  ) {}

  /** Returns a reader whose errors report the table. */
  at(table: Pick<TablePlan, 'index'> | undefined): OriginalsReader {
    return new OriginalsReader(this.source.at(table?.index), this.plans, this.keys);
  }

  /** Returns whether all values of an integer column are within the bounds, both included. */
  readonly isWithin = async (location: ColumnLocation, min: number, max: number): Promise<boolean> => {
    const column = quoteIdentifier(location.column);
    const [row] = await this.ask<{ within: boolean }>(
      `SELECT coalesce(min(${column}) >= $1::numeric AND max(${column}) <= $2::numeric, true) AS within FROM ${this.from(location)}`,
      [min, max],
    );
    return row?.within === true;
  };

  /** Counts the rows in which the column is not NULL, up to `limit`. */
  async countValues(location: ColumnLocation, limit: number): Promise<number> {
    const [row] = await this.ask<{ count: number }>(
      `SELECT count(*)::int4 AS count FROM (SELECT FROM ${this.from(location)} WHERE ${isValue(location.column)} LIMIT $1) AS few`,
      [limit],
    );
    return row?.count ?? 0;
  }

  /** Counts the distinct values that occur in any of the columns, up to `limit`. */
  async countDistinct(locations: readonly ColumnLocation[], limit: number): Promise<number> {
    const parts = locations.map((location) => this.select(location, `${this.sortText(location)} AS value`));
    const [row] = await this.ask<{ count: number }>(
      `SELECT count(*)::int4 AS count FROM (SELECT FROM (${distinct(parts)}) AS all_of_them LIMIT $1) AS few`,
      [limit],
    );
    return row?.count ?? 0;
  }

  /**
   * Calls `take` once for each distinct text of the columns of a list, in a fixed order. The text is
   * `bytes[start, end)`, a field in COPY's text format.
   * @param take receives the index of the list
   */
  async eachDistinct(
    lists: readonly (readonly ColumnLocation[])[],
    take: (bytes: Uint8Array, start: number, end: number, list: number) => void,
  ): Promise<void> {
    const columns = lists.flatMap((locations, list) =>
      locations.map((location) => ({
        ...{ location, list, sort: this.sortText(location), text: this.text(location) },
      })),
    );
    const isPlain = lists.length === 1 && columns.every(({ sort, text }) => sort === text);
    const parts = columns.map(({ location, list, sort, text }) =>
      this.select(location, `${sort} AS value${isPlain ? '' : `, ${text} AS text, ${list} AS list`}`),
    );
    const [fields, order] = isPlain ? ['value', 'value'] : ['text, list', 'value, text, list'];
    const sql = `COPY (SELECT ${fields} FROM (${distinct(parts)}) AS originals ORDER BY ${order}) TO STDOUT`;
    await this.eachRow(sql, isPlain ? 1 : 2, (bytes, [start = 0, end = 0, from = 0, to = 0]) => {
      take(bytes, start, end, isPlain ? 0 : Number(decodeUtf8(bytes, from, to)));
    });
  }

  /**
   * Calls `take` for each distinct text of the columns, together with the representative of its class. That is
   * the first text of a root that the server treats as equal, or of another column if no root has one. The rows
   * are ordered by their representatives.
   * @param isWhole false to omit the texts that are their own representatives
   * @param take receives the bounds of both texts, which are fields of COPY's text format
   */
  async eachClass(
    columns: readonly (ColumnLocation & { readonly isRoot: boolean })[],
    { type, collation }: KeyComparison,
    isWhole: boolean,
    take: (bytes: Uint8Array, bounds: Int32Array) => void,
  ): Promise<void> {
    const parts = columns.map((location) =>
      this.select(location, `${this.text(location)} AS value, ${location.isRoot ? 0 : 1} AS place`),
    );
    const compared = `(value::${type})${collation === undefined ? '' : ` COLLATE ${collation}`}`;
    await this.eachRow(
      `COPY (
        SELECT value, representative FROM (
          SELECT value, first_value(value) OVER (PARTITION BY ${compared} ORDER BY place, value) AS representative
            FROM (SELECT value, min(place) AS place FROM (${distinct(parts)}) AS texts GROUP BY value) AS texts
        ) AS classes ${isWhole ? '' : 'WHERE value <> representative'} ORDER BY representative, value
      ) TO STDOUT`,
      2,
      take,
    );
  }

  /**
   * Returns whether two rows of a table have equal values in all columns of a unique key.
   * @param comparisons by column; a column without one is compared as it is
   */
  async hasEqualRows(
    plan: number,
    columns: readonly string[],
    comparisons: ReadonlyMap<string, KeyComparison>,
  ): Promise<boolean> {
    const values = columns.map((column) => {
      const comparison = comparisons.get(column);
      if (comparison === undefined) return quoteIdentifier(column);
      const { type, collation } = comparison;
      const text = this.text({ plan, column });
      return `(${text}::${type})${collation === undefined ? '' : ` COLLATE ${collation}`}`;
    });
    const isWhole = columns.map(isValue).join(' AND ');
    const [row] = await this.ask<{ found: boolean }>(
      `SELECT EXISTS (SELECT FROM ${this.from({ plan })} WHERE ${isWhole} GROUP BY ${values.join(', ')} HAVING count(*) > 1) AS found`,
    );
    return row?.found === true;
  }

  private async ask<T extends object>(
    sql: string,
    parameters: readonly unknown[] = [],
  ): Promise<readonly T[]> {
    const { rows } = await releasingLocks(this.source, () => this.source.query<T>(sql, [...parameters]));
    return rows;
  }

  private async eachRow(
    sql: string,
    fields: number,
    take: (bytes: Uint8Array, bounds: Int32Array) => void,
  ): Promise<void> {
    const ignored = new ByteSink(1 << 12);
    const rewriter = new CopyRewriter(fields, take);
    // The guard also locates an error in a row.
    await guard(this.source.context, () =>
      releasingLocks(this.source, () =>
        copyOut(this.source, sql, (chunk) => {
          ignored.length = 0;
          rewriter.push(chunk, ignored);
          return undefined;
        }),
      ),
    );
    rewriter.finish();
  }

  private select(location: ColumnLocation, fields: string): string {
    return `SELECT ${fields} FROM ${this.from(location)} WHERE ${isValue(location.column)}`;
  }

  /**
   * Writes an expression for the text of a value, as COPY writes it. It has the collation "C", which compares
   * bytes, because the column's own collation can treat different texts as equal. The text has no trailing
   * blanks of char(n), and no trailing zeros of numeric.
   */
  private text({ plan, column }: ColumnLocation): string {
    const name = quoteIdentifier(column);
    const type = this.keys[plan]?.source.types.get(column);
    if (canonicalOf(type) === 'number') return `pg_catalog.trim_scale(${name})::text COLLATE "C"`;
    const { base = '', baseSchema } = type ?? {};
    const isCast = (baseSchema === 'pg_catalog' && CAST_TO_TEXT.has(base)) || base === 'citext';
    // The cast of some types, such as inet, writes another text than COPY.
    return `${isCast ? `${name}::text` : `pg_catalog.format('%s', ${name})`} COLLATE "C"`;
  }

  /** Writes an expression for the text by which originals are sorted and counted. */
  private sortText(location: ColumnLocation): string {
    const name = quoteIdentifier(location.column);
    const canonical = canonicalOf(this.keys[location.plan]?.source.types.get(location.column));
    if (canonical === 'folded') return `pg_catalog.lower(${name}::text) COLLATE "C"`;
    return this.text(location);
  }

  private from({ plan }: Pick<ColumnLocation, 'plan'>): string {
    const source = this.plans[plan]?.source;
    if (source === undefined) throw new Error('expected a column of a planned table');
    return `${source.isPartitioned ? '' : 'ONLY '}${quoteTable(source.name)}`;
  }
}

/** Types whose cast to text gives the text that COPY writes, apart from the trailing blanks of char(n). */
const CAST_TO_TEXT: ReadonlySet<string> = new Set([
  ...['int2', 'int4', 'int8', 'text', 'varchar', 'bpchar', 'uuid', 'date', 'timestamp', 'timestamptz'],
]);

/** Writes a condition that is true unless the value is NULL. A row with a NULL in it counts as a value. */
function isValue(column: string): string {
  return `${quoteIdentifier(column)} IS DISTINCT FROM NULL`;
}

function distinct(parts: readonly string[]): string {
  return parts.join(' UNION ').replace(/^SELECT/, 'SELECT DISTINCT');
}
