import { partitionTree } from '@understudy/postgres';
import type { JobKeyMaterial } from '@understudy/masking';
import {
  databaseError,
  disconnect,
  EvaluationPaths,
  FUNCTION_IN_MESSAGE,
  killSession,
  OWN_PATH,
  type Session,
  sqlName,
  TABLES_THAT_CALL_FUNCTIONS,
} from '@understudy/postgres';
import { type DatabaseSide, type NamedObject, SyncJobError } from '@understudy/sync-job';
import type { SyncEnvironment } from '../../environment.js';
import type { JobMasks } from '../../plan/compile-masks.js';
import type { TablePlan } from '../../plan/table-plan.js';
import type { FailureContexts } from '../../session/failure-contexts.js';
import { driverError, guard } from '../../session/guard.js';
import type { LocatedClient } from '../../session/located-client.js';
import type { JobAttempt } from '../../session/job-attempt.js';
import { NOTHING_TO_DEFINE, type TableDefinitions } from '../../stage/create/define-tables.js';
import { readExistingTables, requireUnaltered } from '../../stage/create/require-unaltered.js';
import { runDefinition } from '../../stage/create/run-definition.js';
import { readStagedKeys, type StagedKey } from '../../stage/foreign-keys/staged-key.js';
import { stageUncommitted } from '../../stage/create/stage-tables.js';
import { readBuilds } from '../../stage/ledger/staging-ledger.js';
import { ownSettings } from '../../stage/switch/own-settings.js';
import { moveBack, readHiddenSchemas } from '../../stage/switch/move-objects.js';
import { type RowSample, sampleRows } from './sample-rows.js';

export interface RehearsalRequest {
  readonly command: JobAttempt;
  readonly contexts: FailureContexts;
  readonly environment: Pick<SyncEnvironment, 'policy' | 'copy' | 'log'>;
  readonly material: JobKeyMaterial;
  readonly plans: readonly TablePlan[];
  /** The finalized masks. Without them, no rows are tried. */
  readonly masks: JobMasks | undefined;
  readonly definitions: TableDefinitions;
  /** A client in the job's snapshot. */
  readonly source: LocatedClient;
  /** Opens a session of the source that has joined the snapshot. */
  readonly openSource: () => Promise<Session>;
  readonly openTarget: () => Promise<Session>;
}

export interface Rehearsal {
  readonly failures: readonly SyncJobError[];
  /** The indexes of the tables whose definitions or rows could not be tried. */
  readonly untried: ReadonlySet<number>;
}

/**
 * Finds the tables whose rows cannot be written without calling functions of users or extensions.
 * @returns their indexes, each with whether such a function belongs to no extension
 */
export async function tablesThatCallFunctions(
  plans: readonly TablePlan[],
  clients: Readonly<Record<DatabaseSide, LocatedClient>>,
): Promise<ReadonlyMap<number, boolean>> {
  const found = async (side: DatabaseSide, some: readonly TablePlan[]) => {
    const oidOf = (plan: TablePlan) => plan[side]?.oid;
    const { rows } = await clients[side].query<{ oid: string; is_own: boolean }>(TABLES_THAT_CALL_FUNCTIONS, [
      some.map(oidOf),
    ]);
    return some.flatMap((plan) =>
      rows.filter(({ oid }) => oid === oidOf(plan)).map(({ is_own }) => [plan.index, is_own] as const),
    );
  };
  const isMissing = ({ target: existing }: TablePlan) => existing === undefined;
  return new Map([
    ...(await found('source', plans.filter(isMissing))),
    ...(await found(
      'target',
      plans.filter((plan) => !isMissing(plan)),
    )),
  ]);
}

/**
 * Does the same as {@link rehearseTarget}. The objects that functions of missing tables need may be in hidden schemas. If
 * such a function finds no object, tries again with tables that only the switch creates, in their real schemas.
 * @param define returns the definitions if the tables with these indexes are created in the switch
 */
