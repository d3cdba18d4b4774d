import { builtinModels } from '@understudy/builtin-models/node';
import { type DatabaseContents, DatabaseSurvey, type ListedTable, RuleTrial } from '@understudy/sync-engine';
import {
  failureMessage,
  LOCAL_SYNC_MESSAGES,
  namesOf,
  SyncJobError,
  type MessageSet,
  MAX_DATABASE_TABLES,
  MAX_TABLES,
} from '@understudy/sync-job';
import { WordLists } from '@understudy/personal-data';
import { randomBytes } from 'node:crypto';
import { access } from 'node:fs/promises';
import { CliError } from '../cli-error.js';
import { environment } from '../config/environment.js';
import { connectionError, warnOfPlaintext } from '../database/open-database.js';
import { EXIT } from '../exit-code.js';
import { StandardOutput } from '../io/standard-output.js';
import { writeFileWhole } from '../io/output-file.js';
import { coloursOf } from '../terminal/colours.js';
import { count } from '../terminal/numbers.js';
import { printable } from '../terminal/printable.js';
import { ProgressLine } from '../terminal/progress-line.js';
import { chooseTables, unmatchedNames } from './detect/choose-tables.js';
import { proposeColumns, searchIndexes } from './propose/propose-columns.js';
import { findPersonalData } from './detect/find-personal-data.js';
import { type DetectedTable, sqlTableName } from './detect/detected-table.js';
import type { InitOptions } from './init-options.js';
import { initResult, type InitResult } from './output/init-result.js';
import { rulesText, summaryText } from './output/summary-text.js';
import { type JobFileContent, jobFileText } from './output/job-file-text.js';
import { type Decisions, chooseRules } from './propose/choose-rules.js';
import { showPreviews } from './output/previews.js';
import { type GivenUrl, givenUrl } from './source-url.js';

/**
 * The time limit in milliseconds for the samples of all tables. If a table is not sampled within this time,
 * its columns are judged only by their names and types.
 */
const SAMPLES_MS = 600_000;

/**
 * Runs `understudy init`.
 * @throws CliError if a URL is invalid, the job file exists, no table can be read or the database fails
 */
export async function runInit(url: string | undefined, options: InitOptions): Promise<void> {
  const output = new StandardOutput();
  if (url === undefined)
    throw new CliError(
      EXIT.usage,
      'expected the URL of a database',
      'Example: understudy init postgresql://user@host/database',
    );
  const source = givenUrl(url, 'SOURCE_PASSWORD', environment());
  const target =
    options.target === undefined ? undefined : givenUrl(options.target, 'TARGET_PASSWORD', environment());
  warnOfPlaintext(source.target, ...(target === undefined ? [] : [target.target]));
  if (!options.force) await refuseExisting(options.out);
  const survey = await DatabaseSurvey.open(source.target).catch((error: unknown) => {
    if (!(error instanceof SyncJobError)) throw error;
    throw connectionError({ code: error.failure.code, cause: error.cause }, source.target.display);
  });
  try {
    await propose(survey, { source, target }, options, output).catch(asDatabaseError);
  } finally {
    await survey.close();
  }
}

interface Databases {
  readonly source: GivenUrl;
  readonly target: GivenUrl | undefined;
}

async function propose(
  survey: DatabaseSurvey,
  databases: Databases,
  options: InitOptions,
  output: StandardOutput,
): Promise<void> {
  const contents = await survey.contents();
  const choice = {
    schemas: options.schema ?? [],
    tables: options.tables ?? [],
    exclude: options.exclude ?? [],
  };
  const unmatched = unmatchedNames(contents.tables, choice);
  if (contents.tables.length > 0 && unmatched.length > 0) {
    const names = unmatched.map(({ name, option }) => `"${printable(name)}" (${option})`).join(', ');
    throw new CliError(EXIT.refused, `no table matches ${names}, so no file was written`);
  }
  const chosen = chooseTables(contents.tables, choice);
  if (chosen.length === 0) throw new CliError(EXIT.refused, `${noTable(contents)}, so no file was written`);
  const readable = chosen.filter(({ lacks }) => lacks === undefined);
  const unreadable = chosen.flatMap((table) => unreadableOf(table));
  if (readable.length === 0)
    throw new CliError(
      EXIT.database,
      `the database role cannot read any of the tables; for example ${printable(unreadable[0]?.name ?? '')}: ${unreadable[0]?.reason ?? ''}`,
    );
  const detected = await inspectTables(survey, readable, options);
  const job = { maskingKey: randomBytes(32), seed: 0, referenceInstantMs: Date.now() };
  const trial = new RuleTrial(survey, job);
  const references = await survey.references(readable);
  const proposals = [...proposeColumns(detected, references, options.locale), ...searchIndexes(detected)];
  const decisions = await chooseRules(detected, proposals, trial);
  const unlisted = await survey.unlisted(readable, options.replace === 'database');
  const ignored = unlisted.map(sqlTableName);
  const result = initResult(options.out, detected, decisions, unreadable);
  if (!options.force) await refuseExisting(options.out);
  await writeFileWhole(
    options.out,
    new TextEncoder().encode(
      textOf(databases, detected, decisions, { unreadable, ignored, replace: options.replace }),
    ),
  );
  if (options.json) {
    await output.write(`${printable(JSON.stringify(result))}\n`);
    return;
  }
  const colours = coloursOf(process.stdout);
  await output.write(rulesText(result, colours));
  if (options.preview) await showPreviews({ detected, decisions, trial, output, colours });
  const maxTables = options.replace === 'database' ? MAX_DATABASE_TABLES : MAX_TABLES;
  await output.write(summaryText(result, colours, { next: nextSteps(databases, options), maxTables }));
}

