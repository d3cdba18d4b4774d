import { LEDGER_COMMENT } from '@understudy/database-swap';
import { errorDetail, type EngineLog, quoteTable, type Client } from '@understudy/postgres';
import { dropHeld } from './drop-staging.js';
import { asUntrusted, hasStaging, holdStaging } from './own-staging.js';
import type { LocatedClient } from '../session/located-client.js';
import { stagingSchema } from './staging-names.js';

/**
 * Removes the staging that other jobs left on the target. The staging of an unfinished job is removed after
 * ten minutes without activity, because after that time the job has no retries left. The staging of a
 * finished job contains the job's result. It is removed after thirty days, even if the control plane has not
 * confirmed the result. Ignores schemas that other roles own. The caller must hold the lock on the target,
 * which excludes other jobs.
 */
export async function sweepTarget(client: LocatedClient, jobId: string, log: EngineLog): Promise<void> {
  const { rows } = await client.query<{ schema: string }>(STAGING_SCHEMAS, [stagingSchema(jobId)]);
  for (const { schema } of rows) {
    try {
      await sweep(client.plain, schema, log);
    } catch (error) {
      await client.query('ROLLBACK');
      // The schema does no harm, and the next job tries to remove it again.
      log.warn(
        { schema, detail: errorDetail(await asUntrusted(client.plain, schema, error)) },
        'a schema of an earlier job could not be removed',
      );
    }
  }
}

async function sweep(client: Client, schema: string, log: EngineLog): Promise<void> {
  await hasStaging(client, schema);
  await client.query(`BEGIN; SET LOCAL lock_timeout = '5s'; ${holdStaging(schema, 'ROW SHARE')}`);
  const { rows } = await client.query<{ job_id: string; epoch: number }>(
    `SELECT job_id, epoch FROM ${quoteTable({ schema, table: 'job' })}
      WHERE touched_at < now() - CASE state WHEN 'staging' THEN interval '10 minutes' ELSE interval '30 days' END FOR UPDATE`,
  );
  const [row] = rows;
  if (row !== undefined) {
    await dropHeld(client, schema, { jobId: row.job_id, epoch: row.epoch + 1 });
    log.info({ schema }, 'removed the staging schema of an earlier job');
  }
  await client.query('COMMIT');
}

/**
 * Finds the staging schemas of other jobs. The comment on the schema and the table `job` distinguish a staging schema
 * from a user's schema with a similar name.
 */
const STAGING_SCHEMAS = `
  SELECT n.nspname AS schema FROM pg_catalog.pg_namespace n
   WHERE n.nspname LIKE 'understudy\\_%' AND n.nspname NOT LIKE '%.%' AND n.nspname <> $1
     AND n.nspowner = (SELECT oid FROM pg_catalog.pg_roles WHERE rolname = current_user)
     AND pg_catalog.obj_description(n.oid, 'pg_namespace') LIKE '${LEDGER_COMMENT}%'
     AND EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.relnamespace = n.oid AND c.relname = 'job')
`;
