import type { LocatedClient } from '../../session/located-client.js';
import { EvaluationPaths, OWN_PATH, quoteIdentifier, quoteTable, type Session } from '@understudy/postgres';
import { type JobSequences, moveSequences } from './advance-sequences.js';
import { emptyTables } from './replace-rows.js';
import {
  type OrphanMode,
  SyncJobError,
  type SyncJobResult,
  type SyncWarning,
  type Verification,
} from '@understudy/sync-job';
import type { ReachStep } from '../../sync-steps.js';
import { orphanWarning } from '../../plan/orphans/orphan-problem.js';
import type { TablePlan } from '../../plan/table-plan.js';
import { type IndexRow, indexStatements, PLAIN_INDEXES_OF } from '../create/index-definitions.js';
import {
  type ExistingTables,
  readExistingTables,
  requireNoExtras,
  requireNone,
  requireOwnColumns,
  requireUnaltered,
  requireUnchanged,
} from '../create/require-unaltered.js';
import { runDefinition } from '../create/run-definition.js';
import { createKey, type NewKey } from '../foreign-keys/create-key.js';
import { readStagedKeys } from '../foreign-keys/staged-key.js';
import { dropLedgerTables, touch } from '../ledger/ledger-tables.sql.js';
import { ForcedRowSecurity } from './forced-row-security.js';
import { moveBack } from './move-objects.js';
import { OwnRows } from './own-rows.js';
import { DURABLE, ownSettings } from './own-settings.js';
import { renewStatistics } from './renew-statistics.js';
import { LASTING_STATISTICS } from './renew-statistics.sql.js';
import { LockWatch } from './lock-watch.js';
import { type LockRetry, untilUnlocked } from './lock-retry.js';
import { rollBackAndThrow } from '../claim-epoch.js';
import { recordOutcome, type StagedTable } from '../ledger/staging-ledger.js';
import { ownHiddenSchemas } from '../own-staging.js';
import { stagingSchema, stagingTable } from '../staging-names.js';
import { type JobAttempt } from '../../session/job-attempt.js';
import { type LockedTable, lockHolders, lockTables, tablesToLock } from './switch-locks.js';
import {
  dropReplaced,
  type Swap,
  SwapRefused,
  swapsOf,
  keepHidden,
  requireSame,
} from '../swap/switch-swap.js';

export interface SwitchRequest {
  readonly attempt: JobAttempt;
  readonly maskingKey: Uint8Array;
  readonly plans: readonly TablePlan[];
  readonly staged: readonly StagedTable[];
  /** The existing tables before the job; undefined if the target had no event trigger. */
  readonly existing: ExistingTables | undefined;
  /** Whether writing the rows calls functions of users, which can change other tables. */
  readonly runsCode: boolean;
  /** The choice of the policy. */
  readonly allowSharedSchemas: boolean;
  /** The number of copied rows according to the ledger, by table index. */
  readonly rows: ReadonlyMap<number, number>;
  readonly deferredSql: string;
  readonly postDataSql: string;
  readonly swapSql: string;
  readonly orphans: OrphanMode;
  /** The session of the target. */
  readonly session: Session;
  /** A client of the database that the definitions come from. */
  readonly source: LocatedClient;
  /** The sequences to move beyond the values in use. */
  readonly sequences: JobSequences;
  /** Verifies the switched tables, before the commit. */
  readonly verify: () => Promise<Verification>;
  /**
   * Builds the job's result, which the ledger stores and the agent reports.
   * @param warnings the warnings of the switch
   */
  readonly outcomeOf: (verification: Verification, warnings: readonly SyncWarning[]) => SyncJobResult;
  readonly reached: ReachStep;
  readonly retry: LockRetry;
  /** Called directly before the commit. If it throws, the switch is rolled back. */
  readonly beforeCommit: () => void;
}

/**
 * Switches the target in one transaction. The transaction moves new tables to their real schemas, and swaps or rewrites
 * existing tables. It restores foreign keys, triggers and rules, verifies the rows, and records the job's result in the
 * ledger row. If other sessions lock the tables, the transaction is rolled back and repeated. If a table can no longer
 * be swapped, the transaction is also repeated, and rewrites all existing tables from the staged rows.
 * @throws SyncJobError, such as lock_timeout, or lease_lost if a later attempt has claimed the job. If the connection
 * is lost during COMMIT, only the ledger row shows whether the switch was committed.
 */
