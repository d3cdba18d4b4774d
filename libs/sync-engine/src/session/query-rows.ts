import { type Client, sqlstateOf } from '@understudy/postgres';

/** The time limit of one statement. If a query takes longer, only the run itself can find the problem. */
const QUERY_MS = 600_000;

/**
 * Returns whether a query finds a row. The query runs in the client's transaction, which stays usable after
 * an error.
 * @returns undefined if this cannot be decided, see {@link ifDecidable}
 * @throws PostgreSQL's other errors
 */
export function findsRow(
  client: Client,
  query: string,
  params: readonly unknown[] = [],
): Promise<boolean | undefined> {
  return ifDecidable(client, async () => {
    const rows = await evaluate<boolean>(client, `SELECT EXISTS (${query})`, params);
    return rows[0]?.[0] === true;
  });
}

/** Returns the rows of a query of texts, otherwise like {@link findsRow}. */
export function findRows(
  client: Client,
  query: string,
  params: readonly unknown[] = [],
): Promise<readonly string[][] | true | undefined> {
  return ifDecidable(client, () => evaluate<string>(client, query, params));
}

async function evaluate<T>(client: Client, query: string, params: readonly unknown[]): Promise<T[][]> {
  try {
    const { rows } = await client.query<T[]>({ text: query, values: [...params], rowMode: 'array' });
    return rows;
  } catch (error) {
    // A value of a row makes the query fail. The target would refuse this row as well.
    if (codeOf(error).startsWith('22')) throw new CannotBeEvaluated();
    throw error;
  }
}

class CannotBeEvaluated extends Error {}

/**
 * Runs queries in the client's transaction, with a time limit of ten minutes for each statement.
 * @returns the result of `query`; true if a value of a row makes a query of this file fail; undefined
 * if the server has no operator for the types or no schema of its name, the role may not run the query, or the time
 * limit is reached
 */
export async function ifDecidable<T>(client: Client, query: () => Promise<T>): Promise<T | true | undefined> {
  await client.query(`SAVEPOINT query_rows; SET LOCAL statement_timeout = ${QUERY_MS}`);
  try {
    const result = await query();
    await client.query(ROLL_BACK);
    return result;
  } catch (error) {
    const isRefused = /^(42|3F|57014)/.test(codeOf(error));
    if (!isRefused && !(error instanceof CannotBeEvaluated)) throw error;
    await client.query(ROLL_BACK);
    return isRefused ? undefined : true;
  }
}

/** Ends the subtransaction, its time limit and the locks that the planner has taken. */
const ROLL_BACK = 'ROLLBACK TO SAVEPOINT query_rows; RELEASE SAVEPOINT query_rows';

function codeOf(error: unknown): string {
  const code = sqlstateOf(error);
  return typeof code === 'string' ? code : '';
}
