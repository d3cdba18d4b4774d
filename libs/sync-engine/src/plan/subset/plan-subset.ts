import { conditionColumns, parseRowCondition } from '@understudy/row-condition';
import { releasingLocks, type ColumnDescription } from '@understudy/postgres';
import type { LocatedClient, LocatedSession } from '../../session/located-client.js';
import {
  defined,
  type SyncJobCommand,
  type TableSubset,
  type SyncFailureCode,
  SyncJobError,
} from '@understudy/sync-job';
import type { SyncPolicy } from '../../policy.js';
import { emptyParents } from '../orphans/empty-parents.js';
import { type OrphanKey, readOrphanKeys } from '../orphans/orphan-keys.js';
import { type OrphanRows, orphanRows } from '../orphans/orphan-rows.js';
import type { TablePlan } from '../table-plan.js';
import type { PlanRequest } from '../preflight/preflight.js';
import { columnFailure } from '../problems/column-failure.js';
import { readComputed } from '../computed-columns.js';
import { readConditionColumns } from './condition-columns.js';
import { ConditionMismatch, conditionSql } from './condition-sql.js';
import { keptRows } from './kept-rows.js';
import { readRelationNames } from './leaf-relations.js';
import { neededRows } from './needed-rows.js';
import { restrictedTables } from './restricted-tables.js';
import { RowFilter } from './row-filter.js';
import { RowSetTooLargeError } from './row-set.js';
import type { SubsetScope } from './subset-scope.js';
import type { RowSelection, SubsetTable } from './subset-selection.js';
import { readTableLinks, type TableLink } from './table-links.js';

export interface SubsetRequest extends Pick<PlanRequest, 'excluded' | 'emptyTables'> {
  readonly command: SyncJobCommand;
  readonly plans: readonly TablePlan[];
  /** A client in the job's snapshot. */
  readonly source: LocatedClient;
  /** Its catalogs decide which rows are orphans. */
  readonly target: Pick<LocatedSession, 'client'>;
  readonly policy: SyncPolicy;
  readonly signal: AbortSignal;
  /**
   * The largest number of row locations in one query. Default: 20,000, which makes a few hundred kilobytes
   * of SQL.
   */
  readonly batchRows?: number;
}

/** The memory limit of all row sets of one job, in bytes. */
const MAX_SET_BYTES = 96 * 1024 * 1024;

/**
 * Decides which rows a job copies (docs/guides/subsets.md). Adds a row filter to the plan of each table that
 * is not copied completely, and the broken keys to the plan of each table whose orphans are skipped. Transfers
 * row locations from the source, but no column values. The result depends only on the snapshot and the request.
 * @throws SyncJobError policy_denied, where_invalid, where_column_not_found, where_type_mismatch,
 * subset_too_large, subset_not_possible
 */
export async function planSubset(request: SubsetRequest): Promise<readonly TablePlan[]> {
  const { command, plans } = request;
  const skipsOrphans = command.orphans === 'skip';
  if (!skipsOrphans && command.tables.every(({ subset }) => subset === undefined)) return plans;
  const tables = new Map<number, SubsetTable>();
  for (const plan of plans) tables.set(plan.index, await subsetTable(plan, request));
  try {
    const { scope, broken } = await subsetScope(tables, request);
    const filters = await rowFilters(scope);
    return plans.map((plan) => {
      const rowFilter = filters.get(plan.index);
      const skipped = broken.flatMap(({ key, rows, plan: child }) =>
        child.index === plan.index ? [{ key, rows }] : [],
      );
      return { ...plan, ...defined({ rowFilter, skipped: skipped.length === 0 ? undefined : skipped }) };
    });
  } catch (cause) {
    if (!(cause instanceof RowSetTooLargeError)) throw cause;
    throw new SyncJobError({ code: 'subset_too_large', side: 'source' }, { cause });
  }
}