export async function rehearseDefinitions(
  request: RehearsalRequest,
  calling: ReadonlyMap<number, boolean>,
  define: (deferring: ReadonlySet<number>) => Promise<TableDefinitions>,
): Promise<Rehearsal & Pick<RehearsalRequest, 'definitions'>> {
  const { plans, definitions } = request;
  const rehearsal = await rehearseTarget(request, calling);
  const unresolved = rehearsal.failures.flatMap(({ failure: { code, tableIndex } }) =>
    code === 'function_unresolved' ? (tableIndex ?? []) : [],
  );
  const isMissing = (index: number) =>
    plans.some((plan) => plan.index === index && plan.target === undefined);
  const deferring = new Set([...definitions.deferred, ...unresolved].filter(isMissing));
  if (deferring.size === definitions.deferred.size) return { ...rehearsal, definitions };
  const others = await define(deferring);
  return { ...(await rehearseTarget({ ...request, definitions: others }, calling)), definitions: others };
}

/**
 * Tries what the job will do on the target. Creates the missing tables with all objects that they need, and
 * lets the server evaluate a few masked rows of the tables in `calling`. Everything is rolled back. Each
 * transaction has its own session, which is killed when the time limit is over. Errors that depend on the
 * values of rows are not reported.
 */
async function rehearseTarget(
  request: RehearsalRequest,
  calling: ReadonlyMap<number, boolean>,
): Promise<Rehearsal> {
  const { plans } = request;
  const failures: SyncJobError[] = [];
  const untried = new Set<number>();
  const missing = plans.filter(({ target }) => target === undefined);
  const samples = await readSamples(request, calling, untried);
  const attempt = async (tables: readonly TablePlan[], work: (client: LocatedClient) => Promise<void>) => {
    try {
      if ((await withinLimit(request, work)) === 'done') return;
    } catch (error) {
      if (!(error instanceof SyncJobError) || INTERRUPTIONS.has(error.failure.code)) throw error;
      if (isRefusal(error, tables)) {
        failures.push(error);
        return;
      }
    }
    for (const { index } of tables) untried.add(index);
  };
  if (missing.length > 0)
    await attempt(missing, async (client) => {
      failures.push(...(await rehearseMissing(client, request, missing, samples, untried)));
    });
  const existing = plans.filter(({ target }) => target !== undefined);
  if (existing.length > 0)
    await attempt(existing, (client) => rehearseExistingTables(client, request, existing));
  for (const plan of plans) {
    const sample = samples.get(plan.index);
    if (plan.target === undefined || sample === undefined) continue;
    await attempt([plan], (client) =>
      evaluating(client, request, plan, (onTable, setPath) =>
        rehearseExisting(onTable, plan, sample, setPath, untried),
      ),
    );
  }
  return { failures, untried };
}

async function readSamples(
  { plans, masks, material, openSource, contexts }: RehearsalRequest,
  calling: ReadonlyMap<number, boolean>,
  untried: Set<number>,
): Promise<ReadonlyMap<number, RowSample>> {
  const samples = new Map<number, RowSample>();
  const tried = plans.filter(({ index }) => calling.has(index));
  if (masks === undefined) {
    for (const { index } of tried) untried.add(index);
    return samples;
  }
  for (const plan of tried) {
    const tableMasks = masks.get(plan.index);
    const { client } = await openSource();
    try {
      const read = () => sampleRows(client, plan, tableMasks ?? new Map(), material);
      const sample = await guard(contexts.on('source', plan.index), read);
      samples.set(plan.index, sample);
      if (sample.isPartial) untried.add(plan.index);
    } catch (error) {
      // The copy of this row will fail, with an error that depends on its values.
      if (!(error instanceof SyncJobError) || INTERRUPTIONS.has(error.failure.code)) throw error;
      untried.add(plan.index);
    } finally {
      await disconnect(client);
    }
  }
  return samples;
}

