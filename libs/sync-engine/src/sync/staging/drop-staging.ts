import { quoteIdentifier, quoteLiteral } from '../../postgres/quote.js';
import type { Client } from '../../postgres/session.js';
import { isThere } from './staging-ledger.js';
import { type JobAttempt, stagingSchema, stagingTable } from './staging-names.js';

/** Removes all that the job has on the target, unless a later attempt has it. */
export async function dropStaging(client: Client, { jobId, epoch }: JobAttempt): Promise<void> {
  const table = stagingTable(jobId, 'job');
  if (!(await isThere(client, table))) return;
  await client.query('BEGIN; SET LOCAL synchronous_commit = off');
  try {
    const { rows } = await client.query(`SELECT FROM ${table} WHERE epoch = $1 FOR UPDATE`, [epoch]);
    if (rows.length > 0) await dropSchemas(client, stagingSchema(jobId));
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    // Gone between the look and the lock: somebody else has swept.
    if ((error as { code?: unknown }).code !== '42P01') throw error;
  }
}

/** A staging schema and its shadow schemas, with all in them. */
export async function dropSchemas(client: Client, schema: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT nspname AS name FROM pg_catalog.pg_namespace WHERE nspname = ${quoteLiteral(schema)}
        OR pg_catalog.starts_with(nspname, ${quoteLiteral(`${schema}.`)})`,
  );
  if (rows.length === 0) return;
  await client.query(`DROP SCHEMA ${rows.map(({ name }) => quoteIdentifier(name)).join(', ')} CASCADE`);
}
