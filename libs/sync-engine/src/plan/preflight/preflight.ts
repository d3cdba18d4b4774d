import { parseColumnRule } from '@understudy/column-rule';
import {
  type ColumnDescription,
  CONSTRAINT_NAMES,
  describeTables,
  otherRelations,
  type TableDescription,
  refusePooler,
  isSameDatabase,
  readServerIdentity,
  type ServerIdentity,
  lackingPrivileges,
  parseTableName,
} from '@understudy/postgres';
import type { LocatedClient, LocatedSession } from '../../session/located-client.js';
import { typesInTheWay } from './compare-columns.js';
import { compareTables, privilegeProblems } from './compare-tables.js';
import { readTypes } from './compare-types.js';
import { guard } from '../../session/guard.js';
import type { FailureContexts, NamedConstraint } from '../../session/failure-contexts.js';
import { requireSourceRoom, requireTargetRoom } from './lock-room.js';
import { planColumns } from '../plan-columns.js';
import { protectedBounds } from './protected-bounds.js';
import { publicationProblems } from './refuse-publications.js';
import type { ExcludedObject } from '../exclude/excluded-objects.js';
import { ProblemList } from '../problems/problem-list.js';
import {
  type RelationKind,
  type SyncProblem,
  SyncJobError,
  type SyncJobCommand,
  type SyncWarning,
} from '@understudy/sync-job';
import type { SyncPolicy } from '../../policy.js';
import { findUntrusted } from './object-trust.js';
import { readComputed } from '../computed-columns.js';
import { findSourceCode, omitSourceCode, sourceCodeProblems, textOf } from './source-code.js';
import type { OmittedPart, TablePlan } from '../table-plan.js';
import { unlistedProblems } from './unlisted-tables.js';

const OLDEST_SERVER = 14;

/**
 * Checks that both servers are supported and that source and target are different databases.
 * @param isTargetThere false if the target's session is in another database, because the job creates the target
 * @returns the identity of the source's server
 * @throws SyncJobError pooler_unsupported, server_too_old, same_database
 */
export async function checkServers(
  source: LocatedSession,
  target: LocatedSession,
  isTargetThere = true,
): Promise<ServerIdentity> {
  const [ofSource, ofTarget] = await Promise.all(
    [source, target].map(async (session) => {
      const { client, side } = session;
      await guard(client.context, () => refusePooler(session));
      const identity = await readServerIdentity(client);
      if (identity.majorVersion < OLDEST_SERVER) throw new SyncJobError({ code: 'server_too_old', side });
      return identity;
    }),
  );
  if (ofSource === undefined || ofTarget === undefined)
    throw new Error('expected the identities of two servers');
  if (isTargetThere && isSameDatabase(ofSource, ofTarget)) throw new SyncJobError({ code: 'same_database' });
  return ofSource;
}

/**
 * Refuses a role of the target that is a superuser, or that can become one or run programs on the server's
 * machine. Code that the job creates on the target would run with these rights.
 * @returns a warning if the policy allows such a role and wants it reported
 * @throws SyncJobError superuser_target
 */
export async function checkTargetRole(
  target: LocatedClient,
  { rules }: Pick<SyncPolicy, 'rules'>,
): Promise<readonly SyncWarning[]> {
  if (rules.allowSuperuserTarget === true) return [];
  const { rows } = await target.query<{ powerful: boolean }>(IS_POWERFUL);
  if (rows[0]?.powerful !== true) return [];
  if (rules.allowSuperuserTarget === 'report') return [{ code: 'superuser_target' }];
  throw new SyncJobError({ code: 'superuser_target', side: 'target' });
}

/** The condition of roles `r` that can change other databases or run programs on the server's machine. */
export const ARE_POWERFUL = `
  (r.rolsuper OR r.rolname IN ('pg_execute_server_program', 'pg_write_server_files')
   OR r.rolcreaterole AND pg_catalog.current_setting('server_version_num')::pg_catalog.int4 < 160000)`;

/**
 * Code can take on every role that the session's user or the current role is a member of. Before PostgreSQL 16, a role
 * with CREATEROLE can make itself a member of all roles but superusers.
 */
const IS_POWERFUL = `
  SELECT bool_or(pg_catalog.pg_has_role(session_user, r.oid, 'MEMBER') OR pg_catalog.pg_has_role(r.oid, 'MEMBER')) AS powerful
    FROM pg_catalog.pg_roles r
   WHERE ${ARE_POWERFUL}
`;

