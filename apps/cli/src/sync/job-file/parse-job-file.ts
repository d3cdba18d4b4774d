import { builtinLibrary } from '@understudy/builtin-models/node';
import { checkColumnRules } from '@understudy/column-rule';
import { parseJsonWithComments, type LocatedProblem } from '@understudy/sync-job/job-file';
import {
  expectedButGot,
  type FieldProblem,
  isObject,
  ObjectReader,
  parseInstant,
  POLICY_FIELDS,
  readPolicyFields,
  readSyncRequest,
  startOfUtcDay,
  SYNC_REQUEST_FIELDS,
  writtenRules,
} from '@understudy/sync-job';
import { checkConditions } from '@understudy/row-condition';
import type { JobFile } from './job-file.js';
import { readJobFilesLibrary } from './job-files-library.js';
import {
  type Environment,
  type JobDatabase,
  readBuildLogin,
  readDatabase,
  readTemplate,
  readUrl,
} from './read-database.js';

export interface JobFileContext {
  /** The folder that relative paths in the file start from. */
  readonly folder: string;
  readonly environment: Environment;
  /** The URL from the command line, which replaces the one in the file. */
  readonly source?: string | undefined;
  /** The URL from the command line, which replaces the one in the file. */
  readonly target?: string | undefined;
  /** The current time in milliseconds since 1970. */
  readonly nowMs: number;
}

export type ParsedJobFile =
  | { readonly job: JobFile; readonly warnings: readonly LocatedProblem[] }
  | { readonly problems: readonly LocatedProblem[] };

/**
 * Parses a job file: JSON with comments, with the same fields as the body of `POST /v1/sync/jobs`. A URL may
 * be `{"url_env": "NAME"}` or contain `${NAME}`. `models` and `compositions` contain the paths of files. Runs
 * every check that needs no database.
 * @returns the job with its warnings, or all problems in the order of the text; messages quote no value
 */
export async function parseJobFile(text: string, context: JobFileContext): Promise<ParsedJobFile> {
  const { value, problems, offsetOf } = parseJsonWithComments(text);
  // After a syntax error, the checks of fields would report problems that do not exist.
  if (problems.some(({ field }) => field === '')) return { problems: inOrder(problems) };
  const found: FieldProblem[] = [];
  const warnings: FieldProblem[] = [];
  const job = await readJob(value, context, found, warnings);
  const locate = (problem: FieldProblem) => ({ ...problem, offset: offsetOf(problem.field) });
  const located = found.map(locate);
  if (job === undefined || located.length + problems.length > 0)
    return { problems: inOrder([...problems, ...located]) };
  return { job, warnings: inOrder(warnings.map(locate)) };
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
  const reader = new ObjectReader(value, '', problems);
  reader.only(
    ['source', 'target', ...SYNC_REQUEST_FIELDS, 'models', 'compositions', ...POLICY_FIELDS],
    HINTS,
  );
  const policy = readPolicyFields(value, problems);
  const database = (field: 'source' | 'target'): JobDatabase | undefined => {
    const given = context[field];
    return given === undefined
      ? readDatabase(value[field], field, context.environment, problems)
      : readUrl(given, `--${field}`, context.environment, problems);
  };
  const source = database('source');
  const target = database('target');
  const buildLogin = readBuildLogin(value['target'], context.environment, problems);
  const template = readTemplate(value['target'], problems);
  const request = readSyncRequest(value, problems);
  const nowMs = (parseInstant(request.now) ?? startOfUtcDay(new Date(context.nowMs))).getTime();
  const builtin = builtinLibrary();
  const library = readJobFilesLibrary(value, { folder: context.folder, builtin, nowMs }, problems);
  const written = writtenRules(request);
  const rules = checkColumnRules(written.tables, { ...library.sources, nowMs });
  problems.push(...rules.problems);
  warnings.push(...rules.warnings);
  const conditions = await checkConditions(written.conditions);
  problems.push(...conditions.problems);
  if (source === undefined || target === undefined) return undefined;
  const whereColumns = conditions.columns;
  const replacing = { buildLogin, template, policy };
  return { source, target, ...replacing, request, whereColumns, library };
}

/** Sorts problems by position. Problems at the same position keep their order. */
function inOrder(problems: readonly LocatedProblem[]): readonly LocatedProblem[] {
  return problems.toSorted((a, b) => a.offset - b.offset);
}

const HINTS: ReadonlyMap<string, string> = new Map([
  ['webhook', 'is supported only by the REST API; a command reports its result as an exit code'],
  ['schedule', 'is not supported in a job file: run the command with cron or another scheduler'],
]);
