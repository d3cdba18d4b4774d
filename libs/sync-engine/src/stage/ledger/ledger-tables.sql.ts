import { ledgerComment } from '@understudy/database-swap';
import { quoteIdentifier, quoteLiteral } from '@understudy/postgres';
import { stagingSchema, stagingTable } from '../staging-names.js';

/**
 * The version of the tables below. Increase it when you change them. An agent continues an earlier attempt only if
 * the ledger has the version that the agent supports.
 */
export const LEDGER_FORMAT = 7;

/**
 * Returns SQL that creates the staging schema and the ledger. `chunk_logged` records the chunks of logged tables.
 * `chunk_unlogged` records the chunks of unlogged tables and is itself unlogged, so that a crash of the server removes
 * both the rows and their ledger entries. No column has the type oid, because tables are not swapped if the database
 * has a column of this type.
 */
export function createLedger(jobId: string): string {
  const table = (name: string) => stagingTable(jobId, name);
  const chunk = `(table_index int, chunk int, epoch int NOT NULL, rows int8 NOT NULL, bytes int8 NOT NULL, truncated text NOT NULL, PRIMARY KEY (table_index, chunk))`;
  return `
    CREATE SCHEMA ${quoteIdentifier(stagingSchema(jobId))};
    COMMENT ON SCHEMA ${quoteIdentifier(stagingSchema(jobId))} IS ${quoteLiteral(ledgerComment(jobId))};
    CREATE TABLE ${table('job')} (
      job_id text PRIMARY KEY, epoch int NOT NULL, state text NOT NULL CHECK (state IN ('staging', 'switched')),
      touched_at timestamptz NOT NULL DEFAULT now(), format int NOT NULL DEFAULT ${LEDGER_FORMAT}, fingerprint text NOT NULL, snapshot_id text NOT NULL,
      plan text NOT NULL, late_sql text NOT NULL, finish_sql text NOT NULL,
      swap_sql text NOT NULL, warnings text NOT NULL, outcome text, seal text NOT NULL);
    CREATE TABLE ${table('chunk_logged')} ${chunk};
    CREATE UNLOGGED TABLE ${table('chunk_unlogged')} ${chunk};
    CREATE TABLE ${table('staged')} (table_index int PRIMARY KEY, schema text NOT NULL, name text NOT NULL, kind text NOT NULL, facts text);
    CREATE TABLE ${table('moved')} (n int PRIMARY KEY, classid int8 NOT NULL, objid int8 NOT NULL, schema text NOT NULL);
    CREATE TABLE ${table('build')} (n int PRIMARY KEY, table_index int, building text NOT NULL, attaching text NOT NULL, done boolean NOT NULL);
    CREATE TABLE ${table('foreign_key')} (
      n int PRIMARY KEY, table_index int NOT NULL, referenced_index int, name text NOT NULL, columns text NOT NULL, adding text NOT NULL,
      validating text NOT NULL, is_early boolean NOT NULL, is_fallback boolean NOT NULL, state text NOT NULL);
  `;
}

/**
 * Returns SQL that drops all ledger tables except `job`, which stays until the control plane has confirmed
 * the result.
 */
export function dropLedgerTables(jobId: string): string {
  const tables = ['chunk_logged', 'chunk_unlogged', 'staged', 'moved', 'build', 'foreign_key'];
  return `DROP TABLE ${tables.map((name) => stagingTable(jobId, name)).join(', ')}`;
}

/**
 * Returns SQL that fails if another attempt has claimed the job. The SQL locks the ledger row until the transaction
 * ends, so a later attempt cannot claim the job before that.
 */
export function fence(jobId: string, epoch: number): string {
  return `SELECT 1 / pg_catalog.count(*) FROM
    (SELECT FROM ${stagingTable(jobId, 'job')} WHERE epoch = ${epoch} AND state = 'staging' FOR SHARE) AS held`;
}

/**
 * Returns SQL that records the current time as the job's last activity, in a separate transaction. Other jobs do not
 * remove the staging of a job with recent activity.
 */
export function touch(jobId: string, epoch: number): string {
  return `BEGIN; SET LOCAL synchronous_commit = off;
    UPDATE ${stagingTable(jobId, 'job')} SET touched_at = pg_catalog.clock_timestamp() WHERE epoch = ${epoch}; COMMIT`;
}
