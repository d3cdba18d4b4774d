/** Finds the names that a job uses for its tables and columns. Failures refer to these by index. */
export interface Names {
  readonly table: (index: number | undefined) => string | undefined;
  readonly column: (table: number | undefined, column: number | undefined) => string | undefined;
}

export interface NamedTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string }[];
  readonly subset?: { readonly whereColumns?: readonly string[] };
}

export function namesOf({ tables }: { readonly tables: readonly NamedTable[] }): Names {
  return {
    table: (index) => (index === undefined ? undefined : tables[index]?.name),
    column: (table, column) =>
      table === undefined || column === undefined ? undefined : columnName(tables[table], column),
  };
}

/** An index beyond the last column rule refers to a column in the table's `where`. */
function columnName(table: NamedTable | undefined, index: number): string | undefined {
  if (table === undefined) return undefined;
  return table.columns[index]?.name ?? table.subset?.whereColumns?.[index - table.columns.length];
}