/** Returns whether the role may create the hidden schema of a job's staging tables. */
export async function mayStage(target: LocatedClient): Promise<boolean> {
  const { rows } = await target.query<{ granted: boolean }>(
    "SELECT has_database_privilege(pg_catalog.current_database(), 'CREATE') AS granted",
  );
  return rows[0]?.granted === true;
}

export interface PlanRequest {
  readonly command: SyncJobCommand;
  /** A client of the source. After the snapshot is taken, the client's transaction must use the snapshot. */
  readonly source: LocatedClient;
  readonly target: LocatedSession;
  readonly contexts: FailureContexts;
  readonly policy: SyncPolicy;
  /** The objects of the source that the job leaves out; absent in a job on tables. */
  readonly excluded?: readonly ExcludedObject[];
  /** The names of the tables that a new database has without rows. */
  readonly emptyTables?: readonly string[];
}

/**
 * Checks, before the job locks or creates anything, that the listed tables exist, that the role may read
 * them, and that it may create a schema on the target. If a check fails, all checks of {@link planTables}
 * run, so that one error reports all problems.
 * @throws SyncJobError as {@link planTables} does
 */
export async function surveyTables(request: PlanRequest): Promise<void> {
  const problems = new ProblemList();
  const tables = await readableTables(await findTables(request, problems), request, problems);
  for (const problem of await unlistedProblems(request)) problems.add(problem);
  await requireSourceRoom(tables, request.source, request.command);
  if (problems.isEmpty && (await mayStage(request.target.client))) return;
  await collectPlans(tables, request, problems);
  problems.throwIfAny();
}

/**
 * Plans the tables of a job. Makes every check that needs only the catalogs, and the check for NULLs, which
 * can read whole tables. Checks all tables before it throws.
 * @throws SyncJobError table_not_found, not_a_table, unlogged_on_standby, column_not_found, column_unlisted,
 * unlisted_not_rejected, column_mismatch, listed_twice, partition_listed, a code of `planColumns`,
 * policy_denied, permission_denied, constraint_violation, tables_unlisted, ignored_table_not_found or
 * object_untrusted for the first problem, with a list of all problems
 */
export async function planTables(request: PlanRequest): Promise<readonly TablePlan[]> {
  const problems = new ProblemList();
  const plans = await collectPlans(await findTables(request, problems), request, problems);
  for (const problem of await unlistedProblems(request)) problems.add(problem);
  problems.throwIfAny();
  const { command, source, target, contexts } = request;
  // A new database is created in many small transactions.
  if (command.replace !== 'database') await requireTargetRoom(plans, { source, target: target.client });
  const columns = plans.flatMap((plan) => plan.columns.map(({ description }) => description.name));
  contexts.know(await namedConstraints(plans, request), columns);
  return plans;
}

/**
 * Lists the constraints that can refuse rows: those of the target's tables, or of the source's tables if the job
 * creates the target's.
 */
async function namedConstraints(
  plans: readonly TablePlan[],
  { source, target }: PlanRequest,
): Promise<readonly NamedConstraint[]> {
  const read = async (side: 'source' | 'target', client: LocatedClient, chosen: readonly TablePlan[]) => {
    const indexes = new Map(chosen.map((plan) => [plan[side]?.oid, plan.index]));
    const { rows } = await client.query<{ name: string; table: string; columns: string[] }>(
      CONSTRAINT_NAMES,
      [[...indexes.keys()]],
    );
    return rows.map(({ name, table, columns }) => ({
      name,
      columns,
      tableIndex: indexes.get(table) ?? -1,
    }));
  };
  const missing = plans.filter((plan) => plan.target === undefined);
  const existing = plans.filter((plan) => plan.target !== undefined);
  return [...(await read('source', source, missing)), ...(await read('target', target.client, existing))];
}

interface FoundTable {
  readonly index: number;
  readonly source: TableDescription;
}

async function findTables(
  { command, source }: PlanRequest,
  problems: ProblemList,
): Promise<readonly FoundTable[]> {
  const names = command.tables.map((rules) => parseTableName(rules.name));
  const readable = names.flatMap((name, index) => (name === undefined ? [] : [{ index, name }]));
  const described = await describeTables(
    source,
    readable.map(({ name }) => name),
  );
  const missing = readable.filter((_, position) => described[position] === undefined);
  const others = await otherRelations(
    source,
    missing.map(({ name }) => name),
  );
  const kinds = new Map(missing.map(({ index }, position) => [index, others[position]]));
  const byIndex = new Map(readable.map(({ index }, position) => [index, described[position]]));
  const found: FoundTable[] = [];
  const known = new Set<string>();
  for (const index of names.keys()) {
    const table = byIndex.get(index);
    const relationKind = kinds.get(index);
    const at = { side: 'source', tableIndex: index } as const;
    if (relationKind !== undefined) problems.add({ code: 'not_a_table', ...at, relationKind });
    else if (table === undefined) problems.add({ code: 'table_not_found', ...at });
    else if (table.isUnreadable) problems.add({ code: 'unlogged_on_standby', ...at });
    else if (known.has(table.oid)) problems.add({ code: 'listed_twice', tableIndex: index });
    else {
      known.add(table.oid);
      found.push({ index, source: table });
    }
  }
  return found;
}