async function rowFilters(scope: SubsetScope): Promise<ReadonlyMap<number, RowFilter>> {
  const needed = await neededRows(scope);
  const split = await keptRows(scope, needed);
  const filters = new Map<number, RowFilter>();
  for (const index of scope.roots) {
    const rows = needed.rows.get(index);
    const pulled = needed.pulled.get(index);
    if (rows === undefined || pulled === undefined) continue;
    const { condition, limit } = scope.tables.get(index)?.selection ?? {};
    const isByCondition = condition !== undefined && limit === undefined && !scope.orphans.has(index);
    filters.set(
      index,
      isByCondition ? new RowFilter(pulled, rows.count, { condition }) : new RowFilter(rows, rows.count),
    );
  }
  for (const [index, { kept, dropped }] of split)
    filters.set(index, new RowFilter(kept, kept.count, { dropped }));
  return filters;
}

async function subsetScope(
  tables: ReadonlyMap<number, SubsetTable>,
  request: SubsetRequest,
): Promise<{ readonly scope: SubsetScope; readonly broken: OrphanRows['broken'] }> {
  const { command, plans, source, target, policy, signal, emptyTables = [], batchRows = 20_000 } = request;
  const roots = [...tables.values()]
    .filter(({ selection }) => selection !== undefined)
    .map(({ index }) => index);
  const onSource: SubsetScope['onSource'] = (index, work) => {
    signal.throwIfAborted();
    const client = source.at(index);
    return releasingLocks(client, () => work(client));
  };
  const oids = new Map(plans.map((plan) => [plan.source.oid, plan.index]));
  const links = await readTableLinks(source, oids);
  const budget = { maxBytes: MAX_SET_BYTES, usedBytes: 0 };
  const relations = await readRelationNames(source, [...oids.keys()]);
  const base = { tables, names: relations.names, budget, batchRows, onSource };
  const skipsOrphans = command.orphans === 'skip';
  const clients = { source, target: target.client };
  const parents = skipsOrphans ? [...plans, ...(await emptyParents(clients, plans, emptyTables))] : plans;
  const keys = skipsOrphans ? await keysToSkip(parents, request) : [];
  const { rows: orphans, broken } = await orphanRows(
    parents,
    keys,
    [...links, ...keys.map(({ link }) => link)],
    base,
  );
  const order = restrictedTables(new Set(roots), links, new Set(orphans.keys()));
  await refuseProtectedLinks([...order.links, ...broken.map(({ key }) => key.link)], plans, policy, onSource);
  const restricted = new Set([...roots, ...order.groups.flat()]);
  const [foreign] = relations.foreignIn.filter((oid) => restricted.has(oids.get(oid) ?? -1));
  if (foreign !== undefined) {
    const tableIndex = oids.get(foreign) ?? 0;
    const cause = new Error('a partition is a foreign table, whose rows have no fixed location');
    throw new SyncJobError({ code: 'subset_not_possible', side: 'source', tableIndex }, { cause });
  }
  return { scope: { ...order, ...base, roots, restricted, orphans }, broken };
}

/** Returns the keys of the job's tables whose orphans are left out. @param parents the tables that keys can reference */
async function keysToSkip(
  parents: readonly TablePlan[],
  { plans, source, target, excluded = [] }: SubsetRequest,
): Promise<readonly OrphanKey[]> {
  const keys = await readOrphanKeys(parents, { source, target: target.client });
  const leftOut = new Set(excluded.map(({ address }) => address));
  const own = new Set(plans.map(({ index }) => index));
  return keys.filter(({ address, link }) => !leftOut.has(address) && own.has(link.child));
}

/**
 * Refuses a subset whose rows depend on a foreign key between a protected column and an unprotected one. Either column
 * may be generated from a protected one. The copied rows of the two tables, and their counts, would show which
 * originals are equal to an unprotected value. If the policy protects both columns, the job masks both, and joins stay
 * visible in any job.
 * @throws SyncJobError policy_denied with the location of the protected column
 */
