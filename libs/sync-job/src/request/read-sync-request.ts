import { checkReplacement } from './check-replacement.js';
import { checkIgnoredTables, checkTables } from './check-tables.js';
import { readDeclared, unknownFields } from './declaration.js';
import type { FieldProblem } from './field-problem.js';
import {
  type RequestedTable,
  SYNC_JOB_REQUEST,
  SYNC_REQUEST,
  type SyncJobRequest,
  type SyncRequest,
} from './job.js';

/** The fields that `readSyncRequest` reads. The caller reads the fields of the databases. */
export const SYNC_REQUEST_FIELDS: readonly string[] = Object.keys(SYNC_REQUEST.properties);

/**
 * Reads a job request and checks its names and sizes. Does not check rules and conditions.
 * @param problems receives every problem that is found. If it does not stay empty, the result has only the valid parts,
 *   and an empty name for each table without a valid one.
 */
export function readSyncRequest(
  source: Readonly<Record<string, unknown>>,
  problems: FieldProblem[],
): SyncRequest {
  const found: FieldProblem[] = [];
  const read = readDeclared(SYNC_REQUEST, source, '', found) as Partial<SyncRequest>;
  const tables = (read.tables ?? []).map((table: Partial<RequestedTable>) => ({ name: '', ...table }));
  if (read.tables)
    found.unshift(...unknownFields(SYNC_REQUEST.properties.tables, source['tables'], 'tables'));
  if (!found.some(({ field }) => field.startsWith('tables'))) found.push(...checkTables(tables));
  found.push(...checkIgnoredTables({ ...read, tables }), ...checkReplacement({ ...read, tables }));
  problems.push(...found.toSorted((a, b) => positionOf(a) - positionOf(b)));
  return { ...read, tables };
}

function positionOf({ field }: FieldProblem): number {
  return SYNC_REQUEST_FIELDS.indexOf(/^\w*/.exec(field)?.[0] ?? '');
}

/** Returns whether a value is a valid request, without regard to its names, rules, conditions and connections. */
export function isSyncJobRequest(value: unknown): value is SyncJobRequest {
  const problems = unknownFields(SYNC_JOB_REQUEST, value, '');
  readDeclared(SYNC_JOB_REQUEST, value, '', problems);
  return problems.length === 0;
}

/** The rules and conditions of a request, not yet parsed, with their paths. */
export interface WrittenRules {
  readonly tables: readonly { readonly path: string; readonly columns: Readonly<Record<string, unknown>> }[];
  /** In the order of the tables. A table without a condition has no element. */
  readonly conditions: readonly { readonly path: string; readonly text: string }[];
}

export function writtenRules({ tables }: Pick<SyncRequest, 'tables'>): WrittenRules {
  return {
    tables: tables.flatMap(({ columns }, index) =>
      columns === undefined || Array.isArray(columns) ? [] : [{ path: `tables[${index}].columns`, columns }],
    ),
    conditions: tables.flatMap(({ subset }, index) =>
      subset?.where === undefined ? [] : [{ path: `tables[${index}].subset.where`, text: subset.where }],
    ),
  };
}
