import type { ColumnForm, JobForm, TableForm } from './job-form.js';

/** Returns a form with a change. Parts without the change stay the same objects. */
export type ChangeForm = (form: JobForm) => JobForm;

/** One column of a form. */
export interface ColumnAddress {
  readonly tableId: number;
  readonly column: string;
}

/** Writes an address as a text, for sets and keys. Different addresses give different texts. */
export function columnKey({ tableId, column }: ColumnAddress): string {
  return `${tableId}/${column}`;
}

/**
 * Gives a rule to columns. Tables without such a column stay the same objects, so their checks stay valid.
 * @param rule undefined withdraws the decision
 */
export function setRules(
  form: JobForm,
  isChosen: (table: TableForm, column: ColumnForm) => boolean,
  rule: unknown,
): JobForm {
  const tables = form.tables.map((table) => {
    if (!table.columns.some((column) => isChosen(table, column))) return table;
    const columns = table.columns.map((column) => (isChosen(table, column) ? { ...column, rule } : column));
    return { ...table, columns };
  });
  return { ...form, tables };
}

export function changeTable(form: JobForm, id: number, change: Partial<TableForm>): JobForm {
  const tables = form.tables.map((table) => (table.id === id ? { ...table, ...change } : table));
  return { ...form, tables };
}

export function removeTable(form: JobForm, id: number): JobForm {
  return { ...form, tables: form.tables.filter((table) => table.id !== id) };
}

/** Adds tables without columns. Names that the form has already are left out. */
export function addTables(form: JobForm, names: readonly string[]): JobForm {
  const known = new Set(form.tables.map(({ name }) => name));
  const first = Math.max(-1, ...form.tables.map(({ id }) => id)) + 1;
  const added = [...new Set(names)]
    .filter((name) => !known.has(name))
    .map((name, index): TableForm => ({ id: first + index, name, columns: [], where: '', limit: null }));
  return { ...form, tables: [...form.tables, ...added] };
}

/** Adds columns without a decision. Names that the table has already are left out. */
export function addColumns(form: JobForm, id: number, names: readonly string[]): JobForm {
  const table = form.tables.find((each) => each.id === id);
  if (table === undefined) return form;
  const known = new Set(table.columns.map(({ name }) => name));
  const added = [...new Set(names)]
    .filter((name) => !known.has(name))
    .map((name): ColumnForm => ({ name, rule: undefined }));
  return changeTable(form, id, { columns: [...table.columns, ...added] });
}

export function removeColumn(form: JobForm, { tableId, column }: ColumnAddress): JobForm {
  const table = form.tables.find(({ id }) => id === tableId);
  const columns = table?.columns.filter(({ name }) => name !== column) ?? [];
  return changeTable(form, tableId, { columns });
}

/** Returns the names in a text: one in each line, or separated by commas. Commas in double quotes separate nothing. */
export function namesIn(text: string): readonly string[] {
  const names = text.match(/(?:"(?:[^"]|"")*"|[^,\n"])+/g) ?? [];
  return names.map((name) => name.trim()).filter((name) => name !== '');
}