async function refuseProtectedLinks(
  links: readonly TableLink[],
  plans: readonly TablePlan[],
  policy: SyncPolicy,
  onSource: SubsetScope['onSource'],
): Promise<void> {
  if (!policy.protectsColumns) return;
  const linked = new Set(links.flatMap(({ child, parent }) => [child, parent]));
  const hidden = new Map<number, ReadonlySet<string>>();
  for (const { index, source } of plans.filter((plan) => linked.has(plan.index))) {
    const readBy = await onSource(index, (client) => readComputed(client, source));
    const isHidden = (column: ColumnDescription) =>
      readBy(column).some((one) => policy.refusesPreserve(source, one));
    hidden.set(index, new Set(source.columns.filter(isHidden).map(({ name }) => name)));
  }
  for (const { child, parent, columns } of links) {
    for (const pair of columns) {
      const isChildHidden = hidden.get(child)?.has(pair.child) === true;
      // A table without rows has no plan, and none of its values is copied.
      if (isChildHidden === (hidden.get(parent)?.has(pair.parent) === true)) continue;
      const [index, column] = isChildHidden ? [child, pair.child] : [parent, pair.parent];
      const columnIndex = plans.find((plan) => plan.index === index)?.columnIndex ?? new Map();
      const cause = new Error(
        `the foreign key from ${pair.child} to ${pair.parent} would decide which rows the subset has, and the policy protects only ${column}`,
      );
      throw columnFailure({ index, columnIndex }, column, 'policy_denied', cause);
    }
  }
}

async function subsetTable(plan: TablePlan, request: SubsetRequest): Promise<SubsetTable> {
  const { index, name, source } = plan;
  const subset = request.command.tables[index]?.subset;
  const key = source.columns
    .filter(({ keyPosition }) => keyPosition !== undefined)
    .sort((a, b) => (a.keyPosition ?? 0) - (b.keyPosition ?? 0));
  return {
    index,
    name,
    isPartitioned: source.isPartitioned,
    key: key.map((column) => column.name),
    selection: subset === undefined ? undefined : await rowSelection(plan, subset, request),
  };
}

async function rowSelection(
  { index, source, columnIndex }: TablePlan,
  { where, limit }: TableSubset,
  { source: ofJob, policy }: SubsetRequest,
): Promise<RowSelection> {
  if (where === undefined) return { condition: undefined, limit };
  if (!policy.rules.allowWhere) throw new SyncJobError({ code: 'policy_denied', tableIndex: index });
  const parsed = await parseRowCondition(where);
  if ('problem' in parsed) {
    throw new SyncJobError(
      { code: 'where_invalid', tableIndex: index },
      { cause: new Error(parsed.problem.message) },
    );
  }
  const named = conditionColumns(parsed.condition);
  const fail = (code: SyncFailureCode, column: string, cause?: Error): never => {
    const known = columnIndex.get(column) ?? columnIndex.size + named.indexOf(column);
    throw new SyncJobError({ code, tableIndex: index, columnIndex: known }, { cause });
  };
  // The choice of rows reveals values of the columns in the condition, so a condition must not name protected
  // columns, or generated columns that are computed from them.
  const client = ofJob.at(index);
  const readBy = await readComputed(client, source);
  for (const column of named) {
    // If the table does not have the column, `conditionSql` reports this.
    const read = source.columns.filter(({ name }) => name === column).flatMap(readBy);
    if (read.some((one) => policy.refusesPreserve(source, one))) fail('policy_denied', column);
  }
  const columns = await readConditionColumns(client, source.oid);
  try {
    return { condition: conditionSql(parsed.condition, columns), limit };
  } catch (cause) {
    if (!(cause instanceof ConditionMismatch)) throw cause;
    const code = cause.kind === 'unknown_column' ? 'where_column_not_found' : 'where_type_mismatch';
    return fail(code, cause.column, cause);
  }
}