/** Creates the tables for the new rows of existing tables, if an event trigger could change something at this. */
async function rehearseExistingTables(
  client: LocatedClient,
  { command: attempt, environment, source }: RehearsalRequest,
  plans: readonly TablePlan[],
): Promise<void> {
  const existing = await readExistingTables(client, plans);
  if (existing === undefined) return;
  await stageUncommitted(client, {
    ...{ ...UNUSED_STAGING, attempt, source, plans, existing, log: environment.log },
    ...{ definitions: NOTHING_TO_DEFINE, lockTryMs: limitOf(environment) },
  });
}

/** The parts of a staging that only a run uses. */
const UNUSED_STAGING = {
  ...{ swap: undefined, fingerprint: '', maskingKey: new Uint8Array(32), snapshotId: '', plan: '[]' },
  warnings: [],
};

/** Creates the missing tables, tries their rows, and runs the post-data SQL. @returns failures of the rows */
async function rehearseMissing(
  client: LocatedClient,
  request: RehearsalRequest,
  missing: readonly TablePlan[],
  samples: ReadonlyMap<number, RowSample>,
  untried: Set<number>,
): Promise<readonly SyncJobError[]> {
  const { command: attempt, definitions, source, environment } = request;
  const limitMs = limitOf(environment);
  const definition = { source, plans: request.plans, created: missing };
  const existing = await readExistingTables(client, missing);
  const staged = await stageUncommitted(client, {
    ...{ ...UNUSED_STAGING, attempt, definitions, source, plans: missing, existing },
    ...{ lockTryMs: limitMs, log: environment.log },
  });
  const failures: SyncJobError[] = [];
  const trySample = async (plan: TablePlan, work: EvaluatingWork): Promise<void> => {
    await client.query('SAVEPOINT sample');
    try {
      await evaluating(client, request, plan, work);
    } catch (error) {
      if (!(error instanceof SyncJobError) || error.failure.sqlstate === undefined) throw error;
      if (isRefusal(error, [plan])) failures.push(error);
      else untried.add(plan.index);
    }
    await client.query('ROLLBACK TO SAVEPOINT sample; RELEASE SAVEPOINT sample');
  };
  const builds = await readBuilds(client, attempt.jobId);
  for (const plan of missing) {
    const sample = samples.get(plan.index);
    const table = staged.tables.find(({ tableIndex }) => tableIndex === plan.index);
    if (sample === undefined || table === undefined) continue;
    if (table.kind === 'text') continue; // its definition is created below
    const own = builds.filter(({ tableIndex }) => tableIndex === plan.index);
    await trySample(plan, async (onTable, setPath) => {
      await onTable.query(setPath);
      await sample.writeTo(onTable, table.into);
      for (const { building, attaching } of own) await onTable.query(`${building}; ${attaching}`);
    });
  }
  const all = builds.map(({ building, attaching }) => `${building}; ${attaching}`);
  await runDefinition(client, all.join('; '), definition);
  const keys = await readStagedKeys(client, attempt.jobId);
  await createKeys(
    client,
    keys.filter(({ isEarly }) => isEarly),
  );
  await moveBack(client, attempt.jobId);
  if (staged.deferredSql !== '') await runDefinition(client, staged.deferredSql, definition);
  for (const plan of missing.filter(({ index }) => definitions.deferred.has(index))) {
    const sample = samples.get(plan.index);
    if (sample === undefined) continue;
    await trySample(plan, async (onTable, setPath) => {
      await onTable.query(setPath);
      await sample.writeTo(onTable, plan.name);
      await onTable.query(definitions.deferredIndexSql);
    });
  }
  await runDefinition(client, staged.postDataSql, definition);
  await createKeys(
    client,
    keys.filter(({ isEarly }) => !isEarly),
  );
  if (existing !== undefined) {
    await ownSettings(client, limitMs);
    await requireUnaltered(client, definition, 'complete');
  }
  return failures;
}

async function createKeys(client: LocatedClient, keys: readonly StagedKey[]): Promise<void> {
  const creating = client.with({ otherwise: 'create_failed' });
  for (const { tableIndex, adding, validating } of keys)
    await creating.at(tableIndex).query(`${adding}; ${validating}`);
}

