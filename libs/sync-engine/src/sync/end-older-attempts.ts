import type { Client } from '@understudy/postgres';
import { type JobAttempt, sessionPrefix } from './staging/staging-names.js';

/**
 * Ends the sessions that older attempts of a job still have on the database: of an agent that stands still, or of the snapshot holder of one
 * that is gone. Only sessions of the same role can be ended, and all attempts of a job have the same.
 */
export async function endOlderAttempts(client: Client, { jobId, epoch }: JobAttempt): Promise<void> {
  await client.query(
    `SELECT pg_catalog.pg_terminate_backend(pid, ${ENDED_WITHIN_MS}) FROM pg_catalog.pg_stat_activity
      WHERE datname = pg_catalog.current_database() AND usename = current_user AND pid <> pg_catalog.pg_backend_pid()
        AND pg_catalog.starts_with(application_name, $1)
        AND CASE WHEN pg_catalog.substr(application_name, $2) ~ '^[0-9]{1,9}$'
                 THEN pg_catalog.substr(application_name, $2)::int < $3 ELSE false END`,
    [sessionPrefix(jobId), sessionPrefix(jobId).length + 1, epoch],
  );
}

const ENDED_WITHIN_MS = 5_000;
