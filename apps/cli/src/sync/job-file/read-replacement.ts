import {
  type Declaration,
  defined,
  type FieldProblem,
  fieldPath,
  isObject,
  isString,
  readDeclared,
  type SyncJobCommand,
} from '@understudy/sync-job';
import { type Environment, type JobDatabase, readUrl } from './read-database.js';

/** The parts of a job file with `"replace": "database"` that a job on tables does not have. */
export interface DatabaseReplacement {
  /** The second login, in whose sessions the code of the source runs; undefined if the file has none. */
  readonly login: JobDatabase | undefined;
  /** Fields of the job file that stand for keys of an agent's policy, or that only such a job has. */
  readonly options: Pick<
    SyncJobCommand,
    'dropTargetOnly' | 'securityDefiner' | 'largeObjects' | 'privileges'
  >;
  /** The names of the tables that are created empty. */
  readonly emptyTables: readonly string[];
  /** The job file as a job on tables. Columns that are preserved have a rule, and empty tables are left out. */
  readonly request: Readonly<Record<string, unknown>>;
}

/**
 * Reads the fields of a job that replaces a database: `replace`, `target.build_connection_string`, and `rows` with
 * `columns` of each table.
 * @returns undefined if the job replaces tables, or if `replace` is invalid
 */
export function readReplacement(
  file: Readonly<Record<string, unknown>>,
  environment: Environment,
  problems: FieldProblem[],
): DatabaseReplacement | undefined {
  const { replace, ...others } = file;
  const request = without(others, REPLACEMENT_FIELDS);
  if (replace === undefined || replace === 'tables') {
    for (const field of REPLACEMENT_FIELDS.filter((name) => Object.hasOwn(file, name)))
      problems.push({ field, message: 'needs "replace": "database"' });
    return undefined;
  }
  if (replace !== 'database') {
    problems.push({ field: 'replace', message: 'expected "tables" or "database"' });
    return undefined;
  }
  for (const field of ['ignored_tables', 'unlisted_tables', 'unlisted_columns', 'source_code']) {
    if (Object.hasOwn(file, field))
      problems.push({ field, message: 'cannot be combined with "replace": "database"' });
  }
  const read = readDeclared(OPTIONS, file, '', problems) as WrittenOptions;
  const {
    drop_target_only: dropTargetOnly,
    security_definer: securityDefiner,
    large_objects: largeObjects,
    privileges,
  } = read;
  const { target, tables } = request;
  const emptyTables: string[] = [];
  const written = Array.isArray(tables) ? (tables as readonly unknown[]) : undefined;
  const copied = written?.flatMap((table, index) => {
    if (!isObject(table) || !Object.hasOwn(table, 'rows')) return [table];
    const { rows, ...rest } = table;
    const path = fieldPath('tables', index);
    if (rows === 'none') {
      if (Object.hasOwn(rest, 'columns') || Object.hasOwn(rest, 'subset'))
        problems.push({ field: fieldPath(path, 'rows'), message: '"none" cannot have columns or a subset' });
      if (isString(rest['name'])) emptyTables.push(rest['name']);
      return [];
    }
    if (rows === 'preserve') return [{ ...rest, columns: preserved(rest['columns'], path, problems) }];
    problems.push({ field: fieldPath(path, 'rows'), message: 'expected "preserve" or "none"' });
    return [rest];
  });
  const url = isObject(target) ? target['build_connection_string'] : undefined;
  const field = 'target.build_connection_string';
  if (url !== undefined && !isString(url)) problems.push({ field, message: 'expected a URL' });
  const login = isString(url) ? readUrl(url, field, environment, problems) : undefined;
  return {
    ...{
      login,
      emptyTables,
      options: defined({ dropTargetOnly, securityDefiner, largeObjects, privileges }),
    },
    request: { ...request, ...(copied && { tables: copied }) },
  };
}

/** The fields that only a job file with `"replace": "database"` can have. Its tables and its target have others. */
const OPTIONS = {
  type: 'object',
  properties: {
    drop_target_only: { type: 'boolean' },
    security_definer: { type: 'string', enum: ['keep', 'invoker'] },
    large_objects: { type: 'string', enum: ['skip', 'fail'] },
    privileges: { type: 'string', enum: ['target', 'source', 'none'] },
  },
} as const satisfies Declaration;

interface WrittenOptions {
  readonly drop_target_only?: boolean;
  readonly security_definer?: 'keep' | 'invoker';
  readonly large_objects?: 'skip' | 'fail';
  readonly privileges?: 'target' | 'source' | 'none';
}

export const REPLACEMENT_FIELDS: readonly string[] = Object.keys(OPTIONS.properties);

function without(
  object: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** Returns a rule for each column of a list. */
function preserved(
  columns: unknown,
  path: string,
  problems: FieldProblem[],
): Readonly<Record<string, unknown>> {
  if (Array.isArray(columns) && columns.every(isString))
    return Object.fromEntries(columns.map((column) => [column, { preserve: true }]));
  problems.push({ field: fieldPath(path, 'columns'), message: 'expected the list of the preserved columns' });
  return {};
}
