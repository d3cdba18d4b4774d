import { guard, type FailureContext } from '../../session/guard.js';
import { quoteIdentifier, quoteTable, restartSequences, type Client } from '@understudy/postgres';
import { emptyTables } from './replace-rows.js';
import { SyncJobError, type SyncJobResult, type Verification } from '@understudy/sync-job';
import type { ReachStep } from '../../steps.js';
import type { TablePlan } from '../../plan/table-plan.js';
import { type IndexRow, indexStatements, PLAIN_INDEXES_OF } from '../create/index-definitions.js';
import { sealLedger } from '../ledger/ledger-seal.js';
import { dropLedgerTables, touch } from '../ledger/ledger-tables.sql.js';
import { moveBack } from './move-objects.js';
import { type LockRetry, untilUnlocked } from './lock-retry.js';
import { rollBackAndThrow } from '../claim-epoch.js';
import type { StagedTable } from '../ledger/staging-ledger.js';
import { stagingSchema, stagingTable } from '../staging-names.js';
import { type JobAttempt } from '../../session/job-attempt.js';
import { type LockedTable, lockHolders, lockTables, tablesToLock } from './switch-locks.js';
import {
  dropReplaced,
  type Swap,
  SwapRefused,
  swapsOf,
  keepOutOfSight,
  requireSame,
} from '../swap/switch-swap.js';

export interface SwitchRequest {
  readonly attempt: JobAttempt;
  readonly maskingKey: Uint8Array;
  readonly plans: readonly TablePlan[];
  readonly staged: readonly StagedTable[];
  /** Rows that the ledger counts, by table index. */
  readonly rows: ReadonlyMap<number, number>;
  readonly lateSql: string;
  readonly finishSql: string;
  readonly swapSql: string;
  /** Looks at everything in its place, before the commit. */
  readonly verify: () => Promise<Verification>;
  /** What the ledger's row and the report of success say. */
  readonly outcomeOf: (verification: Verification) => SyncJobResult;
  readonly contextOf: (tableIndex?: number) => FailureContext;
  readonly reached: ReachStep;
  readonly retry: LockRetry;
  /** The last moment at which the switch can be called off, by throwing. */
  readonly beforeCommit: () => void;
}

/**
 * The one transaction in which the target changes: what was created goes to its real place, existing tables are swapped or get their new rows, keys
 * and triggers are put back and checked, and the ledger's row says what has come of the job. While others use the tables it is undone
 * and begun again; so it is when a table cannot be swapped any more, and then all of them are rewritten from what was staged.
 * @throws SyncJobError lease_lost when a later attempt has the job, lock_timeout. An error of the commit itself says nothing: the ledger's row does
 */
export async function switchTarget(client: Client, request: SwitchRequest): Promise<SyncJobResult> {
  const { attempt, contextOf, retry, plans, reached } = request;
  const onTarget = contextOf();
  await reached('switch_begun');
  let tables: readonly LockedTable[] = [];
  let swaps = swapsOf(plans, request.staged);
  const attemptSwitch = async (): Promise<SyncJobResult> => {
    await guard(onTarget, () => stayOn(client, attempt));
    tables = await guard(onTarget, () => tablesToLock(client, attempt.jobId, plans));
    try {
      return await switchOnce(client, { ...request, swaps }, tables);
    } catch (error) {
      if (!(error instanceof SwapRefused)) throw error;
      retry.log.info({ detail: error.message }, 'existing tables are rewritten');
      swaps = [];
      return attemptSwitch();
    }
  };
  return untilUnlocked(retry, attemptSwitch, () => guard(onTarget, () => lockHolders(client, tables, plans)));
}

/** A job that stands back is at work; whoever has taken it over meanwhile is not made to wait for another try. */
async function stayOn(client: Client, { jobId, epoch }: JobAttempt): Promise<void> {
  await client.query(touch(jobId, epoch));
  const { rows } = await client.query(`SELECT FROM ${stagingTable(jobId, 'job')} WHERE epoch = $1`, [epoch]);
  if (rows.length === 0) throw new SyncJobError({ code: 'lease_lost' });
}

interface SwitchAttempt extends SwitchRequest {
  /** Those that are rewritten are not among them. */
  readonly swaps: readonly Swap[];
}

