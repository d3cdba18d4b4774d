import type { Client } from '@understudy/postgres';

/** A question is given up after so long: what it would have found, the run will. */
const QUESTION_MS = 600_000;

/**
 * Asks whether a query finds a row, in the transaction that the client is in, which goes on whatever comes of it.
 * @returns undefined when it cannot be told, see {@link ifItCanBeTold}
 * @throws PostgreSQL's errors about anything else
 */
export function findsRow(
  client: Client,
  query: string,
  params: readonly unknown[] = [],
): Promise<boolean | undefined> {
  return ifItCanBeTold(client, async () => {
    try {
      const { rows } = await client.query<{ found: boolean }>(`SELECT EXISTS (${query}) AS found`, [
        ...params,
      ]);
      return rows[0]?.found === true;
    } catch (error) {
      // A value that the question cannot be evaluated for: the target would refuse the row as well.
      if (codeOf(error).startsWith('22')) throw new CannotBeEvaluated();
      throw error;
    }
  });
}

class CannotBeEvaluated extends Error {}

/**
 * Runs questions in the transaction that the client is in, for ten minutes each at most.
 * @returns undefined when the server does not know what one says of these types, the role may not ask it, or it takes too long
 */
export async function ifItCanBeTold<T>(client: Client, ask: () => Promise<T>): Promise<T | true | undefined> {
  await client.query(`SAVEPOINT ask_rows; SET LOCAL statement_timeout = ${QUESTION_MS}`);
  try {
    const answer = await ask();
    await client.query('SET LOCAL statement_timeout = 0; RELEASE SAVEPOINT ask_rows');
    return answer;
  } catch (error) {
    const isRefused = codeOf(error).startsWith('42') || codeOf(error) === '57014';
    if (!isRefused && !(error instanceof CannotBeEvaluated)) throw error;
    await client.query('ROLLBACK TO SAVEPOINT ask_rows; RELEASE SAVEPOINT ask_rows');
    return isRefused ? undefined : true;
  }
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