export async function switchTarget(client: LocatedClient, request: SwitchRequest): Promise<SyncJobResult> {
  const { attempt, retry, plans, reached } = request;
  await reached('switch_begun');
  let tables: readonly LockedTable[] = [];
  let swaps = swapsOf(plans, request.staged);
  const attemptSwitch = async (): Promise<SyncJobResult> => {
    await requireEpoch(client, attempt);
    tables = await tablesToLock(client, attempt.jobId, plans);
    try {
      return await switchOnce(client, { ...request, swaps }, tables);
    } catch (error) {
      if (!(error instanceof SwapRefused)) throw error;
      retry.log.info({ detail: error.message }, 'existing tables will be rewritten');
      swaps = [];
      return attemptSwitch();
    }
  };
  return untilUnlocked(retry, attemptSwitch, () => lockHolders(client, tables, plans));
}

/**
 * Records the job's activity, and checks that no later attempt has claimed the job. Called before each try of the
 * switch.
 * @throws SyncJobError lease_lost
 */
async function requireEpoch(client: LocatedClient, { jobId, epoch }: JobAttempt): Promise<void> {
  await client.query(touch(jobId, epoch));
  const { rows } = await client.query(`SELECT FROM ${stagingTable(jobId, 'job')} WHERE epoch = $1`, [epoch]);
  if (rows.length === 0) throw new SyncJobError({ code: 'lease_lost' });
}

interface SwitchAttempt extends SwitchRequest {
  /** The tables that this try swaps. The try rewrites all other existing tables. */
  readonly swaps: readonly Swap[];
}

async function switchOnce(
  client: LocatedClient,
  request: SwitchAttempt,
  tables: readonly LockedTable[],
): Promise<SyncJobResult> {
  const { attempt, plans, retry, reached } = request;
  await client.query(`BEGIN; ${DURABLE}`);
  let outcome: SyncJobResult;
  let watch: LockWatch | undefined;
  try {
    await lockTables(client, tables, retry.tryMs);
    const before = request.existing ?? (await readExistingTables(client, plans));
    if (before !== undefined) {
      await ownSettings(client, retry.tryMs);
      watch = new LockWatch(request.session, retry.tryMs);
    }
    outcome = await prepare(client, request, before);
    await reached('before_commit');
    await watch?.stop();
    request.beforeCommit();
  } catch (error) {
    await watch?.stop();
    return await rollBackAndThrow(client.plain, attempt, watch?.errorOf(error, client.context) ?? error);
  }
  await client.query('COMMIT');
  return outcome;
}

