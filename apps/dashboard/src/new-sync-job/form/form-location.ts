import { exactFieldPath, fieldPath, type FieldProblem } from '@understudy/sync-job';

import { type JobForm, PLAIN_OPTIONS, type PlainOption, type TableForm } from './job-form.js';
import { isWithin } from './read-definition.js';

/** The part of the form that a problem belongs to. */
export type FormLocation =
  | { readonly kind: 'field'; readonly field: (typeof FIELDS)[number] | PlainOption | 'ignoredTables' }
  | {
      readonly kind: 'table';
      readonly table: TableForm;
      readonly part: 'name' | 'where' | 'limit' | 'columns';
    }
  | { readonly kind: 'column'; readonly table: TableForm; readonly column: string }
  /** A problem of the whole request. */
  | { readonly kind: 'form' };

export interface FormProblem extends FieldProblem {
  readonly location: FormLocation;
}

const FIELDS = ['name', 'source', 'target', 'seed', 'now', 'tables'] as const;
const TABLE_PARTS = ['name', 'where', 'limit'] as const;

/** Finds the part of the form for a path of the request, such as `tables[3].columns.email.pattern`. */
export function locationOf(field: string, { tables }: JobForm): FormLocation {
  if (isWithin(field, 'ignored_tables')) return { kind: 'field', field: 'ignoredTables' };
  const index = /^tables\[(\d{1,5})\]/.exec(field)?.[1];
  const table = index === undefined ? undefined : tables[Number(index)];
  if (table === undefined) {
    const known = [...FIELDS, ...PLAIN_OPTIONS].find((name) => isWithin(field, name));
    return known === undefined ? { kind: 'form' } : { kind: 'field', field: known };
  }
  const path = `tables[${index}].columns`;
  if (isWithin(field, path)) {
    const column = columnAt(field, path, table);
    return column === undefined
      ? { kind: 'table', table, part: 'columns' }
      : { kind: 'column', table, column };
  }
  const part =
    TABLE_PARTS.find((name) => field.endsWith(`.${name}`)) ?? (field.endsWith('.subset') ? 'where' : 'name');
  return { kind: 'table', table, part };
}

type Columns = TableForm['columns'];

/** The paths of the columns of a table, which never change, because the columns of a form are not modified. */
const knownPaths = new WeakMap<Columns, ReadonlyMap<string, string>>();

/**
 * Returns the column that a path belongs to.
 * @param parent the path of the columns, with which the path begins
 */
export function columnAt(
  field: string,
  parent: string,
  { columns }: { readonly columns: Columns },
): string | undefined {
  const paths = knownPaths.get(columns) ?? pathsOf(columns);
  knownPaths.set(columns, paths);
  for (
    let at = field.slice(parent.length);
    at !== '';
    at = at.slice(0, Math.max(at.lastIndexOf('.'), at.lastIndexOf('['), 0))
  ) {
    const name = paths.get(at);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Some checks shorten the names in their paths, so each name has both forms. */
function pathsOf(columns: Columns): ReadonlyMap<string, string> {
  return new Map(
    columns.flatMap(({ name }) =>
      [fieldPath, exactFieldPath].map((write) => [write('c', name).slice(1), name] as const),
    ),
  );
}
