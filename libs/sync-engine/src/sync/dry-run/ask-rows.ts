import type { Client } from '../../postgres/session.js';

/** A question is given up after so long: what it would have found, the run will. */
const QUESTION_MS = 600_000;

/**
 * Asks whether a query finds a row, in the transaction that the client is in, which goes on whatever comes of it.
 * @returns undefined when it cannot be told: the server does not know what the question says of these types, or takes too long
 * @throws PostgreSQL's errors about anything else
 */
export async function findsRow(client: Client, query: string): Promise<boolean | undefined> {
  await client.query(`SAVEPOINT ask_rows; SET LOCAL statement_timeout = ${QUESTION_MS}`);
  try {
    const { rows } = await client.query<{ found: boolean }>(`SELECT EXISTS (${query}) AS found`);
    await client.query('SET LOCAL statement_timeout = 0');
    return rows[0]?.found === true;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (typeof code !== 'string') throw error;
    await client.query('ROLLBACK TO SAVEPOINT ask_rows');
    // A value that the expression cannot be evaluated for: the target would refuse the row as well.
    if (code.startsWith('22')) return true;
    if (code.startsWith('42') || code === '57014') return undefined;
    throw error;
  } finally {
    await client.query('RELEASE SAVEPOINT ask_rows').catch(() => undefined);
  }
}
