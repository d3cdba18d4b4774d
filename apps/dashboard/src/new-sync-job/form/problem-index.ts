import { columnKey } from './change-form.js';
import type { FormProblem } from './form-location.js';

type TablePart = 'name' | 'where' | 'limit' | 'columns';

/** The problems of a form by their locations. Each lookup takes constant time. */
export interface ProblemIndex {
  readonly all: readonly FormProblem[];
  /** Returns the first message of a field of the form. */
  readonly ofField: (field: string) => string | undefined;
  /** Returns the number of problems of a table, including those of its columns. */
  readonly ofTable: (tableId: number) => number;
  readonly partsOf: (tableId: number) => Readonly<Partial<Record<TablePart, string>>>;
  /** Returns the first message of a column. */
  readonly ofColumn: (tableId: number, column: string) => string | undefined;
  readonly listOfColumn: (tableId: number, column: string) => readonly FormProblem[];
}

export function indexProblems(all: readonly FormProblem[]): ProblemIndex {
  const fields = new Map<string, string>();
  const counts = new Map<number, number>();
  const parts = new Map<number, Partial<Record<TablePart, string>>>();
  const columns = new Map<string, FormProblem[]>();
  for (const problem of all) {
    const { location, message } = problem;
    if (location.kind === 'field' && !fields.has(location.field)) fields.set(location.field, message);
    if (location.kind === 'table' || location.kind === 'column') {
      const { id } = location.table;
      counts.set(id, (counts.get(id) ?? 0) + 1);
      if (location.kind === 'table') parts.set(id, { [location.part]: message, ...parts.get(id) });
      else push(columns, columnKey({ tableId: id, column: location.column }), problem);
    }
  }
  const listOfColumn = (tableId: number, column: string): readonly FormProblem[] =>
    columns.get(columnKey({ tableId, column })) ?? [];
  return {
    all,
    ofField: (field) => fields.get(field),
    ofTable: (id) => counts.get(id) ?? 0,
    partsOf: (id) => parts.get(id) ?? {},
    ofColumn: (tableId, column) => listOfColumn(tableId, column)[0]?.message,
    listOfColumn,
  };
}

function push<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
