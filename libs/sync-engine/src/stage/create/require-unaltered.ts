import { isDeepStrictEqual } from 'node:util';
import { type Client, quoteTable, readMajorVersion, releasingLocks, sqlName } from '@understudy/postgres';
import type { TableName } from '@understudy/sync-job';
import { hasEventTriggers } from '../../plan/preflight/writable-target.js';
import { ProblemList } from '../../plan/problems/problem-list.js';
import type { TablePlan } from '../../plan/table-plan.js';
import type { FailureContext } from '../../session/guard.js';
import type { LocatedClient } from '../../session/located-client.js';
import { isTableItself, type StagedTable } from '../ledger/staging-ledger.js';
import type { DefinitionContext } from './run-definition.js';
import { TABLE_SHAPES, TABLES_WITH_EXTRAS, UNLIKE_EXISTING } from './table-shapes.sql.js';

/**
 * Compares the tables that the job has created with those of the source. An event trigger can change a table while the
 * job creates it. Call it while the tables have their real names.
 * `created` are the plans of the tables that exist already; those that the job does not create are ignored.
 * @param stage `created` before triggers and policies exist and only some indexes, and `complete` after that
 * @throws SyncJobError table_altered
 */
export async function requireUnaltered(
  client: LocatedClient,
  { plans, source, created = plans }: DefinitionContext & { readonly created?: readonly TablePlan[] },
  stage: 'created' | 'complete',
): Promise<void> {
  const missing = created.filter(({ target }) => target === undefined);
  if (missing.length === 0) return;
  const tables = missing.flatMap(({ name, source: { partitions } }) => [name, ...partitions]);
  const omitted = missing.flatMap((plan) => (plan.omitted ?? []).map(({ object }) => object.address));
  const referenced = plans.map(({ name: { schema, table } }) => JSON.stringify([schema, table]));
  const isComplete = stage === 'complete';
  const [ofSource, ofTarget] = [await readMajorVersion(source), await readMajorVersion(client)];
  const request = { tables, referenced, hasTexts: ofSource === ofTarget };
  const expected = await releasingLocks(source, () => shapesOf(source, { ...request, omitted, isComplete }));
  // Parts that the job did not create count on the target in any case.
  const found = await shapesOf(client, { ...request, omitted: [], isComplete: true });
  const listed = new Set(missing.map(({ name }) => name));
  const altered = tables.filter(
    (name, i) => !isAsExpected(expected.get(i), found.get(i), { isComplete, isListed: listed.has(name) }),
  );
  requireNone(altered, client.context.tableIndexOf);
}

function isAsExpected(
  expected: Shape | undefined,
  found: Shape | undefined,
  { isComplete, isListed }: { readonly isComplete: boolean; readonly isListed: boolean },
): boolean {
  if (expected === undefined || found === undefined) return false;
  // The job creates a plain table for a partition whose partitioned table is not listed.
  const isPlain = isListed && expected.isPartition;
  // The job creates foreign keys to tables that it does not list only if the target has these tables.
  const allowed = new Set([...expected.parts, ...expected.otherKeys]);
  const parts = new Set([...found.parts, ...found.otherKeys]);
  const children = new Set(expected.children);
  return (
    expected.shape === found.shape &&
    isDeepStrictEqual(expected.order, found.order) &&
    // With the whole row as its identity, a table accepts all changes that it would accept otherwise.
    (found.identity === 'f' || expected.identity === found.identity) &&
    (isPlain ? !found.isPartition : expected.inherited === found.inherited) &&
    [...parts].every((part) => allowed.has(part)) &&
    (!isComplete || expected.parts.every((part) => parts.has(part))) &&
    found.children.every((child) => children.has(child)) &&
    found.disabled.length === 0
  );
}

/** The definitions of a job's existing tables, before the job changes anything on the target. */
export interface ExistingTables {
  readonly tables: readonly TableName[];
  readonly shapes: ReadonlyMap<number, Shape>;
}

/** @returns undefined if the target has no enabled event trigger, so that nothing can change tables unseen */
export async function readExistingTables(
  client: Client,
  plans: readonly TablePlan[],
): Promise<ExistingTables | undefined> {
  if (!(await hasEventTriggers(client))) return undefined;
  const tables = plans.flatMap(({ name, target }) => (target ? [name, ...target.partitions] : []));
  return { tables, shapes: await shapesOf(client, allOf(tables)) };
}

function allOf(tables: readonly TableName[]): ShapesRequest {
  return { tables, referenced: [], omitted: [], isComplete: true, hasTexts: true };
}

/**
 * Checks that existing tables have the definitions that they had before.
 * @throws SyncJobError table_altered
 */
