import { quoteIdentifier, quoteTable, type Client } from '@understudy/postgres';
import { endOlderAttempts, type JobAttempt } from '../session/job-attempt.js';
import { asUntrusted, hasStaging, holdStaging, isGone, ownHiddenSchemas } from './own-staging.js';
import { stagingSchema, stagingTable } from './staging-names.js';

/**
 * Removes the job's staging from the target, if the ledger row still has the epoch of this attempt.
 * @throws SyncJobError staging_untrusted
 */
export async function dropStaging(client: Client, attempt: JobAttempt): Promise<void> {
  const { jobId, epoch } = attempt;
  const schema = stagingSchema(jobId);
  if (!(await hasStaging(client, schema))) return;
  try {
    // Staged rows must not stay if default_transaction_read_only was turned on during the job.
    await client.query(
      `BEGIN READ WRITE; SET LOCAL synchronous_commit = off; ${holdStaging(schema, 'ROW SHARE')}`,
    );
    const { rows } = await client.query(
      `SELECT FROM ${stagingTable(jobId, 'job')} WHERE epoch = $1 FOR UPDATE`,
      [epoch],
    );
    if (rows.length > 0) await dropHeld(client, schema, attempt);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    // If the staging was removed after the check, there is nothing to drop.
    if (!isGone(error)) throw await asUntrusted(client, schema, error);
  }
}

/**
 * Drops a staging schema and its hidden schemas with all their objects. Before that, it ends the sessions of older
 * attempts. If an older attempt opens another session, it finds no staging. Therefore, older attempts cannot write to
 * objects that are later created under the same names.
 */
export async function dropHeld(client: Client, schema: string, attempt: JobAttempt): Promise<void> {
  await client.query(`LOCK TABLE ONLY ${quoteTable({ schema, table: 'job' })} IN ACCESS EXCLUSIVE MODE`);
  await endOlderAttempts(client, attempt);
  const schemas = [schema, ...(await ownHiddenSchemas(client, schema))];
  await client.query(`DROP SCHEMA ${schemas.map(quoteIdentifier).join(', ')} CASCADE`);
}
