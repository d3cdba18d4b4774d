import type { InsertableTable } from '@understudy/postgres';

/** Why rows with these fields cannot go into a table, all reasons at once; the server would tell one at a time, late. */
export function columnProblems(table: InsertableTable, fields: readonly string[]): readonly string[] {
  if (!table.isTable) return ['is no table'];
  const columns = new Map(table.columns.map((column) => [column.name, column]));
  return [
    ...(table.isAllowed ? [] : ['the user may not insert into it']),
    ...fields.flatMap((field) => {
      const column = columns.get(field);
      if (column === undefined) return [`has no column "${field}"${otherSpelling(field, columns)}`];
      return column.isGenerated
        ? [`column "${field}" is computed by the server: leave it out of "output"`]
        : [];
    }),
    ...table.columns
      .filter(({ name, isRequired }) => isRequired && !fields.includes(name))
      .map(
        ({ name, type }) =>
          `column "${name}" (${type}) takes no NULL and has no default: "output" has to have it`,
      ),
  ];
}

function otherSpelling(field: string, columns: ReadonlyMap<string, unknown>): string {
  const other = [...columns.keys()].find((name) => name.toLowerCase() === field.toLowerCase());
  return other === undefined ? '' : `; it has "${other}"`;
}
