import { type Client, quoteIdentifier, quoteLiteral } from '@understudy/postgres';
import type { SyncJobCommand, SyncJobResult } from '@understudy/sync-job';
import { sealLedger } from '../../stage/ledger/ledger-seal.js';
import { createLedger, dropLedgerTables } from '../../stage/ledger/ledger-tables.sql.js';
import { stagingSchema, stagingTable } from '../../stage/staging-names.js';
import { limitRights } from './limit-rights.js';
import { runEach, type Statements } from './object-privileges.js';

export interface GivingRequest {
  readonly command: SyncJobCommand;
  readonly maskingKey: Uint8Array;
  readonly outcome: SyncJobResult;
  readonly database: string;
  /** The name of the second login. */
  readonly login: string;
  readonly owner: string;
  /** Whether the schema `public` belongs to the owner of the database, who may change. The default since PostgreSQL 15. */
  readonly isPublicOfDatabase: boolean;
}

/**
 * Gives the new database and all objects of the second login to the owner of the target. Replaces the ledger by one that
 * the agent's role creates. Code of the source may have added constraints or triggers to the ledger of the second login,
 * which would run with the rights of the agent's role. Runs no code of the source, and may be called again.
 *
 * A change of an owner locks the object, and each index of a table. Therefore, most objects are given in small
 * transactions. The last one gives all that are left together with the ledger, so no object keeps its owner.
 * @param client a session of the agent's role in the new database. The role must own the database.
 */
export async function giveToOwners(client: Client, request: GivingRequest): Promise<void> {
  const { command, maskingKey, database, login } = request;
  const { jobId, epoch } = command;
  const owner = quoteIdentifier(request.owner);
  const ledger = quoteIdentifier(stagingSchema(jobId));
  const giving = (limits: ReadonlyMap<string, Statements>) =>
    [...limits].map(([key, sql]) => {
      const isOfDatabase = key === 'SCHEMA public' && request.isPublicOfDatabase;
      const to = isOfDatabase ? 'pg_database_owner' : owner;
      // In one statement, because no object may change its owner before its rights are limited.
      return { key, sql: [...sql, `ALTER ${key} OWNER TO ${to}`].join('; ') };
    });
  const isSchema = ({ key }: { readonly key: string }) => key.startsWith('SCHEMA ');
  const given = giving(await limitRights(client, login, command));
  // An owner needs CREATE on the schema of an object, so schemas are first.
  const first = [`ALTER DATABASE ${quoteIdentifier(database)} OWNER TO ${owner}`];
  await inTransaction(client, async () => {
    for (const sql of [...first, ...given.filter(isSchema).map((one) => one.sql)]) await client.query(sql);
  });
  const others = given.filter((one) => !isSchema(one));
  await runEach(
    client,
    others.map(({ sql }) => [sql]),
  );
  const outcome = JSON.stringify(request.outcome);
  const seal = sealLedger(maskingKey, jobId, { state: 'switched', outcome });
  const texts = [jobId, outcome, seal].map(quoteLiteral);
  await inTransaction(client, async () => {
    await client.query(`DROP SCHEMA IF EXISTS ${ledger} CASCADE`);
    for (const sql of [...(await limitRights(client, login, command)).values()].flat())
      await client.query(sql);
    await client.query(`
      REASSIGN OWNED BY ${quoteIdentifier(login)} TO ${owner};
      ${createLedger(jobId)}; ${dropLedgerTables(jobId)};
      INSERT INTO ${stagingTable(jobId, 'job')}
             (job_id, epoch, state, fingerprint, snapshot_id, plan, late_sql, finish_sql, swap_sql, warnings, outcome, seal)
      VALUES (${texts[0]}, ${epoch}, 'switched', '', '', '', '', '', '', '', ${texts[1]}, ${texts[2]})`);
  });
}

async function inTransaction(client: Client, work: () => Promise<void>): Promise<void> {
  try {
    await client.query('BEGIN');
    await work();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