/** Work that evaluates rows of a table. `onTable` locates its errors at the table. */
type EvaluatingWork = (onTable: LocatedClient, setPath: string) => Promise<void>;

/**
 * Runs work that evaluates rows of a table.
 * @throws SyncJobError function_unresolved with the function, or the error of the work
 */
async function evaluating(
  client: LocatedClient,
  { command, environment }: RehearsalRequest,
  { index, target }: TablePlan,
  work: EvaluatingWork,
): Promise<void> {
  const onTable = client.at(index);
  const isExisting = target !== undefined;
  if (isExisting) await onTable.query('BEGIN');
  const hidden = isExisting ? new Map<string, string>() : await readHiddenSchemas(onTable, command.jobId);
  await onTable.query('SAVEPOINT evaluating');
  const { allowSharedSchemas } = environment.policy.rules;
  const existing = isExisting ? [target.oid] : [];
  const paths = await EvaluationPaths.read(onTable, existing, allowSharedSchemas, hidden);
  const setPath = paths.sqlFor(target?.oid);
  try {
    await work(onTable, setPath);
    await onTable.query(OWN_PATH);
  } catch (error) {
    if (!(error instanceof SyncJobError) || error.failure.code !== 'function_unresolved') throw error;
    const { failure, cause } = error;
    const { inFunction } = databaseError(cause, 'target').names;
    await onTable.query(`ROLLBACK TO SAVEPOINT evaluating; ${setPath}`);
    const object = inFunction && (await findFunction(onTable, inFunction, hidden));
    if (!object) throw error;
    const problems = [{ code: failure.code, side: 'target', tableIndex: index, object }] as const;
    throw new SyncJobError({ ...failure, problems, problemCount: 1 }, { cause });
  }
}

async function findFunction(
  client: LocatedClient,
  text: string,
  hidden: ReadonlyMap<string, string>,
): Promise<NamedObject | undefined> {
  const { rows } = await client.query<{ schema: string; name: string }>(FUNCTION_IN_MESSAGE, [text]);
  const found = rows[0]?.schema ?? '';
  const [real = found] = [...hidden].find(([, name]) => name === found) ?? [];
  const schema = sqlName(real);
  const name = sqlName(rows[0]?.name ?? '');
  return schema && name ? { kind: 'function', schema, name } : undefined;
}

/**
 * Writes the sample into temporary tables with the CHECK constraints, generated columns, indexes and partition key of
 * an existing table, and of its partitions that call functions. They have no defaults, so no sequence is called.
 */
async function rehearseExisting(
  client: LocatedClient,
  { index, target }: TablePlan,
  sample: RowSample,
  setPath: string,
  untried: Set<number>,
): Promise<void> {
  const { rows } = await client.query<TreeRow>(TABLE_TREE, [target?.oid]);
  const calling = await client.query<{ oid: string }>(TABLES_THAT_CALL_FUNCTIONS, [
    rows.map(({ oid }) => oid),
  ]);
  const tables = rows.filter(({ oid }) => calling.rows.some((row) => row.oid === oid));
  if (tables.length > MAX_TABLES) untried.add(index);
  for (const [n, original] of tables.slice(0, MAX_TABLES).entries()) {
    const table = `understudy_rehearsal_${n}`;
    const holder = await createLike(client, table, original);
    await client.query(`SAVEPOINT written; ${setPath}`);
    try {
      await sample.writeTo(client, { schema: 'pg_temp', table });
      await client.query(`REINDEX TABLE pg_temp.${holder}; ${OWN_PATH}; RELEASE SAVEPOINT written`);
    } catch (error) {
      if (databaseError(driverError(error), 'target').code !== 'constraint_violation') throw error;
      // The rows of a sample need not satisfy the constraints of each partition.
      await client.query('ROLLBACK TO SAVEPOINT written; RELEASE SAVEPOINT written');
      untried.add(index);
    }
  }
}

