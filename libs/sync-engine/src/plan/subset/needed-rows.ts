import { readPlaces } from './read-locations.js';
import { parentsOf, selectedRows } from './relation-sql.js';
import { RowSet } from './row-set.js';
import { type SubsetScope, tableOf } from './subset-scope.js';

/** Rows that a job cannot leave out, of each table that may lose rows. */
export interface NeededRows {
  readonly rows: ReadonlyMap<number, RowSet>;
  /** Those among them that no selection asks for: they are there because a needed row refers to them. */
  readonly pulled: ReadonlyMap<number, RowSet>;
}

/** The rows that the selections ask for, and all that these refer to, directly or by way of others. */
export async function neededRows(scope: SubsetScope): Promise<NeededRows> {
  const { budget, restricted } = scope;
  const sets = () => new Map([...restricted].map((table) => [table, new RowSet(budget)]));
  const [rows, pulled] = [sets(), sets()];
  let open = sets();
  for (const index of scope.roots) {
    await scope.onSource(index, (client) =>
      readPlaces(client, selectedRows(tableOf(scope, index)), ([oid = 0, page = 0, row = 0]) => {
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
          readPlaces(client, parentsOf(link, child, parent), ([oid = 0, page = 0, row = 0]) => {
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

/** Rows of a set in pieces that one query names, each of one relation. */
export function* batches(
  rows: RowSet | undefined,
  { names, batchRows }: Pick<SubsetScope, 'names' | 'batchRows'>,
): Generator<{ readonly relation: string; readonly places: readonly (readonly [number, number])[] }> {
  for (const oid of rows?.relationOids() ?? []) {
    const relation = names.get(oid) ?? '';
    let places: (readonly [number, number])[] = [];
    for (const place of rows?.places(oid) ?? []) {
      if (places.push(place) < batchRows) continue;
      yield { relation, places };
      places = [];
    }
    if (places.length > 0) yield { relation, places };
  }
}