async function switchOnce(
  client: Client,
  request: SwitchAttempt,
  tables: readonly LockedTable[],
): Promise<SyncJobResult> {
  const { attempt, retry, reached } = request;
  const onTarget = request.contextOf();
  await guard(onTarget, () => client.query(`BEGIN; ${DURABLE}`));
  let outcome: SyncJobResult;
  try {
    await guard(onTarget, () => lockTables(client, tables, retry.tryMs));
    outcome = await prepare(client, request);
    await reached('before_commit');
    request.beforeCommit();
  } catch (error) {
    return await rollBackAndThrow(client, attempt, error);
  }
  await guard(onTarget, () => client.query('COMMIT'));
  return outcome;
}

/** As the server is set up, but on the disk at least. */
const DURABLE = `
  SELECT pg_catalog.set_config('synchronous_commit', CASE reset_val WHEN 'off' THEN 'local' ELSE reset_val END, true)
    FROM pg_catalog.pg_settings WHERE name = 'synchronous_commit'
`;

async function prepare(client: Client, request: SwitchAttempt): Promise<SyncJobResult> {
  const { attempt, plans, swaps, lateSql, finishSql, contextOf } = request;
  const onTarget = contextOf();
  const created = { ...onTarget, otherwise: 'create_failed' } as const;
  await makeRoom(client, request);
  await guard(created, () => moveBack(client, attempt.jobId));
  if (lateSql !== '') await guard(created, () => client.query(lateSql));
  const isSwapped = ({ index }: TablePlan) => swaps.some(({ plan }) => plan.index === index);
  const existing = plans.flatMap((plan) => (plan.target && !isSwapped(plan) ? [plan.target] : []));
  const emptied = await guard(onTarget, () => emptyTables(client, existing, onTarget));
  for (const table of refilled(request)) {
    const plan = plans.find(({ index }) => index === table.tableIndex);
    if (plan !== undefined) await fill(client, plan, table, request);
  }
  if (finishSql.trim() !== '') await guard(created, () => client.query(finishSql));
  if (swaps.length > 0) {
    await guard(created, () => client.query(request.swapSql));
    await swapping(onTarget, () => requireSame(client, swaps));
  }
  await guard(onTarget, () => emptied.restore());
  for (const { index, name } of plans) {
    await guard(contextOf(index), () => restartSequences(client, name));
  }
  const outcome = request.outcomeOf(await request.verify());
  await guard(onTarget, () => dropStagedRows(client, request));
  await noteSwitched(client, request, outcome);
  return outcome;
}

/** Existing tables that are swapped go; of those that were to be and are not, nothing is moved. */
async function makeRoom(
  client: Client,
  { attempt: { jobId }, plans, staged, swaps, contextOf }: SwitchAttempt,
): Promise<void> {
  const listed = plans.flatMap(({ target }) => target?.oid ?? []);
  if (swaps.length > 0) {
    await swapping(contextOf(), () => dropReplaced(client, swaps, listed));
    return;
  }
  const given = swapsOf(plans, staged);
  if (given.length > 0) await guard(contextOf(), () => keepOutOfSight(client, jobId, given));
}

/** As {@link guard}, and lets through that tables are to be rewritten. */
async function swapping(context: FailureContext, work: () => Promise<void>): Promise<void> {
  const refused = await guard(context, () =>
    work().catch((error: unknown) => {
      if (error instanceof SwapRefused) return error;
      throw error;
    }),
  );
  if (refused instanceof SwapRefused) throw refused;
}

/** Where rows wait that go into a table which is there. */
function refilled({ staged, swaps }: SwitchAttempt): readonly StagedTable[] {
  const shown = new Set(swaps.map((swap) => swap.staged));
  return staged.filter((table) => table.kind !== 'moved' && !shown.has(table));
}

