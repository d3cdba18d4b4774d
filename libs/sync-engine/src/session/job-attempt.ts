import { createHash } from 'node:crypto';
import type { Client } from '@understudy/postgres';

export interface JobAttempt {
  readonly jobId: string;
  readonly epoch: number;
}

// The server limits a name to 63 bytes. Names of database objects contain more than the label.
const LONGEST_LABEL = 36;

/**
 * Returns a label of a job for names of database objects. The label is the id in lower case, or a hash if the
 * id is long or contains special characters. Ids of two jobs never differ only in case.
 */
export function jobLabel(jobId: string): string {
  const label = jobId.toLowerCase();
  if (/^[a-z0-9_]+$/.test(label) && label.length <= LONGEST_LABEL) return label;
  return createHash('sha256').update(jobId).digest('hex').slice(0, LONGEST_LABEL);
}

/** Returns the `application_name` of an attempt's sessions. */
export function sessionName({ jobId, epoch }: JobAttempt): string {
  return `${sessionPrefix(jobId)}${epoch}`;
}

export function sessionPrefix(jobId: string): string {
  return `understudy ${jobLabel(jobId)} `;
}

/**
 * Ends the sessions that older attempts of a job still have on the database. Such a session belongs to an
 * agent that hangs, or to the snapshot keeper of an agent that has ended. Only sessions of the same role can
 * be ended, and all attempts of a job use the same role. `ALTER ROLE … SET role` can give sessions another
 * current role, which may not end them.
 */
export async function endOlderAttempts(client: Client, attempt: JobAttempt): Promise<void> {
  await client.query('SET ROLE NONE');
  await endOlder(client, attempt);
  await client.query('RESET ROLE');
}

async function endOlder(client: Client, { jobId, epoch }: JobAttempt): Promise<void> {
  await client.query(
    `SELECT pg_catalog.pg_terminate_backend(pid, ${ENDED_WITHIN_MS}) FROM pg_catalog.pg_stat_activity
      WHERE datname = pg_catalog.current_database() AND usename = session_user AND pid <> pg_catalog.pg_backend_pid()
        AND pg_catalog.starts_with(application_name, $1)
        AND CASE WHEN pg_catalog.substr(application_name, $2) ~ '^[0-9]{1,9}$'
                 THEN pg_catalog.substr(application_name, $2)::int < $3 ELSE false END`,
    [sessionPrefix(jobId), sessionPrefix(jobId).length + 1, epoch],
  );
}

const ENDED_WITHIN_MS = 5_000;
