import { keyOf, type RandomDatabase } from './random-database.js';

/**
 * Computes which rows of each table a job must copy according to docs/guides/subsets.md. Applies the rules of
 * that page to sets of row numbers until the sets no longer change.
 * @returns the row numbers of each table
 */
export function expectedRows({ tables, links }: RandomDatabase): readonly (readonly number[])[] {
  if (tables.every(({ subset }) => subset === undefined))
    return tables.map(({ rows }) => rows.map((_, row) => row));
  const needed = tables.map((table) => {
    const { subset, rows } = table;
    if (subset === undefined) return new Set<number>();
    const { below, limit } = subset;
    const chosen = rows
      .map(({ v }, row) => ({ v, row }))
      .filter(({ v }) => below === undefined || (v !== null && v < below))
      .sort((a, b) => keyOf(table, a.row) - keyOf(table, b.row));
    return new Set(chosen.slice(0, limit ?? chosen.length).map(({ row }) => row));
  });
  repeatWhileChanging(() =>
    links.some(({ child, parent, targets }) =>
      targets.some((target, row) => {
        if (target === null || needed[child]?.has(row) !== true || needed[parent]?.has(target) === true)
          return false;
        needed[parent]?.add(target);
        return true;
      }),
    ),
  );
  const kept = tables.map(({ rows, subset }, index) =>
    subset === undefined ? new Set(rows.map((_, row) => row)) : new Set(needed[index]),
  );
  repeatWhileChanging(() =>
    links.some(({ child, parent, targets }) =>
      targets.some((target, row) => {
        if (target === null || needed[child]?.has(row) === true || kept[parent]?.has(target) === true)
          return false;
        return kept[child]?.delete(row) === true;
      }),
    ),
  );
  return kept.map((rows) => [...rows].sort((a, b) => a - b));
}

function repeatWhileChanging(step: () => boolean): void {
  while (step());
}