async function prepare(
  client: LocatedClient,
  request: SwitchAttempt,
  before: ExistingTables | undefined,
): Promise<SyncJobResult> {
  const { attempt, plans, swaps, deferredSql, postDataSql } = request;
  const creating = client.with({ otherwise: 'create_failed' });
  const definition = { source: request.source, plans };
  const ownRows =
    before === undefined && !request.runsCode
      ? undefined
      : await OwnRows.read(client, attempt, plans, request.rows);
  await makeRoom(client, request);
  await moveBack(creating, attempt.jobId);
  if (deferredSql !== '') await runDefinition(client, deferredSql, definition);
  const isSwapped = ({ index }: TablePlan) => swaps.some(({ plan }) => plan.index === index);
  const existing = plans.flatMap((plan) => (plan.target && !isSwapped(plan) ? [plan.target] : []));
  const emptied = await emptyTables(client, existing, request);
  // Read again, because the created objects are in their real schemas only now.
  const paths = await readPaths(client, request);
  const withOldStatistics = await refill(client, { ...request, ownRows }, paths);
  if (before !== undefined) await emptied.requireDisabled();
  if (postDataSql.trim() !== '') {
    // Only a table that was filled just now still lacks its indexes.
    const evaluates = request.staged.some(({ kind }) => kind === 'text');
    const sql = evaluates ? `${paths.sqlFor(undefined)}; ${postDataSql}; ${OWN_PATH}` : postDataSql;
    await runDefinition(client, sql, definition);
  }
  if (swaps.length > 0) await creating.query(request.swapSql);
  const keptOrphans = await createLateKeys(creating, request);
  if (swaps.length > 0) await requireSame(client, swaps);
  keptOrphans.push(...(await emptied.restore()));
  const forced = await ForcedRowSecurity.read(client, plans);
  const moved = await forced.suspended(() =>
    moveSequences(client, plans, request.sequences, request.retry.log),
  );
  await dropStagedRows(client, request);
  // Otherwise, deferred triggers that code of the target has caused would run after the checks, at the commit.
  if (ownRows !== undefined) {
    await ownSettings(client, request.retry.tryMs);
    await client.query('SET CONSTRAINTS ALL IMMEDIATE');
  }
  const read = plans.flatMap(({ name, source, target }) => [name, ...(target ?? source).partitions]);
  const verification = await forced.suspendedForReading([...read, ...request.sequences.names], async () => {
    await ownRows?.requireSwitched();
    return verify(client, request, ownRows !== undefined);
  });
  // No statement that runs event triggers may follow.
  if (before !== undefined) {
    await requireUnaltered(client, definition, 'complete');
    await requireUnchanged(client, before);
    await ownRows?.requireDropped();
    await requireNoExtras(client, [stagingSchema(attempt.jobId)], request.staged, plans);
  }
  const outcome = request.outcomeOf(verification, [
    ...moved,
    ...keptOrphans.map((key) => orphanWarning('orphans_kept', key.tableIndex ?? 0, key)),
    ...withOldStatistics.map(({ index }) => ({ code: 'old_statistics_kept', tableIndex: index }) as const),
  ]);
  await recordOutcome(client, request, outcome);
  return outcome;
}

/**
 * Creates the foreign keys that the hidden tables do not have yet.
 * @returns all keys that stay NOT VALID, because the job keeps rows that violate them
 */
async function createLateKeys(client: LocatedClient, request: SwitchAttempt): Promise<NewKey[]> {
  const { attempt, staged, swaps } = request;
  const notValid: NewKey[] = [];
  const isKept = (index: number | undefined) => {
    const table = staged.find(({ tableIndex }) => tableIndex === index);
    return table?.kind === 'swapped' && !swaps.some((swap) => swap.staged === table);
  };
  for (const key of await readStagedKeys(client, attempt.jobId)) {
    // An existing table that this try does not swap has its keys.
    if (isKept(key.tableIndex)) continue;
    if ((key.isEarly || key.isFallback) && key.isFallback !== isKept(key.referencedIndex)) continue;
    const isValid = key.isEarly ? key.state !== 'kept_not_valid' : await createKey(client, key, request);
    if (!isValid) notValid.push(key);
  }
  return notValid;
}

/**
 * Verifies the switched tables. The job has just moved the sequences, so if only they fail, code of the target has moved
 * one back.
 */
async function verify(
  client: LocatedClient,
  { verify: verifying, plans }: SwitchAttempt,
  runsCode: boolean,
): Promise<Verification> {
  try {
    return await verifying();
  } catch (error) {
    if (!runsCode || !(error instanceof SyncJobError)) throw error;
    const failed = error.failure.verification?.checks.filter(({ ok }) => !ok) ?? [];
    if (failed.every(({ kind }) => kind === 'sequences')) {
      const behind = plans.filter(({ index }) => failed.some(({ tableIndex }) => tableIndex === index));
      requireNone(
        behind.map(({ name }) => name),
        client.context.tableIndexOf,
      );
    }
    throw error;
  }
}

function readPaths(
  client: LocatedClient,
  { plans, allowSharedSchemas }: SwitchRequest,
): Promise<EvaluationPaths> {
  const existing = plans.flatMap(({ target }) => target?.oid ?? []);
  return EvaluationPaths.read(client, existing, allowSharedSchemas);
}

/**
 * Drops the existing tables that this try swaps. If it swaps none, makes the staged replacement tables stay in their
 * hidden schemas.
 */
async function makeRoom(
  client: LocatedClient,
  { attempt: { jobId }, plans, staged, swaps }: SwitchAttempt,
): Promise<void> {
  const listed = plans.flatMap(({ target }) => target?.oid ?? []);
  if (swaps.length > 0) {
    await dropReplaced(client, swaps, listed);
    return;
  }
  const given = swapsOf(plans, staged);
  if (given.length > 0) await keepHidden(client, jobId, given);
}

