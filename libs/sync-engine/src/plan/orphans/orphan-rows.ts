import { batches } from '../subset/needed-rows.js';
import { readLocations } from '../subset/read-locations.js';
import { childrenOf, orphansOf } from '../subset/relation-sql.js';
import { RowSet } from '../subset/row-set.js';
import { type SubsetScope, tableOf } from '../subset/subset-scope.js';
import type { TableLink } from '../subset/table-links.js';
import type { TablePlan } from '../table-plan.js';
import type { BrokenKey } from './find-orphans.js';
import type { OrphanKey } from './orphan-keys.js';

/** The rows that a job leaves out because they break foreign keys, by table index. Other tables are absent. */
export interface OrphanRows {
  /** Contains all rows that reference one of these rows. */
  readonly rows: ReadonlyMap<number, RowSet>;
  readonly broken: readonly BrokenKey[];
}

/** Finds the rows of the source that break keys, and all rows that reference them, directly or through other rows. */
export async function orphanRows(
  plans: readonly TablePlan[],
  keys: readonly OrphanKey[],
  links: readonly TableLink[],
  scope: Pick<SubsetScope, 'tables' | 'names' | 'budget' | 'batchRows' | 'onSource'>,
): Promise<OrphanRows> {
  const rows = new Map<number, RowSet>();
  const setOf = (sets: Map<number, RowSet>, table: number): RowSet => {
    const known = sets.get(table) ?? new RowSet(scope.budget);
    sets.set(table, known);
    return known;
  };
  let open = new Map<number, RowSet>();
  const broken: BrokenKey[] = [];
  const planOf = new Map(plans.map((plan) => [plan.index, plan]));
  for (const key of keys) {
    const [child, parent] = [planOf.get(key.link.child), planOf.get(key.link.parent)];
    if (child === undefined || parent === undefined) continue;
    let count = 0;
    await scope.onSource(child.index, (client) =>
      readLocations(client, orphansOf(key.link, child, parent), ([oid = 0, page = 0, row = 0]) => {
        count += 1;
        if (setOf(rows, child.index).add(oid, page, row)) setOf(open, child.index).add(oid, page, row);
      }),
    );
    if (count > 0) broken.push({ plan: child, key, rows: count });
  }
  while (open.size > 0) {
    const next = new Map<number, RowSet>();
    for (const link of links) {
      const child = tableOf(scope, link.child);
      for (const parent of batches(open.get(link.parent), scope)) {
        await scope.onSource(link.child, (client) =>
          readLocations(client, childrenOf(link, child, parent), ([oid = 0, page = 0, row = 0]) => {
            if (setOf(rows, link.child).add(oid, page, row)) setOf(next, link.child).add(oid, page, row);
          }),
        );
      }
    }
    for (const done of open.values()) done.clear();
    open = next;
  }
  return { rows, broken };
}