const MAX_TABLES = 20;

/** A table to rehearse: its quoted name, and its partition key if it is partitioned. */
interface TreeRow {
  oid: string;
  name: string;
  key: string | null;
}

/** Selects a table and its partitions. $1: the oid of the table. */
const TABLE_TREE = `
  SELECT t.oid::text AS oid, t.oid::pg_catalog.regclass::text AS name, pg_catalog.pg_get_partkeydef(t.oid) AS key
    FROM (SELECT $1::pg_catalog.oid AS oid UNION SELECT p.relid FROM ${partitionTree('$1::pg_catalog.oid')} p) AS t
   ORDER BY t.oid = $1 DESC, t.oid
`;

/** @returns the name of the table that holds the rows */
async function createLike(client: LocatedClient, table: string, { name, key }: TreeRow): Promise<string> {
  const like = ['CONSTRAINTS', 'GENERATED', 'INDEXES', 'COMPRESSION'].map((what) => `INCLUDING ${what}`);
  const create = `CREATE TEMP TABLE ${table} (LIKE ${name} ${like.join(' ')})`;
  if (key === null) {
    await client.query(create);
    return table;
  }
  const bound = key.startsWith('HASH') ? 'FOR VALUES WITH (MODULUS 1, REMAINDER 0)' : 'DEFAULT';
  await client.query(
    `${create} PARTITION BY ${key}; CREATE TEMP TABLE ${table}_rows PARTITION OF pg_temp.${table} ${bound}`,
  );
  return `${table}_rows`;
}

/**
 * Runs work in a session of its own, and rolls it back.
 * @returns `too_late` if the session was killed because the time limit was over, or if it waited too long for a lock
 */
async function withinLimit(
  { openTarget, contexts, environment }: RehearsalRequest,
  work: (client: LocatedClient) => Promise<void>,
): Promise<'done' | 'too_late'> {
  const session = await openTarget();
  const { client } = session;
  const limitMs = limitOf(environment);
  await client.query(`SET lock_timeout = ${Math.max(1, Math.floor(limitMs))}`);
  let killed: Promise<void> | undefined;
  const timer = setTimeout(() => {
    killed = killSession(session);
  }, limitMs);
  try {
    await work(contexts.locate(session).client);
    return 'done';
  } catch (error) {
    if (killed !== undefined || isLockTimeout(error)) return 'too_late';
    throw error;
  } finally {
    clearTimeout(timer);
    await client.query('ROLLBACK').catch(() => undefined);
    await killed;
    await disconnect(client);
  }
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof SyncJobError && error.failure.code === 'lock_timeout';
}

/**
 * Returns true for an error with which the run would fail, too. Other errors depend on the values of rows, or concern
 * only the rehearsal, such as a missing privilege to create temporary tables.
 */
function isRefusal({ failure: { code } }: SyncJobError, [first]: readonly TablePlan[]): boolean {
  const isExisting = first?.target !== undefined;
  return REFUSALS_OF_ANY_TABLE.has(code) || (!isExisting && REFUSALS_OF_MISSING.has(code));
}

const REFUSALS_OF_ANY_TABLE: ReadonlySet<string> = new Set([
  'event_trigger_refused',
  'function_unresolved',
  'table_altered',
]);
const REFUSALS_OF_MISSING: ReadonlySet<string> = new Set([
  'create_failed',
  'permission_denied',
  'prerequisite_missing',
  'source_code_refused',
]);
/** The usual limit. A transaction that creates foreign keys blocks writers of the tables that they reference. */
const REHEARSAL_MS = 2_000;

/** Returns for how long a transaction on the target may run, and wait for a lock, in milliseconds. */
function limitOf({ copy }: RehearsalRequest['environment']): number {
  return copy.rehearsalMs ?? REHEARSAL_MS;
}

const INTERRUPTIONS: ReadonlySet<string> = new Set(['connection_lost', 'connection_failed', 'internal']);