/** Lists the staged tables whose rows this try inserts into existing or deferred tables. */
function refilled({ staged, swaps }: SwitchAttempt): readonly StagedTable[] {
  const shown = new Set(swaps.map((swap) => swap.staged));
  return staged.filter((table) => table.kind !== 'moved' && !shown.has(table));
}

interface RefillRequest extends SwitchAttempt {
  /** Undefined if no code of the target can change tables. */
  readonly ownRows: OwnRows | undefined;
}

/**
 * Inserts the staged rows into existing and deferred tables, and replaces the planner statistics of these tables.
 * @returns the plans of the tables that may keep statistics of old rows
 */
async function refill(
  client: LocatedClient,
  request: RefillRequest,
  paths: EvaluationPaths,
): Promise<readonly TablePlan[]> {
  const filled = refilled(request).flatMap((table) => {
    const plan = request.plans.find(({ index }) => index === table.tableIndex);
    return plan === undefined ? [] : [{ plan, table }];
  });
  const plans = filled.map(({ plan }) => plan);
  const columns = await writtenColumns(client, plans);
  const lasting = await tablesWithLastingStatistics(client, plans);
  for (const { plan, table } of filled)
    await fill(
      client,
      plan,
      { ...table, columns: columns.get(plan) ?? [], hasLasting: lasting.has(plan) },
      { ...request, paths },
    );
  return renewStatistics(client, plans, paths);
}

/** Inserts all staged rows of a table with one statement. */
async function fill(
  client: LocatedClient,
  plan: TablePlan,
  staged: StagedTable & { readonly columns: readonly WrittenColumn[]; readonly hasLasting: boolean },
  request: RefillRequest & { readonly paths: EvaluationPaths },
): Promise<void> {
  const { rows, ownRows, paths, retry, plans } = request;
  const onTable = client.at(plan.index);
  const { into, kind, columns, hasLasting } = staged;
  const names = columns.flatMap(({ name, isGenerated }) => (isGenerated ? [] : quoteIdentifier(name)));
  const sql =
    kind === 'text' && names.length > 0
      ? insertTexts(plan, into, columns)
      : // INSERT has no syntax for an empty column list, so a table without columns gets none.
        `INSERT INTO ${quoteTable(plan.name)} ${names.length > 0 ? `(${names.join(', ')}) OVERRIDING SYSTEM VALUE` : ''}
         SELECT ${names.join(', ')} FROM ONLY ${quoteTable(into)}`;
  const expected = rows.get(plan.index) ?? 0;
  const rebuild = expected < REBUILD_FROM_ROWS && !hasLasting ? [] : await dropPlainIndexes(onTable, plan);
  if (ownRows !== undefined) {
    await ownSettings(onTable, retry.tryMs);
    await requireOwnColumns(onTable, [staged], plans);
    await ownRows.requireStaged([staged], onTable);
  }
  await onTable.query(paths.sqlFor(plan.target?.oid));
  const inserted = await onTable.query(sql);
  await ownRows?.recordInsert(plan, into);
  await onTable.query([...rebuild, OWN_PATH].join('; '));
  if (inserted.rowCount === expected) return;
  throw new SyncJobError(
    { code: 'internal', tableIndex: plan.index },
    {
      cause: new Error(`the ledger counts ${expected} rows, but ${inserted.rowCount ?? 0} rows are staged`),
    },
  );
}

/**
 * If at least this many rows are inserted, indexes are dropped before the insert and built again afterwards. With
 * fewer rows, updating the indexes for each row is at least as fast.
 */
const REBUILD_FROM_ROWS = 10_000;

/**
 * Drops the indexes that {@link PLAIN_INDEXES_OF} selects, before rows are inserted. Building an index from all rows
 * takes a third of the time of updating it for each row.
 * @returns the statements that create the indexes again
 */
