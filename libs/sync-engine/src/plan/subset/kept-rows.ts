import { batches, type NeededRows } from './needed-rows.js';
import { readPlaces } from './read-locations.js';
import { childrenOf, rowsWithParents } from './relation-sql.js';
import { RowSet } from './row-set.js';
import { type SubsetScope, tableOf } from './subset-scope.js';
import type { TableLink } from './table-links.js';

/** The rows of one table, parted. */
export interface PartedRows {
  readonly kept: RowSet;
  readonly dropped: RowSet;
}

/**
 * Of tables without a subset of their own: all rows, but those that refer to a row that is not kept, and are not needed
 * themselves. Where tables refer to each other in a circle, rows that hold only each other are kept.
 */
export async function keptRows(
  scope: SubsetScope,
  needed: NeededRows,
): Promise<ReadonlyMap<number, PartedRows>> {
  const parted = new Map<number, PartedRows>();
  for (const group of scope.groups) {
    for (const table of group) {
      parted.set(table, { kept: new RowSet(scope.budget), dropped: new RowSet(scope.budget) });
    }
    const isInner = ({ child, parent }: TableLink) => group.includes(child) && group.includes(parent);
    for (const table of group) {
      const outer = scope.links.filter((link) => link.child === table && !isInner(link));
      await part(table, outer, scope, needed, parted);
    }
    await dropFollowers(scope.links.filter(isInner), scope, needed, parted);
  }
  return parted;
}

/** Parts the rows of a table by links whose parents are decided. */
async function part(
  table: number,
  links: readonly TableLink[],
  scope: SubsetScope,
  needed: NeededRows,
  parted: ReadonlyMap<number, PartedRows>,
): Promise<void> {
  const { kept, dropped } = partsOf(parted, table);
  const parents = links.map((link) => ({ link, parent: tableOf(scope, link.parent) }));
  const stays = links.map(({ parent }) => parted.get(parent)?.kept ?? needed.rows.get(parent));
  const own = needed.rows.get(table);
  await scope.onSource(table, (client) =>
    readPlaces(client, rowsWithParents(tableOf(scope, table), parents), (numbers) => {
      const [oid = 0, page = 0, row = 0] = numbers;
      const isKept =
        own?.has(oid, page, row) === true ||
        stays.every((set, i) => {
          const at = 3 * i + 3;
          const parentOid = numbers[at] ?? 0;
          return parentOid === 0 || set?.has(parentOid, numbers[at + 1] ?? 0, numbers[at + 2] ?? 0) === true;
        });
      (isKept ? kept : dropped).add(oid, page, row);
    }),
  );
}

/** Drops what refers to dropped rows within a group, until nothing does. */
async function dropFollowers(
  links: readonly TableLink[],
  scope: SubsetScope,
  needed: NeededRows,
  parted: ReadonlyMap<number, PartedRows>,
): Promise<void> {
  if (links.length === 0) return;
  let open = new Map(
    [...new Set(links.map(({ parent }) => parent))].map((table) => [table, partsOf(parted, table).dropped]),
  );
  for (let isFirst = true; [...open.values()].some(({ count }) => count > 0); isFirst = false) {
    const next = new Map([...open.keys()].map((table) => [table, new RowSet(scope.budget)]));
    for (const link of links) {
      const { kept, dropped } = partsOf(parted, link.child);
      const drop = (oid: number, page: number, row: number) => {
        if (needed.rows.get(link.child)?.has(oid, page, row) === true) return;
        if (!kept.delete(oid, page, row)) return;
        dropped.add(oid, page, row);
        next.get(link.child)?.add(oid, page, row);
      };
      await eachFollower(link, open.get(link.parent), scope, partsOf(parted, link.parent).dropped, drop);
    }
    if (!isFirst) for (const done of open.values()) done.clear();
    open = next;
  }
}

async function eachFollower(
  link: TableLink,
  open: RowSet | undefined,
  scope: SubsetScope,
  dropped: RowSet,
  drop: (oid: number, page: number, row: number) => void,
): Promise<void> {
  if (open === undefined || open.count === 0) return;
  const child = tableOf(scope, link.child);
  const parent = tableOf(scope, link.parent);
  // More than one query names: one look at all rows then costs less.
  if (open.count > scope.batchRows) {
    await scope.onSource(link.child, (client) =>
      readPlaces(client, rowsWithParents(child, [{ link, parent }]), (numbers) => {
        const [oid = 0, page = 0, row = 0, parentOid = 0, parentPage = 0, parentRow = 0] = numbers;
        if (dropped.has(parentOid, parentPage, parentRow)) drop(oid, page, row);
      }),
    );
    return;
  }
  for (const rows of batches(open, scope)) {
    await scope.onSource(link.child, (client) =>
      readPlaces(client, childrenOf(link, child, rows), ([oid = 0, page = 0, row = 0]) =>
        drop(oid, page, row),
      ),
    );
  }
}

function partsOf(parted: ReadonlyMap<number, PartedRows>, table: number): PartedRows {
  const parts = parted.get(table);
  if (parts === undefined) throw new Error(`table ${table} is not parted`);
  return parts;
}
