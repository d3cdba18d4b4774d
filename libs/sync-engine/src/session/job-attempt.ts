import { createHash } from 'node:crypto';
import type { Client } from '@understudy/postgres';

export interface JobAttempt {
  readonly jobId: string;
  readonly epoch: number;
}

// The server limits a name to 63 bytes. Names of database objects contain more than the label.
const MAX_LABEL_LENGTH = 36;

/**
 * Returns a label of a job for names of database objects. The label is the id in lower case, or a hash if the
 * id is long or contains special characters. Ids of two jobs never differ only in case.
 */
export function jobLabel(jobId: string): string {
  const label = jobId.toLowerCase();
  if (/^[a-z0-9_]+$/.test(label) && label.length <= MAX_LABEL_LENGTH) return label;
  return createHash('sha256').update(jobId).digest('hex').slice(0, MAX_LABEL_LENGTH);
}

/** Returns the `application_name` of an attempt's sessions. */
export function sessionName({ jobId, epoch }: JobAttempt): string {
  return `${sessionPrefix(jobId)}${epoch}`;
}

/** Returns the `application_name` of the session of an attempt's snapshot keeper. */
export function keeperSessionName(attempt: JobAttempt): string {
  return `${sessionName(attempt)}${KEEPER_SUFFIX}`;
}

export const KEEPER_SUFFIX = ' keep';

export function sessionPrefix(jobId: string): string {
  return `understudy ${jobLabel(jobId)} `;
}

/**
 * Ends the sessions that older attempts of a job still have on the database. Such a session belongs to an
 * agent that hangs, or to the snapshot keeper of an agent that has ended. Only sessions of the same role can
 * be ended, and all attempts of a job use the same role. `ALTER ROLE … SET role` can give sessions another
 * current role, which may not end them.
 * @param options `sparesKeeper`: whether to leave the session of the latest keeper, whose snapshot this attempt can
 * import
 * @returns whether a session was left
 */
export async function endOlderAttempts(
  client: Client,
  { jobId, epoch }: JobAttempt,
  { sparesKeeper = false } = {},
): Promise<boolean> {
  await client.query('SET ROLE NONE');
  const prefix = sessionPrefix(jobId);
  const { rows } = await client.query<{ spared: boolean }>(OLDER, [
    ...[prefix, prefix.length + 1, epoch, sparesKeeper],
  ]);
  await client.query('RESET ROLE');
  return rows.some(({ spared }) => spared);
}

const ENDED_WITHIN_MS = 5_000;

/** $1: the prefix of the names, $2: the position after it, $3: the epoch, $4: whether to spare a keeper */
const OLDER = `
  WITH named AS (
    SELECT pid, application_name LIKE '%${KEEPER_SUFFIX}' AS is_keeper,
           pg_catalog.substring(pg_catalog.substr(application_name, $2), '^([0-9]{1,9})(?:${KEEPER_SUFFIX})?$')::int AS epoch
      FROM pg_catalog.pg_stat_activity
     WHERE datname = pg_catalog.current_database() AND usename = session_user AND pid <> pg_catalog.pg_backend_pid()
       AND pg_catalog.starts_with(application_name, $1)
  ), older AS (
    SELECT pid, $4 AND is_keeper AND pg_catalog.row_number() OVER (ORDER BY is_keeper DESC, epoch DESC) = 1 AS spared
      FROM named WHERE epoch < $3
  )
  SELECT spared, CASE WHEN NOT spared THEN pg_catalog.pg_terminate_backend(pid, ${ENDED_WITHIN_MS}) END FROM older
`;
