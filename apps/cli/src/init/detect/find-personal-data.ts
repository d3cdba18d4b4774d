import {
  type CollectedTexts,
  detectColumn,
  detectUndecided,
  detectJsonPaths,
  isOpaque,
  KIND_WORDS,
  JsonPathCollector,
  localeVotes,
  type MentionCounts,
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
  UndecidedColumn,
  DetectedTable,
  FixedColumn,
  FoundPaths,
  PersonalColumn,
  ReadRows,
  UnreadColumn,
} from './detected-table.js';

export interface FindRequest {
  readonly survey: Pick<DatabaseSurvey, 'describe' | 'sample' | 'readDocuments'>;
  readonly tables: readonly ListedTable[];
  readonly lists: WordLists;
  /** The number of pages to read at least from each table. */
  readonly pages: number;
  /**
   * The total time for all samples. Tables that remain then are judged only by the names and types of their
   * columns.
   */
  readonly budgetMs: number;
  /** The time for the short values of one table, and for the long values of one column. */
  readonly columnMs: number;
  readonly now: () => number;
  readonly onTable: (done: number) => void;
}

/** The approximate number of bytes to read of all tables, and the limits of the part that one table gets. */
const ALL_BYTES = 2 * 1024 ** 3;
const MAX_BYTES = 64 * 1024 ** 2;
const LEAST_BYTES = 1024 ** 2;
/** The number of values to keep from a column, enough to detect their format. */
const KEPT_VALUES = 50;
const KEPT_CHARACTERS = 300;
/** The limits of a document for a rule with json paths (libs/masking, libs/sync-engine). */
const LARGEST_DOCUMENT = 16 * 1024 * 1024;
const DEEPEST_DOCUMENT = 500;
const MAX_PATHS = 100;

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
  const isRead = table.columns.some((column) => isSampled(column) || isStreamed(column));
  const sampled = isRead ? await sampleOf(table, table.columns.filter(isSampled), request, until) : NOTHING;
  const inspected: Inspected[] = [];
  for (const column of table.columns)
    inspected.push(await inspectColumn(table, column, sampled, request, until));
  const free = inspected.filter(({ column }) => !isFixed(column));
  return {
    table,
    rows: sampled.rows,
    personal: free.flatMap(({ column, found }) => (found === undefined ? [] : [{ column, found }])),
    undecided: free.flatMap(({ undecided = [] }) => undecided),
    fixed: inspected.filter(({ column }) => isFixed(column)).flatMap(fixedColumn),
    unreadColumns: inspected.flatMap(({ column, unread }) => [
      ...(unread === undefined ? [] : [{ column, ...unread }]),
      ...unreadTypes(column),
    ]),
  };
}

function isFixed({ isGenerated, labels }: SurveyedColumn): boolean {
  return isGenerated || labels !== undefined;
}

function fixedColumn({ column, found, undecided = [] }: Inspected): readonly FixedColumn[] {
  if (found === undefined) return undecided.slice(0, 1).map(({ reason: { what } }) => ({ column, what }));
  return [{ column, what: 'detection' in found ? KIND_WORDS[found.detection.kind] : 'personal values' }];
}

/** The values that were read of a table's columns. */
interface Sampled {
  readonly rows: ReadRows;
  /** Absent if the rows of the table cannot be read. */
  readonly sample?: TableSample | undefined;
  readonly texts: ReadonlyMap<string, TextCollector>;
}

const NOTHING: Sampled = { rows: { read: 0, sampled: 0, share: 1 }, texts: new Map() };

async function sampleOf(
  table: SurveyedTable,
  columns: readonly SurveyedColumn[],
  { survey, tables, pages, columnMs, now }: FindRequest,
  until: number,
): Promise<Sampled> {
  const left = until - now();
  if (left <= 0) return { ...NOTHING, rows: { ...NOTHING.rows, unread: 'no_time' } };
  const texts = new Map(columns.map(({ name }) => [name, new TextCollector()]));
  const bytes = Math.max(LEAST_BYTES, Math.min(MAX_BYTES, ALL_BYTES / tables.length));
  const reading = { table, columns, bytes, pages, timeoutMs: Math.min(columnMs, left) };
  const { sample, unread } = await survey.sample(reading, ({ name }, value) => {
    texts.get(name)?.write(value);
    texts.get(name)?.end();
  });
  const { rows: read = 0, total = 0, share = 1 } = sample ?? {};
  const rows = { read, sampled: total, share, ...(unread === undefined ? {} : { unread }) };
  return { rows, texts, ...(unread !== undefined && read === 0 ? {} : { sample }) };
}

/** Returns whether values of a column are part of the table's sample, which contains at most their beginning. */
function isSampled(column: SurveyedColumn): boolean {
  const group = typeGroup(column.type);
  return !isStreamed(column) && group !== 'other' && group !== 'binary';
}

/** Returns whether a column is read as JSON of any size: documents, arrays, composite types and hstore. */
function isStreamed(column: SurveyedColumn): boolean {
  const group = typeGroup(column.type);
  return isDocument(column) || (column.isArray && group !== 'other' && group !== 'binary');
}

/** Lists a column if it is of a type that is not read, or has parts of such types. */
function unreadTypes(column: SurveyedColumn): readonly UnreadColumn[] {
  const isText = (type: string): boolean => type === 'hstore' || !isOpaque(type);
  const own = column.labels === undefined ? [column.type] : [];
  const types = (column.isComposite ? column.partTypes : own).filter((type) => !isText(type));
  return types.length === 0 ? [] : [{ column, reason: 'type', types }];
}

