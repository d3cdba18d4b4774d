import { type Client, quoteIdentifier, quoteLiteral } from '@understudy/postgres';
import type { SyncJobCommand, SyncJobResult } from '@understudy/sync-job';
import { sealLedger } from '../../stage/ledger/ledger-seal.js';
import { createLedger, dropLedgerTables } from '../../stage/ledger/ledger-tables.sql.js';
import { stagingSchema, stagingTable } from '../../stage/staging-names.js';
import { limitRights } from './limit-rights.js';

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
 * Gives the new database and all objects of the second login to the owner of the target, in one transaction. Replaces the
 * ledger by one that the agent's role creates. Code of the source may have added constraints or triggers to the ledger of
 * the second login, which would run with the rights of the agent's role. Runs no code of the source, and may be called
 * again.
 * @param client a session of the agent's role in the new database. The role must own the database.
 */
export async function giveToOwners(client: Client, request: GivingRequest): Promise<void> {
  const { command, maskingKey, database, login } = request;
  const { jobId, epoch } = command;
  const owner = quoteIdentifier(request.owner);
  const { rows } = await client.query<{ owner: string }>(OWNER_OF_PUBLIC, [login]);
  const ofPublic = request.isPublicOfDatabase ? 'pg_database_owner' : owner;
  const back = rows.length === 0 ? '' : `ALTER SCHEMA public OWNER TO ${ofPublic};`;
  const ledger = stagingSchema(jobId);
  const schemas = await client.query<{ name: string }>(SCHEMAS, [login, ledger]);
  // An owner needs CREATE on the schema of an object, so schemas are first.
  const given = schemas.rows.map(({ name }) => `ALTER SCHEMA ${quoteIdentifier(name)} OWNER TO ${owner};`);
  const outcome = JSON.stringify(request.outcome);
  const seal = sealLedger(maskingKey, jobId, { state: 'switched', outcome });
  const texts = [jobId, outcome, seal].map(quoteLiteral);
  try {
    await client.query(`BEGIN; DROP SCHEMA IF EXISTS ${quoteIdentifier(ledger)} CASCADE`);
    for (const sql of await limitRights(client, login, command)) await client.query(sql);
    await client.query(`
      ALTER DATABASE ${quoteIdentifier(database)} OWNER TO ${owner}; ${back} ${given.join('\n')}
      REASSIGN OWNED BY ${quoteIdentifier(login)} TO ${owner};
      ${createLedger(jobId)}; ${dropLedgerTables(jobId)};
      INSERT INTO ${stagingTable(jobId, 'job')}
             (job_id, epoch, state, fingerprint, snapshot_id, plan, late_sql, finish_sql, swap_sql, warnings, outcome, seal)
      VALUES (${texts[0]}, ${epoch}, 'switched', '', '', '', '', '', '', '', ${texts[1]}, ${texts[2]}); COMMIT`);
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** $1: the second login, $2: the schema of the ledger. */
const SCHEMAS = `
  SELECT n.nspname AS name FROM pg_catalog.pg_namespace n
   WHERE pg_catalog.pg_get_userbyid(n.nspowner) = $1 AND n.nspname NOT IN ('public', $2)
`;

/** $1: the second login. */
const OWNER_OF_PUBLIC = `
  SELECT FROM pg_catalog.pg_namespace n
   WHERE n.nspname = 'public' AND pg_catalog.pg_get_userbyid(n.nspowner) = $1
     AND EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'pg_database_owner')
`;
