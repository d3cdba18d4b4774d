import {
  detectColumn,
  detectJsonPaths,
  isOpaque,
  JsonPathCollector,
  localeVotes,
  TextCollector,
  typeGroup,
  type WordLists,
} from '@understudy/personal-data';
import type {
  DatabaseSurvey,
  DocumentsRead,
  ListedTable,
  SurveyedColumn,
  SurveyedTable,
  TableSample,
} from '@understudy/sync-engine';
import type {
  DetectedTable,
  FoundPaths,
  PersonalColumn,
  UnreadColumn,
  UnreadTable,
} from './detected-table.js';

export interface FindRequest {
  readonly survey: Pick<DatabaseSurvey, 'describe' | 'sample' | 'readDocuments'>;
  readonly tables: readonly ListedTable[];
  readonly lists: WordLists;
  /** The number of rows to sample from each table. */
  readonly sample: number;
  /**
   * The total time for all samples. Tables that remain then are judged only by the names and types of their
   * columns.
   */
  readonly budgetMs: number;
  /** The time for the long values of one column. */
  readonly columnMs: number;
  readonly now: () => number;
  readonly onTable: (done: number) => void;
}

const SAMPLE_MS = 5_000;
/** The number of values to keep from a column, enough to detect their format. */
const KEPT_VALUES = 50;
const KEPT_CHARACTERS = 300;
/** The limits of a document for a rule with json paths (libs/masking, libs/sync-engine). */
const LARGEST_DOCUMENT = 16 * 1024 * 1024;
const DEEPEST_DOCUMENT = 500;
const MOST_PATHS = 100;

/** Inspects one table after another. Keeps a few values of each column that looks personal, and no other values. */
export async function findPersonalData(request: FindRequest): Promise<readonly DetectedTable[]> {
  const until = request.now() + request.budgetMs;
  const detected: DetectedTable[] = [];
  for await (const table of request.survey.describe(request.tables)) {
    detected.push(await inspectTable(table, request, until));
    request.onTable(detected.length);
  }
  return detected;
}

async function inspectTable(
  table: SurveyedTable,
  request: FindRequest,
  until: number,
): Promise<DetectedTable> {
  const candidates = table.columns.filter(({ isGenerated, isEnum }) => !isGenerated && !isEnum);
  const isRead = candidates.some((column) => isSampled(column) || isStreamed(column));
  const sample = isRead ? await sampleOf(table, candidates.filter(isSampled), request, until) : EMPTY;
  const personal: PersonalColumn[] = [];
  const unreadColumns: UnreadColumn[] = [];
  for (const column of candidates) {
    const inspected = await inspectColumn(table, column, sample, request, until);
    if (inspected.found !== undefined) personal.push({ column, found: inspected.found });
    if (inspected.unread !== undefined) unreadColumns.push({ column, ...inspected.unread });
  }
  const read = 'unread' in sample ? { sampledRows: 0, unread: sample.unread } : { sampledRows: sample.rows };
  return { table, personal, ...read, unreadColumns };
}

const EMPTY: TableSample = { values: new Map(), truncated: new Set(), rows: 0, requestedRows: 0, from: '' };

/** A sample, or the reason why there is none. */
type Sampled = TableSample | { readonly unread: UnreadTable };

async function sampleOf(
  table: SurveyedTable,
  columns: readonly SurveyedColumn[],
  { survey, sample, now }: FindRequest,
  until: number,
): Promise<Sampled> {
  const left = until - now();
  if (left <= 0) return { unread: 'no_time' };
  return survey.sample({ table, columns, rows: sample, timeoutMs: Math.min(SAMPLE_MS, left) });
}

/** Returns whether values of a column are part of the table's sample, which contains at most their beginning. */
function isSampled(column: SurveyedColumn): boolean {
  const group = typeGroup(column.type);
  return !isStreamed(column) && group !== 'other' && group !== 'binary';
}

/** Returns whether a column is read as JSON of any size: documents, arrays, composite types and hstore. */
function isStreamed({ type, isArray, isComposite }: SurveyedColumn): boolean {
  const group = typeGroup(type);
  return (
    isComposite ||
    type === 'hstore' ||
    group === 'json' ||
    (isArray && group !== 'other' && group !== 'binary')
  );
}

