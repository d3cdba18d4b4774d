import type { SurveyedReference } from '@understudy/sync-engine';
import type { DetectedTable } from '../detect/detected-table.js';

/** A column, identified by its name and the index of its table. */
export interface ColumnPath {
  readonly table: number;
  readonly column: string;
}

/**
 * Groups the columns that foreign keys connect, because they must get the same rule. Each other personal
 * column forms a separate group.
 */
export function columnGroups(
  detected: readonly DetectedTable[],
  references: readonly SurveyedReference[],
): readonly (readonly ColumnPath[])[] {
  const tableOf = new Map(detected.map(({ table }, i) => [table.oid, i]));
  const groupOf = new Map<string, ColumnPath[]>();
  const group = (path: ColumnPath): ColumnPath[] => {
    const key = keyOf(path);
    const known = groupOf.get(key);
    if (known !== undefined) return known;
    const own = [path];
    groupOf.set(key, own);
    return own;
  };
  for (const [table, { personal }] of detected.entries()) {
    for (const { column } of personal) group({ table, column: column.name });
  }
  for (const { table, referenced, columns, referencedColumns } of references) {
    const [from, to] = [tableOf.get(table), tableOf.get(referenced)];
    if (from === undefined || to === undefined) continue;
    columns.forEach((column, i) => {
      const one = group({ table: from, column });
      const other = group({ table: to, column: referencedColumns[i] ?? '' });
      if (one === other) return;
      const [small, large] = one.length < other.length ? [one, other] : [other, one];
      for (const path of small) groupOf.set(keyOf(path), large);
      large.push(...small);
    });
  }
  return [...new Set(groupOf.values())];
}

export function keyOf({ table, column }: ColumnPath): string {
  return `${table} ${column}`;
}
