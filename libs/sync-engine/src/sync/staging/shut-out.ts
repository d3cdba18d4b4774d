import type { Client } from '../../postgres/session.js';
import { endOlderAttempts } from '../end-older-attempts.js';
import { SyncJobError } from '../sync-job-error.js';
import { isThere } from './staging-ledger.js';
import { type JobAttempt, stagingTable } from './staging-names.js';

/**
 * Makes the epoch ours. Whoever is about to commit under an older one holds the row: it gets a moment, for it may be done, and is
 * then ended.
 * @throws SyncJobError lease_lost when a later attempt was here
 */
export async function shutOut(client: Client, attempt: JobAttempt): Promise<void> {
  const { jobId, epoch } = attempt;
  const table = stagingTable(jobId, 'job');
  if (!(await isThere(client, table))) return;
  for (let tries = 1; ; tries++) {
    try {
      await client.query(
        `BEGIN; SET LOCAL lock_timeout = '${MOMENT_MS}ms';
         UPDATE ${table} SET epoch = ${epoch}, touched_at = pg_catalog.clock_timestamp() WHERE epoch <= ${epoch}; COMMIT`,
      );
      break;
    } catch (error) {
      await client.query('ROLLBACK');
      const { code } = error as { code?: unknown };
      // Dropped by its own end meanwhile: nothing to be shut out of.
      if (code === '42P01' || code === '3F000') return;
      if (code !== '55P03' || tries === MAX_TRIES) throw error;
      await endOlderAttempts(client, attempt);
    }
  }
  const { rows } = await client.query(`SELECT FROM ${table} WHERE epoch > ${epoch}`);
  if (rows.length > 0) throw new SyncJobError({ code: 'lease_lost' });
}

const MOMENT_MS = 2_000;
const MAX_TRIES = 5;