interface Inspected {
  readonly column: SurveyedColumn;
  readonly found?: PersonalColumn['found'] | undefined;
  readonly undecided?: readonly UndecidedColumn[];
  readonly unread?: Omit<UnreadColumn, 'column'>;
}

async function inspectColumn(
  table: SurveyedTable,
  column: SurveyedColumn,
  { sample, texts }: Sampled,
  request: FindRequest,
  until: number,
): Promise<Inspected> {
  // All labels of an enum are copied, so no value needs to be read.
  if (column.labels !== undefined)
    return detect(table, { ...column, type: 'text' }, collected(column.labels), request.lists);
  const short = texts.get(column.name)?.result();
  if (sample === undefined || !(isStreamed(column) || sample.truncated.has(column.name))) {
    return detect(table, column, short, request.lists);
  }
  const left = until - request.now();
  if (left <= 0) return { ...detect(table, column, short, request.lists), unread: { reason: 'no_time' } };
  const reading = { table, column, sample, timeoutMs: Math.min(request.columnMs, left) };
  if (!isStreamed(column)) {
    const collector = new TextCollector();
    const read = await request.survey.readDocuments(reading, collector);
    const found = [collector.result(), ...(read.unread !== undefined && short !== undefined ? [short] : [])];
    return { ...detect(table, column, joined(found), request.lists), ...unreadOf(read) };
  }
  const collector = new JsonPathCollector();
  const read = await request.survey.readDocuments(reading, collector);
  const { paths, elsewhere, levels } = collector.result();
  if (!isDocument(column)) {
    const elements = paths.filter(({ path }) => /^(?:\[\*\])+$/.test(path));
    return { ...detect(table, column, joined(elements), request.lists), ...unreadOf(read) };
  }
  const facts = { table: table.name.table, column: column.name };
  const { personal, undecided: inPaths } = detectJsonPaths(facts, paths, request.lists);
  const inside = personal.map(({ location, detection }) => ({
    detection,
    location: { ...location, values: kept(location.values) },
  }));
  if (inside.length === 0 && elsewhere === 0) {
    const all = inPaths.map((one) => ({ column, ...one }));
    return {
      column,
      undecided: all.length > 0 ? all : undecidedDocuments(table, column, paths.length > 0, request.lists),
      ...unreadOf(read),
    };
  }
  const whole = obstacleOf(column, { paths: inside, elsewhere }, { ...read, levels });
  return {
    column,
    found: { paths: inside, elsewhere, ...(whole === undefined ? {} : { whole }) },
    undecided: inPaths.map((one) => ({ column, ...one })),
    ...unreadOf(read),
  };
}

function isDocument({ type, isComposite }: SurveyedColumn): boolean {
  return isComposite || type === 'hstore' || typeGroup(type) === 'json';
}

function collected(texts: readonly string[]): CollectedTexts {
  const collector = new TextCollector();
  for (const text of texts) {
    collector.write(text);
    collector.end();
  }
  return collector.result();
}

/** Joins texts that were read separately, of which the first ones are the most complete. */
function joined(all: readonly CollectedTexts[]): CollectedTexts {
  const sum = (of: keyof MentionCounts): number =>
    all.reduce((total, { mentions }) => total + mentions[of], 0);
  return {
    values: all.flatMap(({ values }) => values),
    mentions: { seen: sum('seen'), email: sum('email'), phone: sum('phone'), other: sum('other') },
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
  return paths.length > MAX_PATHS ? `a rule has at most ${MAX_PATHS} json paths` : undefined;
}

/** Lists a column of documents for its name, and for the names of its fields if no value of them was read. */
function undecidedDocuments(
  table: SurveyedTable,
  column: SurveyedColumn,
  isRead: boolean,
  lists: WordLists,
): readonly UndecidedColumn[] {
  const facts = { table: table.name.table, type: 'json', values: [] };
  const reasons = [column.name, ...(isRead ? [] : column.partNames)].flatMap(
    (name) => detectUndecided({ ...facts, column: name }, lists) ?? [],
  );
  return reasons.slice(0, 1).map((reason) => ({ column, reason }));
}

function detect(
  table: SurveyedTable,
  column: SurveyedColumn,
  { values, mentions }: Partial<CollectedTexts> = {},
  lists: WordLists,
): Inspected {
  if (isDocument(column)) return { column, undecided: undecidedDocuments(table, column, false, lists) };
  const facts = {
    ...{ table: table.name.table, column: column.name, type: column.type, values: values ?? [] },
    ...(mentions === undefined ? {} : { mentions }),
    siblings: table.columns.map(({ name }) => name).filter((name) => name !== column.name),
  };
  const detection = detectColumn(facts, lists);
  if (detection !== undefined)
    return {
      column,
      found: {
        detection,
        values: kept(facts.values),
        votes: localeVotes(detection.kind, facts.values, lists),
      },
    };
  const reason = detectUndecided(facts, lists);
  return reason === undefined ? { column } : { column, undecided: [{ column, reason }] };
}

function kept(values: readonly string[]): readonly string[] {
  return values.slice(0, KEPT_VALUES).map((value) => value.slice(0, KEPT_CHARACTERS));
}
