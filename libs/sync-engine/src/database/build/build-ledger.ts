import { type Client, OWN_PATH, quoteLiteral, readMajorVersion, readRows } from '@understudy/postgres';
import type { SyncWarning } from '@understudy/sync-job';
import type { BuildSteps } from '../../progress/build-meter.js';
import type { JobAttempt } from '../../session/job-attempt.js';
import type { LocatedClient } from '../../session/located-client.js';
import { rollBackAndThrow } from '../../stage/claim-epoch.js';
import { sealLedger } from '../../stage/ledger/ledger-seal.js';
import { createLedger, fence, touch } from '../../stage/ledger/ledger-tables.sql.js';
import type { KeyDefinition } from '../../stage/foreign-keys/key-definition.js';
import { recordKeys } from '../../stage/foreign-keys/staged-key.js';
import type { Build, StagedTable } from '../../stage/ledger/staging-ledger.js';
import { stagingTable } from '../../stage/staging-names.js';

/**
 * When a step runs, in this order.
 * - `define`: post-data of the dump that changes what later rows may be: foreign keys, triggers, rules, statistics.
 * - `refresh`: fills a materialized view.
 * - `secure`: row security and event triggers, which must not act while the database is built.
 */
export type StepPhase = 'define' | 'refresh' | 'secure';

/** The phase of the build in which the progress of a job counts a step. */
export const BUILD_PHASE_OF = { define: 'keys', refresh: 'views', secure: 'views' } as const;

/** A transaction that runs after all rows are copied. Steps run one after another. */
export interface Step {
  readonly n: number;
  readonly phase: StepPhase;
  readonly sql: string;
}

export interface BuildLedgerRequest {
  readonly attempt: JobAttempt;
  readonly maskingKey: Uint8Array;
  readonly fingerprint: string;
  readonly snapshotId: string;
  /** The job's chunks as JSON. */
  readonly plan: string;
  /** The settings that each session needs before it runs a step. */
  readonly settings: string;
  readonly tables: readonly StagedTable[];
  /** The tables without rows, which keys can reference. */
  readonly emptyTables: readonly StagedTable[];
  /** The foreign keys that are created as soon as all indexes are built. */
  readonly keys: readonly KeyDefinition[];
  readonly builds: readonly Build[];
  readonly steps: readonly Step[];
  readonly warnings: readonly SyncWarning[];
}

/**
 * Creates the ledger of a new database, in one transaction. Call it when all tables exist. A database without a ledger
 * has no rows, so a later attempt drops it.
 */
