import type { InsertableTable } from '@understudy/postgres';

/**
 * Returns every reason why rows with these fields cannot be inserted into a table. The server would report one
 * reason at a time, after rows were sent.
 */
export function columnProblems(table: InsertableTable, fields: readonly string[]): readonly string[] {
  if (!table.isTable) return ['is not a table'];
  const columns = new Map(table.columns.map((column) => [column.name, column]));
  return [
    ...(table.isAllowed ? [] : ['the user has no permission to insert into this table']),
    ...fields.flatMap((field) => {
      const column = columns.get(field);
      if (column === undefined) return [`has no column "${field}"${otherSpelling(field, columns)}`];
      return column.isGenerated
        ? [`column "${field}" is computed by the server: remove it from "output"`]
        : [];
    }),
    ...table.columns
      .filter(({ name, isRequired }) => isRequired && !fields.includes(name))
      .map(
        ({ name, type }) => `column "${name}" (${type}) is NOT NULL and has no default: add it to "output"`,
      ),
  ];
}

function otherSpelling(field: string, columns: ReadonlyMap<string, unknown>): string {
  const other = [...columns.keys()].find((name) => name.toLowerCase() === field.toLowerCase());
  return other === undefined ? '' : `; it has "${other}"`;
}
