import { quoteIdentifier, quoteLiteral, quoteTable, type Client } from '@understudy/postgres';
import { endOlderAttempts, type JobAttempt } from '../session/job-attempt.js';
import { asUntrusted, hasStaging, holdStaging, isGone } from './own-staging.js';
import { stagingSchema, stagingTable } from './staging-names.js';

/**
 * Removes everything of the job from the target, unless a later attempt has the job.
 * @throws SyncJobError staging_untrusted
 */
export async function dropStaging(client: Client, attempt: JobAttempt): Promise<void> {
  const { jobId, epoch } = attempt;
  const schema = stagingSchema(jobId);
  if (!(await hasStaging(client, schema))) return;
  try {
    await client.query(`BEGIN; SET LOCAL synchronous_commit = off; ${holdStaging(schema, 'ROW SHARE')}`);
    const { rows } = await client.query(
      `SELECT FROM ${stagingTable(jobId, 'job')} WHERE epoch = $1 FOR UPDATE`,
      [epoch],
    );
    if (rows.length > 0) await dropHeld(client, schema, attempt);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    // If the staging was removed after the check, there is nothing to drop.
    if (!isGone(error)) throw asUntrusted(error);
  }
}

/**
 * Drops a staging schema and its hidden schemas with all their objects. It first ends the sessions of older
 * attempts, and sessions that they open later find no staging. An older attempt can therefore not write to
 * objects that get the same names later.
 */
export async function dropHeld(client: Client, schema: string, attempt: JobAttempt): Promise<void> {
  await client.query(`LOCK TABLE ONLY ${quoteTable({ schema, table: 'job' })} IN ACCESS EXCLUSIVE MODE`);
  await endOlderAttempts(client, attempt);
  const { rows } = await client.query<{ name: string }>(
    `SELECT nspname AS name FROM pg_catalog.pg_namespace
      WHERE nspname = ${quoteLiteral(schema)} OR pg_catalog.starts_with(nspname, ${quoteLiteral(`${schema}.`)})`,
  );
  if (rows.length === 0) return;
  await client.query(`DROP SCHEMA ${rows.map(({ name }) => quoteIdentifier(name)).join(', ')} CASCADE`);
}