export async function createBuildLedger(client: LocatedClient, request: BuildLedgerRequest): Promise<void> {
  const { attempt, maskingKey, fingerprint, snapshotId, plan, settings, tables, builds, steps } = request;
  const { jobId, epoch } = attempt;
  const table = (name: string) => stagingTable(jobId, name);
  // The tables have their real names from the beginning.
  const staged = [...tables, ...request.emptyTables];
  const hiddenSchemas = new Map(staged.map(({ into }) => [into.schema, into.schema]));
  const majorVersion = await readMajorVersion(client);
  const recorded = recordKeys(jobId, { keys: request.keys, staged, hiddenSchemas, majorVersion });
  const warnings = JSON.stringify(request.warnings);
  const seal = sealLedger(maskingKey, jobId, {
    ...{ state: 'staging', fingerprint, plan, warnings },
    ...{ deferredSql: '', postDataSql: settings, swapSql: '' },
  });
  const texts = [fingerprint, snapshotId, plan, '', settings, '', warnings, seal].map(quoteLiteral);
  try {
    await client.query(`BEGIN; SET LOCAL synchronous_commit = off; ${createLedger(jobId)};
      CREATE TABLE ${table('step')} (n int PRIMARY KEY, phase text NOT NULL, sql text NOT NULL, done boolean NOT NULL DEFAULT false)`);
    await client.query(
      `INSERT INTO ${table('staged')} (table_index, schema, name, kind)
       SELECT i, s, t, 'moved' FROM ROWS FROM (pg_catalog.unnest($1::int[]), pg_catalog.unnest($2::text[]), pg_catalog.unnest($3::text[])) AS u (i, s, t)`,
      [
        tables.map(({ tableIndex }) => tableIndex),
        tables.map(({ into }) => into.schema),
        tables.map(({ into }) => into.table),
      ],
    );
    await client.query(
      `INSERT INTO ${table('build')} (n, table_index, building, attaching, done)
       SELECT n, i, b, a, false FROM ROWS FROM (pg_catalog.unnest($1::int[]), pg_catalog.unnest($2::int[]), pg_catalog.unnest($3::text[]), pg_catalog.unnest($4::text[])) AS u (n, i, b, a)`,
      [
        builds.map(({ n }) => n),
        builds.map(({ tableIndex }) => tableIndex ?? null),
        builds.map(({ building }) => building),
        builds.map(({ attaching }) => attaching),
      ],
    );
    await client.query(
      `INSERT INTO ${table('step')} (n, phase, sql)
       SELECT n, p, s FROM ROWS FROM (pg_catalog.unnest($1::int[]), pg_catalog.unnest($2::text[]), pg_catalog.unnest($3::text[])) AS u (n, p, s)`,
      [steps.map(({ n }) => n), steps.map(({ phase }) => phase), steps.map(({ sql }) => sql)],
    );
    await client.query(`
      INSERT INTO ${table('job')}
             (job_id, epoch, state, fingerprint, snapshot_id, plan, late_sql, finish_sql, swap_sql, warnings, seal)
      VALUES (${quoteLiteral(jobId)}, ${epoch}, 'staging', ${texts.join(', ')});
      ${recorded} ${fence(jobId, epoch)}; COMMIT`);
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Counts what the ledger has to build after the rows, for the progress of the job. */
export async function countSteps(client: Client, jobId: string): Promise<readonly BuildSteps[]> {
  const table = (name: string) => stagingTable(jobId, name);
  const counted = await readRows<BuildSteps>(
    client,
    `SELECT phase, table_index AS "tableIndex", count(*)::int AS total, count(*) FILTER (WHERE done)::int AS done
       FROM (SELECT 'indexes' AS phase, table_index, done FROM ${table('build')}
             UNION ALL SELECT 'keys', table_index, state IN ('validated', 'kept_not_valid') OR state = 'added' AND validating = ''
               FROM ${table('foreign_key')}
             UNION ALL SELECT CASE phase WHEN 'define' THEN 'keys' ELSE 'views' END, NULL, done FROM ${table('step')}) AS steps
      GROUP BY phase, table_index`,
  );
  const none = (['indexes', 'keys', 'views'] as const).map((phase) => ({ phase, total: 0, done: 0 }));
  return [...none, ...counted];
}

/** Reads the steps of a phase that no attempt has finished, in their order. */
export function readSteps(client: Client, jobId: string, phase: StepPhase): Promise<readonly Step[]> {
  return readRows<Step>(
    client,
    `SELECT n, phase, sql FROM ${stagingTable(jobId, 'step')} WHERE NOT done AND phase = ${quoteLiteral(phase)} ORDER BY n`,
  );
}

/**
 * Runs a step in one transaction, and records in the ledger that it is done.
 * @param setPath SQL that sets the search path with which the server evaluates rows
 * @throws SyncJobError lease_lost · create_failed, or another failure of the statement
 */
export async function runStep(
  client: LocatedClient,
  { n, sql }: Step,
  { attempt, setPath }: { readonly attempt: JobAttempt; readonly setPath: string },
): Promise<void> {
  const { jobId, epoch } = attempt;
  const markDone = `UPDATE ${stagingTable(jobId, 'step')} SET done = true WHERE n = ${n}`;
  try {
    await client.query(`BEGIN; SET LOCAL synchronous_commit = off; ${setPath}`);
    await client.with({ otherwise: 'create_failed' }).query(sql);
    await client.query(`${OWN_PATH}; ${markDone}; ${fence(jobId, epoch)}; COMMIT; ${touch(jobId, epoch)}`);
  } catch (error) {
    await rollBackAndThrow(client.plain, attempt, error);
  }
}

/** Returns SQL that drops the steps. */
export function dropSteps(jobId: string): string {
  return `DROP TABLE ${stagingTable(jobId, 'step')}`;
}