/** All at once from where they wait, each value through the type's own input function when it waits as text. */
async function fill(
  client: Client,
  plan: TablePlan,
  { into, kind }: StagedTable,
  { rows, contextOf }: SwitchRequest,
): Promise<void> {
  const columns = await guard(contextOf(plan.index), () =>
    client.query<{ name: string; type: string }>(WRITTEN_COLUMNS, [quoteTable(plan.name)]),
  );
  const names = columns.rows.map(({ name }) => quoteIdentifier(name)).join(', ');
  const values = columns.rows.map(
    ({ name, type }) => quoteIdentifier(name) + (kind === 'text' ? `::${type}` : ''),
  );
  // A table without columns takes its rows without a list: INSERT knows no list of none.
  const sql =
    names === ''
      ? `INSERT INTO ${quoteTable(plan.name)} SELECT FROM ${quoteTable(into)}`
      : `INSERT INTO ${quoteTable(plan.name)} (${names}) OVERRIDING SYSTEM VALUE SELECT ${values.join(', ')} FROM ONLY ${quoteTable(into)}`;
  const expected = rows.get(plan.index) ?? 0;
  const rebuild =
    expected < REBUILD_FROM_ROWS
      ? []
      : await guard(contextOf(plan.index), () => dropPlainIndexes(client, plan));
  const inserted = await guard(contextOf(plan.index), () => client.query(sql));
  if (rebuild.length > 0) await guard(contextOf(plan.index), () => client.query(rebuild.join('; ')));
  if (inserted.rowCount === expected) return;
  throw new SyncJobError(
    { code: 'internal', tableIndex: plan.index },
    {
      cause: new Error(`the ledger counts ${expected} rows, staging has ${inserted.rowCount ?? 0}`),
    },
  );
}

/** Below that an index is filled as fast as it is built. */
const REBUILD_FROM_ROWS = 10_000;

/** Building an index from all rows takes a third of the time of filling it row by row. @returns what makes them again */
async function dropPlainIndexes(client: Client, { name }: TablePlan): Promise<readonly string[]> {
  const { rows } = await client.query<IndexRow>(PLAIN_INDEXES_OF, [quoteTable(name)]);
  if (rows.length > 0) await client.query(`DROP INDEX ${rows.map(({ index }) => index).join(', ')}`);
  const made = rows.map(indexStatements);
  return [...made.flatMap(({ building }) => building), ...made.flatMap(({ attaching }) => attaching)];
}

/** $1: a table. Types without their modifiers: a value that is too long is then refused and not cut. */
const WRITTEN_COLUMNS = `
  SELECT a.attname AS name, pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(t.typname) AS type
    FROM pg_catalog.pg_attribute a
    JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
    JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
   WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
   ORDER BY a.attnum
`;

async function dropStagedRows(client: Client, request: SwitchAttempt): Promise<void> {
  const { jobId } = request.attempt;
  const twins = refilled(request).map(({ into }) => quoteTable(into));
  const { rows } = await client.query<{ name: string }>(
    'SELECT nspname AS name FROM pg_catalog.pg_namespace WHERE pg_catalog.starts_with(nspname, $1)',
    [`${stagingSchema(jobId)}.`],
  );
  // RESTRICT: a shadow schema is empty now, or something has not gone where it belongs.
  const schemas = rows.map(({ name }) => `DROP SCHEMA ${quoteIdentifier(name)} RESTRICT`);
  const tables = twins.length === 0 ? [] : [`DROP TABLE ${twins.join(', ')}`];
  await client.query([...tables, ...schemas, dropLedgerTables(jobId)].join('; '));
}

/** The last statement: whoever took the job over has changed the epoch. */
async function noteSwitched(
  client: Client,
  { attempt, maskingKey, contextOf }: SwitchRequest,
  result: SyncJobResult,
): Promise<void> {
  const outcome = JSON.stringify(result);
  const seal = sealLedger(maskingKey, attempt.jobId, { state: 'switched', outcome });
  const updated = await guard(contextOf(), () =>
    client.query(
      `UPDATE ${stagingTable(attempt.jobId, 'job')}
          SET state = 'switched', outcome = $2, plan = '', late_sql = '', finish_sql = '', swap_sql = '',
              seal = $3, touched_at = pg_catalog.clock_timestamp()
        WHERE epoch = $1 AND state = 'staging'`,
      [attempt.epoch, outcome, seal],
    ),
  );
  if (updated.rowCount !== 1) throw new SyncJobError({ code: 'lease_lost' });
}
