import { batches, type NeededRows } from './needed-rows.js';
import { readLocations } from './read-locations.js';
import { childrenOf, rowsWithParents } from './relation-sql.js';
import { RowSet } from './row-set.js';
import { type SubsetScope, tableOf } from './subset-scope.js';
import type { TableLink } from './table-links.js';

/** The rows of one table, split into kept and dropped ones. */
export interface SplitRows {
  readonly kept: RowSet;
  readonly dropped: RowSet;
}

/**
 * Chooses the rows to keep in tables that have no subset of their own but reference tables that are not
 * copied completely. Needed rows are always kept. Any other row is dropped if it is an orphan or references a
 * dropped row. In tables that form a cycle of references, rows that reference only each other are kept.
 */
export async function keptRows(
  scope: SubsetScope,
  needed: NeededRows,
): Promise<ReadonlyMap<number, SplitRows>> {
  const split = new Map<number, SplitRows>();
  for (const group of scope.groups) {
    for (const table of group) {
      split.set(table, { kept: new RowSet(scope.budget), dropped: new RowSet(scope.budget) });
    }
    const isInner = ({ child, parent }: TableLink) => group.includes(child) && group.includes(parent);
    for (const table of group) {
      const outer = scope.links.filter((link) => link.child === table && !isInner(link));
      await splitTable(table, outer, scope, needed, split);
    }
    await dropChildren(scope.links.filter(isInner), scope, needed, split);
  }
  return split;
}

/**
 * Splits the rows of a table into kept and dropped ones. `links` are the foreign keys to parents whose rows
 * are already split.
 */
async function splitTable(
  table: number,
  links: readonly TableLink[],
  scope: SubsetScope,
  needed: NeededRows,
  split: ReadonlyMap<number, SplitRows>,
): Promise<void> {
  const { kept, dropped } = splitOf(split, table);
  const parents = links.map((link) => ({ link, parent: tableOf(scope, link.parent) }));
  const stays = links.map(({ parent }) => split.get(parent)?.kept ?? needed.rows.get(parent));
  const own = needed.rows.get(table);
  const orphans = scope.orphans.get(table);
  await scope.onSource(table, (client) =>
    readLocations(client, rowsWithParents(tableOf(scope, table), parents), (numbers) => {
      const [oid = 0, page = 0, row = 0] = numbers;
      const isKept =
        own?.has(oid, page, row) === true ||
        (orphans?.has(oid, page, row) !== true &&
          stays.every((set, i) => {
            const at = 3 * i + 3;
            const parentOid = numbers[at] ?? 0;
            return (
              parentOid === 0 || set?.has(parentOid, numbers[at + 1] ?? 0, numbers[at + 2] ?? 0) === true
            );
          }));
      (isKept ? kept : dropped).add(oid, page, row);
    }),
  );
}

/** Drops each row of a group that references a dropped row, until no such row is left. */
async function dropChildren(
  links: readonly TableLink[],
  scope: SubsetScope,
  needed: NeededRows,
  split: ReadonlyMap<number, SplitRows>,
): Promise<void> {
  if (links.length === 0) return;
  let open = new Map(
    [...new Set(links.map(({ parent }) => parent))].map((table) => [table, splitOf(split, table).dropped]),
  );
  for (let isFirst = true; [...open.values()].some(({ count }) => count > 0); isFirst = false) {
    const next = new Map([...open.keys()].map((table) => [table, new RowSet(scope.budget)]));
    for (const link of links) {
      const { kept, dropped } = splitOf(split, link.child);
      const drop = (oid: number, page: number, row: number) => {
        if (needed.rows.get(link.child)?.has(oid, page, row) === true) return;
        if (!kept.delete(oid, page, row)) return;
        dropped.add(oid, page, row);
        next.get(link.child)?.add(oid, page, row);
      };
      await eachChild(link, open.get(link.parent), scope, splitOf(split, link.parent).dropped, drop);
    }
    if (!isFirst) for (const done of open.values()) done.clear();
    open = next;
  }
}

async function eachChild(
  link: TableLink,
  open: RowSet | undefined,
  scope: SubsetScope,
  dropped: RowSet,
  drop: (oid: number, page: number, row: number) => void,
): Promise<void> {
  if (open === undefined || open.count === 0) return;
  const child = tableOf(scope, link.child);
  const parent = tableOf(scope, link.parent);
  // If the dropped rows do not fit into one query, it is cheaper to read all children once.
  if (open.count > scope.batchRows) {
    await scope.onSource(link.child, (client) =>
      readLocations(client, rowsWithParents(child, [{ link, parent }]), (numbers) => {
        const [oid = 0, page = 0, row = 0, parentOid = 0, parentPage = 0, parentRow = 0] = numbers;
        if (dropped.has(parentOid, parentPage, parentRow)) drop(oid, page, row);
      }),
    );
    return;
  }
  for (const rows of batches(open, scope)) {
    await scope.onSource(link.child, (client) =>
      readLocations(client, childrenOf(link, child, rows), ([oid = 0, page = 0, row = 0]) =>
        drop(oid, page, row),
      ),
    );
  }
}

function splitOf(split: ReadonlyMap<number, SplitRows>, table: number): SplitRows {
  const parts = split.get(table);
  if (parts === undefined) throw new Error(`expected table ${table} to be split`);
  return parts;
}
