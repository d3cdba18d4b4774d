import { type ColumnForm, type ColumnStatus, statusOf, type TableForm } from './job-form.js';

export interface RowFilter {
  /** Finds tables and columns whose names contain it, without regard to case. */
  readonly search: string;
  readonly status: ColumnStatus | 'problem' | null;
}

/** A line of the list of tables and columns. */
export type RuleRow =
  | { readonly kind: 'table'; readonly table: TableForm; readonly isOpen: boolean; readonly shown: number }
  | { readonly kind: 'column'; readonly table: TableForm; readonly column: ColumnForm };

/**
 * Returns the lines to show. While a filter is set, each table with a match is open and shows only the matches. If the
 * name of a table matches, all its columns do.
 */
export function visibleRows(
  tables: readonly TableForm[],
  isOpen: (table: TableForm) => boolean,
  { search, status }: RowFilter,
  hasProblem: (table: TableForm, column: ColumnForm) => boolean,
): readonly RuleRow[] {
  const wanted = search.trim().toLowerCase();
  const isFiltered = wanted !== '' || status !== null;
  return tables.flatMap((table): readonly RuleRow[] => {
    const isNamed = wanted === '' || table.name.toLowerCase().includes(wanted);
    const columns = isFiltered
      ? table.columns.filter(
          (column) =>
            (isNamed || column.name.toLowerCase().includes(wanted)) &&
            (status === null ||
              (status === 'problem' ? hasProblem(table, column) : statusOf(column) === status)),
        )
      : table.columns;
    if (isFiltered && columns.length === 0 && !(isNamed && status === null)) return [];
    const open = isFiltered ? columns.length > 0 : isOpen(table);
    return [
      { kind: 'table', table, isOpen: open, shown: columns.length },
      ...(open ? columns.map((column): RuleRow => ({ kind: 'column', table, column })) : []),
    ];
  });
}
