import {
  columnsWithNulls,
  releasingLocks,
  readComparedColumns,
  type TableDescription,
  quoteTable,
  type LackingPrivilege,
} from '@understudy/postgres';
import type { LocatedClient } from '../../session/located-client.js';
import { columnsThatMayNotBeNull, compareColumns, nullRefused } from './compare-columns.js';
import type { TypeDefinitions } from './compare-types.js';
import { type DatabaseSide, defined, type SyncProblem } from '@understudy/sync-job';
import type { ColumnPlan } from '../table-plan.js';

export interface TableComparison {
  readonly index: number;
  readonly source: TableDescription;
  readonly target: TableDescription;
  /** Empty if the rules of the columns have a problem. */
  readonly columns: readonly ColumnPlan[];
  readonly columnIndex: ReadonlyMap<string, number>;
  readonly types: TypeDefinitions;
}

/**
 * Lists all differences between a source table and the existing target table, and preserved columns with
 * NULLs that the target refuses. Only the check for NULLs reads rows. For each column, the server returns
 * only whether it contains NULL.
 */
export async function compareTables(
  { index, source, target, columns, columnIndex, types }: TableComparison,
  clients: Readonly<Record<DatabaseSide, LocatedClient>>,
): Promise<readonly SyncProblem[]> {
  const onSource = clients.source.at(index);
  const comparison = {
    tableIndex: index,
    source: await readComparedColumns(onSource, source.oid),
    target: await readComparedColumns(clients.target.at(index), target.oid),
    fills: new Map(columns.map(({ description, fill }) => [description.name, fill])),
    columnIndex,
    types,
  };
  const differences = compareColumns(comparison);
  const notNullOnTarget = columnsThatMayNotBeNull(comparison);
  const from = `${source.isPartitioned ? '' : 'ONLY '}${quoteTable(source.name)}`;
  const withNulls = await releasingLocks(onSource, () => columnsWithNulls(onSource, from, notNullOnTarget));
  return [...differences, ...withNulls.map((name) => nullRefused(comparison, name))];
}

/**
 * Lists each missing privilege once, at the first table that needs it. Several tables can need the same
 * privilege on a schema.
 */
export function privilegeProblems(
  side: DatabaseSide,
  lacks: readonly LackingPrivilege[],
  tableIndexOf: ReadonlyMap<string, number>,
): readonly SyncProblem[] {
  const known = new Set<string>();
  return lacks.flatMap(({ key, privilege }) => {
    const tableIndex = tableIndexOf.get(key);
    const isOwnTable = privilege.objectKind === 'table' && privilege.object === undefined;
    const identity = JSON.stringify([privilege, isOwnTable ? tableIndex : undefined]);
    if (known.has(identity)) return [];
    known.add(identity);
    return [{ code: 'permission_denied', side, ...defined({ tableIndex }), privilege }];
  });
}