export async function requireUnchanged(
  client: LocatedClient,
  { tables, shapes }: ExistingTables,
): Promise<void> {
  const found = await shapesOf(client, allOf(tables));
  requireNone(
    tables.filter((_, i) => !isUnchanged(shapes.get(i), found.get(i))),
    client.context.tableIndexOf,
  );
}

/** Others may publish a table and reference it during the job. The job enables the keys that it creates again. */
function isUnchanged(before: Shape | undefined, found: Shape | undefined): boolean {
  if (before === undefined || found === undefined) return before === found;
  const varying = { around: [], disabled: [] };
  return (
    isDeepStrictEqual({ ...before, ...varying }, { ...found, ...varying }) &&
    before.around.every((one) => found.around.includes(one)) &&
    found.disabled.every((one) => before.disabled.includes(one))
  );
}

/**
 * Checks the tables to which the job will write rows. They must have nothing that could run code, hide the rows or pass
 * them on.
 * @throws SyncJobError table_altered
 */
export async function requireNoExtras(
  client: LocatedClient,
  schemas: readonly string[],
  staged: readonly StagedTable[],
  plans: readonly TablePlan[],
): Promise<void> {
  const { rows } = await client.query<TableName>(TABLES_WITH_EXTRAS, [schemas]);
  const found = rows.map(({ schema, table }) => {
    const of = staged.find(({ into }) => into.schema === schema && into.table === table);
    return plans.find(({ index }) => index === of?.tableIndex)?.name ?? { schema, table };
  });
  requireNone(found, client.context.tableIndexOf);
}

/**
 * Checks that the tables of staged rows have the columns and constraints that the job gave them. Others could change the
 * rows, or pass them to a function.
 * @throws SyncJobError table_altered
 */
export async function requireOwnColumns(
  client: LocatedClient,
  staged: readonly StagedTable[],
  plans: readonly TablePlan[],
): Promise<void> {
  const copies = staged.flatMap(({ tableIndex, into, kind }) => {
    const plan = plans.find(({ index }) => index === tableIndex);
    return plan === undefined || isTableItself(kind) ? [] : [{ plan, into, isText: kind === 'text' }];
  });
  const { rows } = await client.query<{ n: number }>(UNLIKE_EXISTING, [
    copies.map(({ into }) => quoteTable(into)),
    copies.map(({ plan, isText }) => (isText ? null : quoteTable(plan.name))),
    copies.map(({ plan }) => JSON.stringify(plan.columns.map(({ description }) => description.name))),
  ]);
  requireNone(
    rows.flatMap(({ n }) => copies[n]?.plan.name ?? []),
    client.context.tableIndexOf,
  );
}

export interface Shape {
  readonly shape: string;
  readonly order: readonly string[];
  readonly identity: string;
  readonly isPartition: boolean;
  readonly inherited: string;
  readonly parts: readonly string[];
  readonly otherKeys: readonly string[];
  readonly children: readonly string[];
  readonly around: readonly string[];
  readonly disabled: readonly string[];
}

interface ShapesRequest {
  readonly tables: readonly TableName[];
  /** The tables whose foreign keys are parts, each as a JSON array of schema and name. */
  readonly referenced: readonly string[];
  readonly omitted: readonly string[];
  readonly isComplete: boolean;
  /** Whether the texts of expressions are compared. Versions of PostgreSQL write some differently. */
  readonly hasTexts: boolean;
}

/** @returns the shape of each table that exists, by its position in the list */
async function shapesOf(
  client: Client,
  { tables, referenced, omitted, isComplete, hasTexts }: ShapesRequest,
): Promise<ReadonlyMap<number, Shape>> {
  if (tables.length === 0) return new Map();
  const { rows } = await client.query<Shape & { n: number }>(TABLE_SHAPES, [
    tables.map(({ schema }) => schema),
    tables.map(({ table }) => table),
    omitted,
    isComplete,
    referenced,
    hasTexts,
  ]);
  return new Map(rows.map(({ n, ...shape }) => [n - 1, shape]));
}

/** @throws SyncJobError table_altered if the list is not empty */
export function requireNone(
  tables: readonly TableName[],
  tableIndexOf: FailureContext['tableIndexOf'],
): void {
  const problems = new ProblemList();
  for (const { schema, table } of tables) {
    const tableIndex = tableIndexOf?.(schema, table);
    const names = { schema: sqlName(schema), name: sqlName(table) };
    const location =
      tableIndex === undefined ? { object: { kind: 'relation' as const, ...names } } : { tableIndex };
    const cause = new Error(`not as the job created it: ${schema}.${table}`);
    problems.add({ code: 'table_altered', side: 'target', ...location }, cause);
  }
  problems.throwIfAny();
}
