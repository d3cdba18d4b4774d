import { describeTables, parseTableName } from '@understudy/postgres';
import type { DatabaseSide } from '@understudy/sync-job';
import type { LocatedClient } from '../../session/located-client.js';
import { RowFilter } from '../subset/row-filter.js';
import { RowSet } from '../subset/row-set.js';
import type { TablePlan } from '../table-plan.js';

/**
 * Returns plans of the tables that a new database has without rows, with a filter that selects no row. With them, all
 * references to these tables are orphans. Their indexes are behind those of the job's tables, as in its request. Leaves
 * out partitions of the job's tables, because their rows are copied with these. If the job's tables are on the target,
 * because a finished target is verified, so are these.
 * @param plans all tables of the job
 * @param emptyTables the names of the tables without rows
 */
export async function emptyParents(
  { source, target }: Readonly<Record<DatabaseSide, LocatedClient>>,
  plans: readonly TablePlan[],
  emptyTables: readonly string[],
): Promise<readonly TablePlan[]> {
  if (emptyTables.length === 0) return [];
  const listed = new Set(plans.map((plan) => plan.source.oid));
  const names = emptyTables.map((name) => parseTableName(name) ?? { schema: '', table: '' });
  const described = await describeTables(source, names);
  const isThere = plans.some((plan) => plan.target !== undefined);
  const onTarget = isThere ? await describeTables(target, names) : [];
  return described.flatMap((table, position) => {
    if (table === undefined || table.partitionOf.some((oid) => listed.has(oid))) return [];
    const rowFilter = new RowFilter(new RowSet({ maxBytes: 0, usedBytes: 0 }), 0);
    return {
      ...{ index: plans.length + position, name: table.name, source: table, target: onTarget[position] },
      ...{ columns: [], columnIndex: new Map(), rowFilter },
    };
  });
}