function noTable({ tables, views, foreignTables }: DatabaseContents): string {
  if (tables.length > 0) return 'no table matches the options';
  const others = [
    ...(views === 0 ? [] : [count(views, 'view')]),
    ...(foreignTables === 0 ? [] : [count(foreignTables, 'foreign table')]),
  ];
  const note = others.length === 0 ? '' : `, only ${others.join(' and ')}, which a job does not copy`;
  return `the database has no table${note}`;
}

async function inspectTables(
  survey: DatabaseSurvey,
  tables: readonly ListedTable[],
  { sample, columnSeconds }: InitOptions,
): Promise<readonly DetectedTable[]> {
  const progress = new ProgressLine();
  try {
    return await findPersonalData({
      ...{ survey, tables, pages: sample, budgetMs: SAMPLES_MS, columnMs: columnSeconds * 1000 },
      lists: WordLists.read(builtinModels.locales(), (name) => builtinModels.readAsset(name)),
      now: () => performance.now(),
      onTable: (done) => {
        progress.show(() => `${done} of ${tables.length} tables inspected`);
      },
    });
  } finally {
    progress.clear();
  }
}

function textOf(
  { source, target }: Databases,
  detected: readonly DetectedTable[],
  decisions: Decisions,
  more: Pick<JobFileContent, 'unreadable' | 'ignored' | 'replace'>,
): string {
  const login = more.replace === 'database' ? { build_connection_string: `\${${BUILD_URL}}` } : {};
  return jobFileText({
    ...{ detected, decisions, ...more },
    name: `copy of ${source.target.database}`.slice(0, 200),
    source: { type: 'postgresql', connection_string: source.written },
    target:
      target === undefined
        ? { type: 'postgresql', url_env: 'TARGET_URL', ...login }
        : { type: 'postgresql', connection_string: target.written, ...login },
  });
}

/** The variable with the URL of the second login. */
const BUILD_URL = 'BUILD_URL';

function nextSteps({ source, target }: Databases, { out, replace }: InitOptions): readonly string[] {
  const variables = [
    source.variable,
    target === undefined ? 'TARGET_URL' : target.variable,
    replace === 'database' ? BUILD_URL : undefined,
  ].filter((name) => name !== undefined);
  const unset = [...new Set(variables)].filter((name) => (environment()[name] ?? '') === '');
  return [
    ...(unset.length === 0 ? [] : [`First set ${unset.join(' and ')} in the environment. Then run:`]),
    `understudy sync ${/^[\w./-]+$/.test(out) ? out : `'${out}'`} --dry-run`,
  ];
}

function unreadableOf({ name, lacks }: ListedTable): InitResult['unreadable'] {
  return lacks === undefined ? [] : [{ name: sqlTableName(name), reason: LACKING[lacks] }];
}

const LACKING: Readonly<Record<NonNullable<ListedTable['lacks']>, string>> = {
  usage: 'the role has no USAGE privilege on its schema',
  select: 'the role has no SELECT privilege on it',
  row_security: 'row security may hide rows from the role; a role with BYPASSRLS can read them all',
};

async function refuseExisting(file: string): Promise<void> {
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (isThere)
    throw new CliError(
      EXIT.file,
      `${file}: the file already exists`,
      'Name another file with --out, or replace this one with --force.',
    );
}

/** The failure messages of `understudy init`, which reads one database and writes to none. */
const INIT_MESSAGES: MessageSet = {
  ...LOCAL_SYNC_MESSAGES,
  database: () => 'the database',
  log: "The server's log",
  outcome: 'No file was written.',
  again: 'run the command again',
  ...{ resuming: '', unlessCommitted: '' },
};

/** For `.catch`: turns a failure of the engine into a CliError and throws any other error unchanged. */
function asDatabaseError(error: unknown): never {
  if (!(error instanceof SyncJobError)) throw error;
  throw new CliError(EXIT.database, failureMessage(error.failure, namesOf({ tables: [] }), INIT_MESSAGES));
}
