import { useMemo, useState } from 'react';

import { columnKey } from '../form/change-form.js';
import type { ColumnForm, TableForm } from '../form/job-form.js';

export interface Selection {
  readonly count: number;
  readonly has: (table: TableForm, column: ColumnForm) => boolean;
  readonly ofTable: (table: TableForm) => 'all' | 'some' | 'none';
  readonly set: (table: TableForm, columns: readonly ColumnForm[], isSelected: boolean) => void;
  readonly add: (columns: readonly { readonly table: TableForm; readonly column: ColumnForm }[]) => void;
  readonly clear: () => void;
}

/** The selected columns. Columns that no longer exist are not counted. */
export function useSelection(tables: readonly TableForm[]): Selection {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const counts = useMemo(
    () =>
      new Map(
        tables.map((table) => [
          table.id,
          keys.size === 0 ? 0 : table.columns.filter((column) => keys.has(keyOf(table, column))).length,
        ]),
      ),
    [tables, keys],
  );
  return {
    count: [...counts.values()].reduce((sum, each) => sum + each, 0),
    has: (table, column) => keys.has(keyOf(table, column)),
    ofTable(table) {
      const count = counts.get(table.id) ?? 0;
      if (count === 0) return 'none';
      return count === table.columns.length ? 'all' : 'some';
    },
    set(table, columns, isSelected) {
      const next = new Set(keys);
      for (const column of columns) {
        if (isSelected) next.add(keyOf(table, column));
        else next.delete(keyOf(table, column));
      }
      setKeys(next);
    },
    add: (columns) =>
      setKeys(new Set([...keys, ...columns.map(({ table, column }) => keyOf(table, column))])),
    clear: () => setKeys(new Set()),
  };
}

function keyOf({ id }: TableForm, { name }: ColumnForm): string {
  return columnKey({ tableId: id, column: name });
}
