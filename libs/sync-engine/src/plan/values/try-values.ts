import { quoteIdentifier, type Client, type ColumnType } from '@understudy/postgres';

/** Values of one column, row by row, with the type that they are for. */
export interface TriedColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly values: readonly (string | null)[];
}

/**
 * Reads values as a type and, of all rows together, says whether a condition over the columns holds: by the server itself, without storing one.
 * A condition that cannot be evaluated alone (it calls what the role may not) is taken to hold: the copy will tell.
 * @returns false when a value is none of its type, or the condition is false for a row
 */
export async function tryValues(
  client: Client,
  columns: readonly TriedColumn[],
  condition?: string,
): Promise<boolean> {
  const names = columns.map(({ name }) => quoteIdentifier(name));
  const texts = names.map((_, i) => `text_${i}`).join(', ');
  const arrays = names.map((_, i) => `$${i + 1}::text[]`).join(', ');
  const typed = columns.map(({ type }, i) => `text_${i}::${type.sql} AS ${names[i]}`).join(', ');
  // Counted, so that the server has to make each of them.
  const made = names.map((name) => `count(${name})`).join(', ');
  const broken = condition === undefined ? '0' : `count(*) FILTER (WHERE NOT (${condition}))`;
  const sql = `SELECT ${broken} AS broken, ARRAY[${made}] AS made
    FROM (SELECT ${typed} FROM unnest(${arrays}) AS texts (${texts}) OFFSET 0) AS tried`;
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

/** Data exceptions and constraints of domains; anything else is a fault of the question. */
function isAboutValues(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' && (code.startsWith('22') || code.startsWith('23'));
}