async function dropPlainIndexes(client: LocatedClient, { name }: TablePlan): Promise<readonly string[]> {
  const { rows } = await client.query<IndexRow>(PLAIN_INDEXES_OF, [quoteTable(name)]);
  if (rows.length > 0) await client.query(`DROP INDEX ${rows.map(({ index }) => index).join(', ')}`);
  const made = rows.map(indexStatements);
  return [...made.flatMap(({ building }) => building), ...made.flatMap(({ attaching }) => attaching)];
}

/**
 * Finds the tables with an index whose statistics ANALYZE may keep, see {@link LASTING_STATISTICS}. Only dropping such
 * an index surely removes its statistics.
 */
async function tablesWithLastingStatistics(
  client: LocatedClient,
  plans: readonly TablePlan[],
): Promise<ReadonlySet<TablePlan>> {
  if (plans.length === 0) return new Set();
  const { rows } = await client.query<{ n: number }>(
    `SELECT DISTINCT l.n::int AS n FROM pg_catalog.unnest($1::text[]) WITH ORDINALITY AS l (name, n)
       JOIN pg_catalog.pg_index i ON i.indrelid = l.name::pg_catalog.regclass
      WHERE ${LASTING_STATISTICS}`,
    [plans.map(({ name }) => quoteTable(name))],
  );
  return new Set(rows.flatMap(({ n }) => plans[n - 1] ?? []));
}

/**
 * Inserts values that are staged as text. Converts whole rows, because the server reads them with the input functions of
 * the columns' types, as COPY does. For a single value, it would use a cast of the target, which can change the value.
 */
function insertTexts(
  { name }: TablePlan,
  into: StagedTable['into'],
  columns: readonly WrittenColumn[],
): string {
  const written = columns.filter(({ isGenerated }) => !isGenerated).map((one) => quoteIdentifier(one.name));
  const row = columns.map((one) => (one.isGenerated ? 'NULL' : quoteIdentifier(one.name)));
  // Without OFFSET, the server would convert each row once for each column.
  return `INSERT INTO ${quoteTable(name)} (${written.join(', ')}) OVERRIDING SYSTEM VALUE
          SELECT ${written.map((column) => `(r.converted).${column}`).join(', ')}
            FROM (SELECT ROW(${row.join(', ')})::text::${quoteTable(name)} AS converted FROM ONLY ${quoteTable(into)} OFFSET 0) AS r`;
}

interface WrittenColumn {
  readonly name: string;
  readonly isGenerated: boolean;
}

/** Reads the columns of all tables in one round trip, because other sessions wait for the tables. */
async function writtenColumns(
  client: LocatedClient,
  plans: readonly TablePlan[],
): Promise<ReadonlyMap<TablePlan, readonly WrittenColumn[]>> {
  if (plans.length === 0) return new Map();
  const { rows } = await client.query<WrittenColumn & { n: number }>(WRITTEN_COLUMNS, [
    plans.map(({ name }) => quoteTable(name)),
  ]);
  const columns = plans.map((): WrittenColumn[] => []);
  for (const { n, ...column } of rows) columns[n - 1]?.push(column);
  return new Map(plans.map((plan, i) => [plan, columns[i] ?? []]));
}

/** Selects the columns of tables in their order. $1: the tables. */
const WRITTEN_COLUMNS = `
  SELECT l.n::int AS n, a.attname AS name, a.attgenerated <> '' AS "isGenerated"
    FROM pg_catalog.unnest($1::text[]) WITH ORDINALITY AS l (name, n)
    JOIN pg_catalog.pg_attribute a ON a.attrelid = l.name::regclass
   WHERE a.attnum > 0 AND NOT a.attisdropped
   ORDER BY l.n, a.attnum
`;

async function dropStagedRows(client: LocatedClient, request: SwitchAttempt): Promise<void> {
  const { jobId } = request.attempt;
  const filled = refilled(request).map(({ into }) => quoteTable(into));
  const hidden = await ownHiddenSchemas(client, stagingSchema(jobId));
  // RESTRICT fails if a hidden schema is not empty, which means that an object was not moved to its real
  // schema.
  const schemas = hidden.map((name) => `DROP SCHEMA ${quoteIdentifier(name)} RESTRICT`);
  const tables = filled.length === 0 ? [] : [`DROP TABLE ${filled.join(', ')}`];
  await client.query([...tables, ...schemas, dropLedgerTables(jobId)].join('; '));
}
