import type { CellMask } from '@understudy/masking';
import { type Check, quoteIdentifier, sqlstateOf, type Client, type ColumnType } from '@understudy/postgres';

/**
 * Values of one column, and the type that they must fit. The values at one index of several columns form a
 * row.
 */
export interface TriedColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly values: readonly (string | null)[];
}

/**
 * Returns whether two of the columns have equal new values exactly where their originals are equal. Invented values do
 * not show whether a condition on both fits, such as `sender <> receiver`.
 */
export function comparesOriginals(columns: readonly string[], masks: Iterable<CellMask>): boolean {
  const keys = [...masks].flatMap((mask) =>
    'originalKey' in mask && columns.includes(mask.column.name) ? [JSON.stringify(mask.key)] : [],
  );
  return new Set(keys).size < keys.length;
}

/**
 * Lets the server cast values to their types and evaluate a condition for each row. Stores nothing. A
 * condition counts as true if it cannot be evaluated, for example because the role may not call one of its
 * functions. Must run in a transaction.
 * @returns false if a value does not fit its type, or if the condition is false for a row
 */
export async function tryValues(
  client: Client,
  columns: readonly TriedColumn[],
  condition?: Pick<Check, 'expression' | 'computed'>,
): Promise<boolean> {
  // The values are counted to make the server cast each of them.
  const made = columns.map(({ name }) => `count(${quoteIdentifier(name)})`).join(', ');
  const broken = condition === undefined ? '0' : `count(*) FILTER (WHERE NOT (${condition.expression}))`;
  const sql = `SELECT ${broken} AS broken, ARRAY[${made}] AS made FROM ${triedRows(columns, condition?.computed)}`;
  await client.query('SAVEPOINT try_values');
  try {
    const { rows } = await client.query<{ broken: string }>(
      sql,
      columns.map(({ values }) => values),
    );
    return Number(rows[0]?.broken ?? 0) === 0;
  } catch (error) {
    await client.query('ROLLBACK TO SAVEPOINT try_values');
    return !isAboutValues(error);
  } finally {
    await client.query('RELEASE SAVEPOINT try_values');
  }
}

/**
 * Lets the server compute a generated column for each row. Stores nothing. Must run in a transaction.
 * @param columns all columns that the expression reads
 * @returns whether it has different values; false if they cannot be computed
 */
export async function computesDifferent(
  client: Client,
  columns: readonly TriedColumn[],
  generated: Check['computed'][number],
): Promise<boolean> {
  await client.query('SAVEPOINT compute');
  try {
    const { rows } = await client.query<{ differ: boolean }>(
      `SELECT count(DISTINCT ${quoteIdentifier(generated.column)}::text) > 1 AS differ FROM ${triedRows(columns, [generated])}`,
      columns.map(({ values }) => values),
    );
    return rows[0]?.differ === true;
  } catch (error) {
    await client.query('ROLLBACK TO SAVEPOINT compute');
    if (typeof sqlstateOf(error) !== 'string') throw error;
    return false;
  } finally {
    await client.query('RELEASE SAVEPOINT compute');
  }
}

/**
 * Returns whether the server computes a different key for each row. Stores nothing. A key counts as different if it cannot
 * be computed. Must run in a transaction.
 * @param key an expression over the columns, and over generated columns
 */
export async function areKeysDifferent(
  client: Client,
  columns: readonly TriedColumn[],
  key: string,
  computed: Check['computed'],
): Promise<boolean> {
  await client.query('SAVEPOINT try_keys');
  try {
    const { rows } = await client.query<{ differ: boolean }>(
      `SELECT count(key) = count(DISTINCT key) AS differ
         FROM (SELECT (${key}) AS key FROM ${triedRows(columns, computed)}) AS keys`,
      columns.map(({ values }) => values),
    );
    return rows[0]?.differ === true;
  } catch (error) {
    await client.query('ROLLBACK TO SAVEPOINT try_keys');
    if (typeof sqlstateOf(error) !== 'string') throw error;
    return true;
  } finally {
    await client.query('RELEASE SAVEPOINT try_keys');
  }
}

/** Writes a FROM item with the values as columns, and with generated columns. The parameters are arrays of texts. */
function triedRows(columns: readonly TriedColumn[], generated: Check['computed'] = []): string {
  const names = columns.map(({ name }) => quoteIdentifier(name));
  const texts = names.map((_, i) => `text_${i}`).join(', ');
  const arrays = names.map((_, i) => `$${i + 1}::text[]`).join(', ');
  const typed = columns.map(({ type }, i) => `text_${i}::${type.sql} AS ${names[i]}`).join(', ');
  const computed = generated
    .map(({ column, expression }) => `, (${expression}) AS ${quoteIdentifier(column)}`)
    .join('');
  return `(SELECT tried.*${computed}
            FROM (SELECT ${typed} FROM unnest(${arrays}) AS texts (${texts}) OFFSET 0) AS tried OFFSET 0) AS computed`;
}

/** Returns whether an error is about the values: a data exception, a violated constraint or an error of PL/pgSQL. */
function isAboutValues(error: unknown): boolean {
  const code = sqlstateOf(error);
  return typeof code === 'string' && /^(?:22|23|P0)/.test(code);
}
