import { readLocations } from './read-locations.js';
import { parentsOf, selectedRows } from './relation-sql.js';
import { RowSet } from './row-set.js';
import { type SubsetScope, tableOf } from './subset-scope.js';

/** The rows that a job must copy, by table index. Tables that are copied completely are absent. */
export interface NeededRows {
  readonly rows: ReadonlyMap<number, RowSet>;
  /**
   * The rows in `rows` that no selection chooses. They are needed because other needed rows reference them.
   */
  readonly pulled: ReadonlyMap<number, RowSet>;
}

/**
 * Finds the rows that the selections choose, and all rows that they reference, directly or through other
 * rows.
 */
export async function neededRows(scope: SubsetScope): Promise<NeededRows> {
  const { budget, restricted } = scope;
  const sets = () => new Map([...restricted].map((table) => [table, new RowSet(budget)]));
  const [rows, pulled] = [sets(), sets()];
  let open = sets();
  for (const index of scope.roots) {
    await scope.onSource(index, (client) =>
      readLocations(client, selectedRows(tableOf(scope, index)), ([oid = 0, page = 0, row = 0]) => {
        if (scope.orphans.get(index)?.has(oid, page, row) === true) return;
        rows.get(index)?.add(oid, page, row);
        open.get(index)?.add(oid, page, row);
      }),
    );
  }
  while ([...open.values()].some(({ count }) => count > 0)) {
    const [now, next] = [open, sets()];
    for (const link of scope.links) {
      const parent = tableOf(scope, link.parent);
      for (const child of batches(now.get(link.child), scope)) {
        await scope.onSource(link.child, (client) =>
          readLocations(client, parentsOf(link, child, parent), ([oid = 0, page = 0, row = 0]) => {
            if (rows.get(link.parent)?.add(oid, page, row) !== true) return;
            pulled.get(link.parent)?.add(oid, page, row);
            next.get(link.parent)?.add(oid, page, row);
          }),
        );
      }
    }
    for (const done of now.values()) done.clear();
    open = next;
  }
  return { rows, pulled };
}

/**
 * Splits a set of rows into batches, each small enough for one query. The rows of a batch are in one
 * relation.
 */
export function* batches(
  rows: RowSet | undefined,
  { names, batchRows }: Pick<SubsetScope, 'names' | 'batchRows'>,
): Generator<{ readonly relation: string; readonly locations: readonly (readonly [number, number])[] }> {
  for (const oid of rows?.relationOids() ?? []) {
    const relation = names.get(oid) ?? '';
    let locations: (readonly [number, number])[] = [];
    for (const location of rows?.locations(oid) ?? []) {
      if (locations.push(location) < batchRows) continue;
      yield { relation, locations };
      locations = [];
    }
    if (locations.length > 0) yield { relation, locations };
  }
}
