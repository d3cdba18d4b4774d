import type { TableLink } from './table-links.js';

/** The tables of which a job does not copy all rows. */
export interface RestrictedTables {
  /**
   * The restricted tables that have no subset of their own, parents first. The tables of a reference cycle
   * are one group.
   */
  readonly groups: readonly (readonly number[])[];
  /** The links whose parent table is not copied completely. */
  readonly links: readonly TableLink[];
}

/**
 * Finds the tables that are not copied completely. These are the tables with a subset of their own or with orphans,
 * and all tables that reference them directly or through other tables. Pure.
 * @param roots the tables with a subset of their own
 * @param incomplete the tables with orphans
 */
export function restrictedTables(
  roots: ReadonlySet<number>,
  links: readonly TableLink[],
  incomplete: ReadonlySet<number> = new Set(),
): RestrictedTables {
  const restricted = new Set([...roots, ...incomplete]);
  const open = [...restricted];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    for (const link of links) {
      if (link.parent !== parent || restricted.has(link.child)) continue;
      restricted.add(link.child);
      open.push(link.child);
    }
  }
  const relevant = links.filter(({ parent }) => restricted.has(parent));
  const dependent = [...restricted].filter((table) => !roots.has(table)).sort((a, b) => a - b);
  return { groups: groupsOf(dependent, relevant), links: relevant };
}

/**
 * Returns the strongly connected components, parents before children (Tarjan, "Depth-first search and linear
 * graph algorithms", 1972).
 */
function groupsOf(tables: readonly number[], links: readonly TableLink[]): number[][] {
  const parentsOf = (table: number) =>
    links
      .filter(({ child, parent }) => child === table && tables.includes(parent))
      .map(({ parent }) => parent);
  const found = new Map<number, number>();
  const lowest = new Map<number, number>();
  const stack: number[] = [];
  const groups: number[][] = [];
  const visit = (table: number): void => {
    const number = found.size;
    found.set(table, number);
    lowest.set(table, number);
    stack.push(table);
    for (const parent of parentsOf(table)) {
      if (!found.has(parent)) visit(parent);
      if (!stack.includes(parent)) continue;
      lowest.set(table, Math.min(lowest.get(table) ?? 0, lowest.get(parent) ?? 0));
    }
    if (lowest.get(table) === number) groups.push(stack.splice(stack.indexOf(table)));
  };
  for (const table of tables) if (!found.has(table)) visit(table);
  return groups;
}
