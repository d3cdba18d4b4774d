import { BuiltinLibrary } from '@understudy/builtin-models';
import { checkColumnRules } from '@understudy/column-rule';
import {
  expectedButGot,
  type FieldProblem,
  isObject,
  ObjectReader,
  readSyncRequest,
  startOfUtcDay,
  SYNC_REQUEST_FIELDS,
  type SyncRequest,
} from '@understudy/sync-job';
import { checkConditions } from '@understudy/row-condition';
import type { JobFile } from './job-file.js';
import { readJobFilesLibrary } from './job-files-library.js';
import { parseJsonWithComments, type PlacedProblem } from './json-with-comments.js';
import { type Environment, type JobDatabase, readDatabase, readUrl } from './read-database.js';

export interface JobFileContext {
  /** That paths in the file are seen from. */
  readonly folder: string;
  readonly environment: Environment;
  /** URLs given on the command line, instead of the file's. */
  readonly source?: string | undefined;
  readonly target?: string | undefined;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

export type ParsedJobFile =
  | { readonly job: JobFile; readonly warnings: readonly PlacedProblem[] }
  | { readonly problems: readonly PlacedProblem[] };

/**
 * Reads a job file: the body of `POST /v1/sync/jobs` as JSON with comments, where a URL may be `{"url_env": "NAME"}` or hold `${NAME}`, with
 * `models` and `compositions` by path. Everything that can be known without the databases is checked.
 * @returns the job with its warnings, or all mistakes, in the order of the text; they quote no value
 */
export async function parseJobFile(text: string, context: JobFileContext): Promise<ParsedJobFile> {
  const { value, problems, offsetOf } = parseJsonWithComments(text);
  // What is no JSON would be full of mistakes that are none.
  if (problems.some(({ field }) => field === '')) return { problems: inOrder(problems) };
  const found: FieldProblem[] = [];
  const warnings: FieldProblem[] = [];
  const job = await readJob(value, context, found, warnings);
  const place = (problem: FieldProblem) => ({ ...problem, offset: offsetOf(problem.field) });
  const placed = found.map(place);
  if (job === undefined || placed.length + problems.length > 0)
    return { problems: inOrder([...problems, ...placed]) };
  return { job, warnings: inOrder(warnings.map(place)) };
}

async function readJob(
  value: unknown,
  context: JobFileContext,
  problems: FieldProblem[],
  warnings: FieldProblem[],
): Promise<JobFile | undefined> {
  if (!isObject(value)) {
    problems.push({ field: '', message: expectedButGot('an object {source, target, tables}', value) });
    return undefined;
  }
  new ObjectReader(value, '', problems).only(
    ['source', 'target', ...SYNC_REQUEST_FIELDS, 'models', 'compositions'],
    HINTS,
  );
  const database = (field: 'source' | 'target'): JobDatabase | undefined => {
    const given = context[field];
    return given === undefined
      ? readDatabase(value[field], field, context.environment, problems)
      : readUrl(given, `--${field}`, context.environment, problems);
  };
  const source = database('source');
  const target = database('target');
  const request = readSyncRequest(value, problems);
  const nowMs = (request.now ?? startOfUtcDay(new Date(context.nowMs))).getTime();
  const builtin = new BuiltinLibrary();
  const library = readJobFilesLibrary(value, { folder: context.folder, builtin, nowMs }, problems);
  const rules = checkColumnRules(ruledTables(request), { ...library.sources, nowMs });
  problems.push(...rules.problems);
  warnings.push(...rules.warnings);
  const whereColumns = await checkWheres(request, problems);
  if (source === undefined || target === undefined) return undefined;
  return { source, target, request, whereColumns, library };
}

function ruledTables({ tables }: SyncRequest): Parameters<typeof checkColumnRules>[0] {
  return tables.map(({ columns }, index) => ({ path: `tables[${index}].columns`, columns }));
}

async function checkWheres(
  { tables }: SyncRequest,
  problems: FieldProblem[],
): Promise<readonly (readonly string[])[]> {
  const conditions = tables.flatMap(({ subset }, index) =>
    subset?.where === undefined ? [] : [{ index, path: `tables[${index}].subset.where`, text: subset.where }],
  );
  const checked = await checkConditions(conditions);
  problems.push(...checked.problems);
  const columns = new Map(conditions.map(({ index }, i) => [index, checked.columns[i] ?? []]));
  return tables.map((_, index) => columns.get(index) ?? []);
}

/** Stable: what stands at one place stays in the order in which it was found. */
function inOrder(problems: readonly PlacedProblem[]): readonly PlacedProblem[] {
  return problems.toSorted((a, b) => a.offset - b.offset);
}

const HINTS: ReadonlyMap<string, string> = new Map([
  ['webhook', 'is told by the REST API alone; here the exit code says how it went'],
  ['schedule', 'is not known here: cron or a timer of the system runs the command'],
]);