interface Inspected {
  readonly found?: PersonalColumn['found'] | undefined;
  readonly unread?: Omit<UnreadColumn, 'column'>;
}

async function inspectColumn(
  table: SurveyedTable,
  column: SurveyedColumn,
  sample: Sampled,
  request: FindRequest,
  until: number,
): Promise<Inspected> {
  if ('unread' in sample || !(isStreamed(column) || sample.truncated.has(column.name))) {
    const values = 'unread' in sample ? [] : (sample.values.get(column.name) ?? []);
    const found = detect(table, column, values, request.lists);
    return isOpaque(column.type) && !isStreamed(column) ? { found, unread: { reason: 'type' } } : { found };
  }
  const left = until - request.now();
  if (left <= 0) {
    const found = detect(table, column, sample.values.get(column.name) ?? [], request.lists);
    return { found, unread: { reason: 'no_time' } };
  }
  const reading = { table, column, sample, timeoutMs: Math.min(request.columnMs, left) };
  if (!isStreamed(column)) {
    const collector = new TextCollector();
    const read = await request.survey.readDocuments(reading, collector);
    // The sample has the beginnings of values that were not read completely.
    const rest = read.unread === undefined ? [] : (sample.values.get(column.name) ?? []);
    return { found: detect(table, column, [...collector.values, ...rest], request.lists), ...unreadOf(read) };
  }
  const collector = new JsonPathCollector();
  const read = await request.survey.readDocuments(reading, collector);
  const { paths, elsewhere, levels } = collector.result();
  const isDocument = column.isComposite || column.type === 'hstore' || typeGroup(column.type) === 'json';
  if (!isDocument) {
    const values = paths.flatMap(({ path, values: own }) => (/^(?:\[\*\])+$/.test(path) ? own : []));
    return { found: detect(table, column, values, request.lists), ...unreadOf(read) };
  }
  const facts = { table: table.name.table, column: column.name };
  const inside = detectJsonPaths(facts, paths, request.lists).map(({ location, detection }) => ({
    detection,
    location: { ...location, values: kept(location.values) },
  }));
  if (inside.length === 0 && elsewhere === 0) return unreadOf(read);
  const whole = obstacleOf(column, { paths: inside, elsewhere }, { ...read, levels });
  return {
    found: { paths: inside, elsewhere, ...(whole === undefined ? {} : { whole }) },
    ...unreadOf(read),
  };
}

function unreadOf({ total, complete, isCut, unread }: DocumentsRead): Pick<Inspected, 'unread'> {
  return unread === undefined ? {} : { unread: { reason: unread, documents: { total, complete, isCut } } };
}

/** Returns the reason why a rule with json paths cannot mask the values. */
function obstacleOf(
  { type, isArray, isComposite }: SurveyedColumn,
  { paths, elsewhere }: Pick<FoundPaths, 'paths' | 'elsewhere'>,
  { largestBytes, levels }: { readonly largestBytes: number; readonly levels: number },
): string | undefined {
  if (isComposite) return 'no rule changes single fields of a composite type';
  if (type === 'hstore') return 'no rule changes single values of an hstore';
  if (isArray) return 'no rule changes single values in an array of documents';
  if (largestBytes > LARGEST_DOCUMENT)
    return 'some documents are larger than 16 MiB, the limit of rules with json paths';
  if (levels > DEEPEST_DOCUMENT)
    return `some documents have more than ${DEEPEST_DOCUMENT} levels, the limit of rules with json paths`;
  if (elsewhere > 0) return 'some of the values are at places that no json path names';
  return paths.length > MOST_PATHS ? `a rule has at most ${MOST_PATHS} json paths` : undefined;
}

function detect(
  table: SurveyedTable,
  column: SurveyedColumn,
  values: readonly string[],
  lists: WordLists,
): PersonalColumn['found'] | undefined {
  const detection = detectColumn(
    {
      ...{ table: table.name.table, column: column.name, type: column.type, values },
      siblings: table.columns.map(({ name }) => name).filter((name) => name !== column.name),
    },
    lists,
  );
  if (detection === undefined) return undefined;
  return { detection, values: kept(values), votes: localeVotes(detection.kind, values, lists) };
}

function kept(values: readonly string[]): readonly string[] {
  return values.slice(0, KEPT_VALUES).map((value) => value.slice(0, KEPT_CHARACTERS));
}