/** Returns the tables that the role may read completely, and adds a problem for each missing privilege. */
async function readableTables(
  tables: readonly FoundTable[],
  { source }: PlanRequest,
  problems: ProblemList,
): Promise<readonly FoundTable[]> {
  const oids = tables.map((table) => table.source.oid);
  const lacks = await lackingPrivileges(source, 'read', oids);
  const indexOf = new Map(tables.map((table) => [table.source.oid, table.index]));
  for (const problem of privilegeProblems('source', lacks, indexOf)) problems.add(problem);
  const refused = new Set(lacks.map(({ key }) => key));
  return tables.filter((table) => !refused.has(table.source.oid));
}

async function collectPlans(
  tables: readonly FoundTable[],
  request: PlanRequest,
  problems: ProblemList,
): Promise<readonly TablePlan[]> {
  const { command, target, policy } = request;
  const plans: TablePlan[] = [];
  // A new database has only what an earlier attempt of the job has created in it.
  const isNew = command.replace === 'database';
  const names = isNew ? [] : tables.map(({ source }) => source.name);
  const onTargets = await describeTables(target.client, names);
  const inTheWay = isNew
    ? new Map<number, RelationKind>()
    : await relationsInTheWay(tables, onTargets, request);
  const omitted = await checkSourceCode(tables, onTargets, request, problems);
  await checkTrust(tables, onTargets, omitted, request, problems);
  const clients = { source: request.source, target: target.client };
  const types = await readTypes(isNew ? [] : tables.map(({ source }) => source), clients);
  for (const [position, { index, source }] of tables.entries()) {
    const rules = command.tables[index];
    if (rules === undefined) continue;
    const { name } = source;
    const onTarget = onTargets[position];
    const relationKind = inTheWay.get(index);
    if (relationKind !== undefined)
      problems.add({ code: 'not_a_table', side: 'target', tableIndex: index, relationKind });
    const columnIndex = new Map(rules.columns.map((column, i) => [column.name, i]));
    const unlisted = rules.unlistedColumns ?? command.unlistedColumns;
    if (policy.rules.rejectsUnlisted && unlisted !== 'reject')
      problems.add({ code: 'unlisted_not_rejected', tableIndex: index });
    const parts = omitted.filter(({ tableIndex }) => tableIndex === index);
    const generationOmitted = new Set(parts.map(({ generatedColumn }) => generatedColumn));
    const readBy = await readComputed(request.source.at(index), source);
    const isProtected = (column: ColumnDescription) =>
      readBy(column).some((one) => policy.refusesPreserve(source, one));
    const bounds = { index, source, columnIndex, isProtected };
    for (const problem of await protectedBounds(request.source.at(index), bounds))
      problems.add(problem, new Error('the bounds of the partition would select rows by a protected column'));
    const planned = problems.try(() =>
      planColumns({
        tableIndex: index,
        rules,
        unlisted,
        source,
        isPlainOnTarget: ({ name: column }) =>
          onTarget === undefined
            ? generationOmitted.has(column)
            : onTarget.columns.some((other) => other.name === column && !other.isGenerated),
        trainingFloor: (column) => highest(readBy(column).map((one) => policy.trainingFloor(source, one))),
        refusesPreserve: isProtected,
      }),
    );
    const columns = planned ?? [];
    if (onTarget === undefined && !isNew) {
      for (const problem of typesInTheWay(columns, { tableIndex: index, columnIndex, types }))
        problems.add(problem);
    } else if (onTarget !== undefined) {
      const table = { index, source, target: onTarget, columns, columnIndex, types };
      for (const problem of await compareTables(table, clients)) problems.add(problem);
    }
    plans.push({
      ...{ index, name, source, target: onTarget, columns, columnIndex },
      ...(parts.length === 0 ? {} : { omitted: parts }),
      ...(onTarget === undefined && refusesCode(request) ? { refusesCode: true } : {}),
    });
  }
  refusePartitionsListedWithParents(plans, problems);
  if (isNew) return plans;
  for (const problem of await writingProblems(plans, target.client)) problems.add(problem);
  const published = await publicationProblems(target.client, plans);
  for (const problem of published) problems.add(problem);
  return plans;
}

/**
 * Adds a problem for each object of the missing tables that is code of the source, unless the policy allows such code
 * or the job can leave it out.
 * @returns the parts that the job leaves out
 */
async function checkSourceCode(
  tables: readonly FoundTable[],
  onTargets: readonly (TableDescription | undefined)[],
  { command, source, target, policy }: PlanRequest,
  problems: ProblemList,
): Promise<readonly OmittedPart[]> {
  if (!refusesCode({ command, policy })) return [];
  const plans = tables.map((table, position) => ({ ...table, target: onTargets[position] }));
  const found = await findSourceCode({ plans, source, target: target.client });
  const hasRule = (index: number, name: string) =>
    command.tables[index]?.columns.some((column) => column.name === name && isProducing(column.rule)) ===
    true;
  const { omitted, refused } =
    command.sourceCode === 'omit' ? omitSourceCode(found, hasRule) : { omitted: [], refused: found };
  for (const problem of sourceCodeProblems(refused)) problems.add(problem, new Error(textOf(refused)));
  return omitted;
}

/** @returns undefined if one of the numbers is undefined */
function highest(floors: readonly (number | undefined)[]): number | undefined {
  const known = floors.filter((floor) => floor !== undefined);
  return known.length === floors.length ? Math.max(...known) : undefined;
}

/** Whether the job must not create code of the source. */
function refusesCode({ command, policy }: Pick<PlanRequest, 'command' | 'policy'>): boolean {
  return command.sourceCode === 'omit' || policy.rules.allowSourceCode === false;
}

/** Adds a problem for each object that a missing table would use, and that another role could have planted. */
async function checkTrust(
  tables: readonly FoundTable[],
  onTargets: readonly (TableDescription | undefined)[],
  omitted: readonly OmittedPart[],
  { command, source, target, policy }: PlanRequest,
  problems: ProblemList,
): Promise<void> {
  if (policy.rules.allowSharedSchemas || command.replace === 'database') return;
  const plans = tables.map((table, position) => ({
    ...{ ...table, target: onTargets[position] },
    omitted: omitted.filter(({ tableIndex }) => tableIndex === table.index),
  }));
  const found = await findUntrusted({ plans, source, target: target.client });
  for (const problem of found?.problems ?? []) problems.add(problem, found?.cause);
}

/** A rule with a problem counts, because the problem is reported elsewhere. */
function isProducing(rule: unknown): boolean {
  const parsed = parseColumnRule(rule, '', { isStored: true });
  return 'problems' in parsed || parsed.rule.kind !== 'preserve';
}

/** Finds objects of the target that are no tables but have the name of a table to create, by table index. */
async function relationsInTheWay(
  tables: readonly FoundTable[],
  onTargets: readonly (TableDescription | undefined)[],
  { target }: PlanRequest,
): Promise<ReadonlyMap<number, RelationKind>> {
  const missing = tables.filter((_, position) => onTargets[position] === undefined);
  const kinds = await otherRelations(
    target.client,
    missing.map(({ source }) => source.name),
  );
  return new Map(
    missing.flatMap(({ index }, position) => {
      const kind = kinds[position];
      return kind === undefined ? [] : [[index, kind] as const];
    }),
  );
}

/** Lists the privileges that the role lacks on the target, for existing and for missing tables. */
async function writingProblems(
  plans: readonly TablePlan[],
  target: LocatedClient,
): Promise<readonly SyncProblem[]> {
  const indexOf = new Map<string, number>();
  for (const { index, name, target: existing } of [...plans].reverse())
    indexOf.set(existing?.oid ?? name.schema, index);
  const oids = plans.flatMap(({ target: existing }) => existing?.oid ?? []);
  const schemas = plans.flatMap(({ name, target: existing }) =>
    existing === undefined ? [name.schema] : [],
  );
  const lacks = [
    ...(await lackingPrivileges(target, 'replace', oids)),
    ...(await lackingPrivileges(target, 'create', [...new Set(schemas)])),
  ];
  return privilegeProblems('target', lacks, indexOf);
}

/** Refuses a partition that is listed together with its parent, because its rows would be copied twice. */
function refusePartitionsListedWithParents(plans: readonly TablePlan[], problems: ProblemList): void {
  const listed = new Set(plans.map(({ source }) => source.oid));
  for (const { index, source } of plans) {
    if (!source.partitionOf.some((oid) => listed.has(oid))) continue;
    problems.add({ code: 'partition_listed', tableIndex: index });
  }
}
