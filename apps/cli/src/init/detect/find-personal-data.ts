import {
  detectColumn,
  detectJsonPaths,
  localeVotes,
  typeGroup,
  type ColumnFacts,
  type WordLists,
} from '@understudy/personal-data';
import type { DatabaseSurvey, ListedTable, SurveyedColumn, SurveyedTable } from '@understudy/sync-engine';
import type { PersonalColumn, DetectedTable } from './detected-table.js';

export interface FindRequest {
  readonly survey: DatabaseSurvey;
  readonly tables: readonly ListedTable[];
  readonly lists: WordLists;
  /** The number of rows to sample from each table. */
  readonly sample: number;
  /**
   * The total time for all samples. Tables that remain then are judged only by the names and types of their
   * columns.
   */
  readonly budgetMs: number;
  readonly now: () => number;
  readonly onTable: (done: number) => void;
}

const SAMPLE_MS = 5_000;
/** The number of values to keep from a column, enough to detect their format. */
const KEPT_VALUES = 50;
const KEPT_CHARACTERS = 300;

/** Inspects one table after another. Keeps a few values of each column that looks personal, and no other values. */
export async function findPersonalData(request: FindRequest): Promise<readonly DetectedTable[]> {
  const { survey, tables, now } = request;
  const until = now() + request.budgetMs;
  const detected: DetectedTable[] = [];
  for await (const table of survey.describe(tables)) {
    const columns = table.columns.filter(isSampled);
    const left = until - now();
    const isSampling = left > 0 && columns.length > 0;
    const sample = isSampling
      ? await survey.sample({ table, columns, rows: request.sample, timeoutMs: Math.min(SAMPLE_MS, left) })
      : { values: new Map<string, readonly string[]>(), rows: 0, isComplete: columns.length === 0 };
    const personal = table.columns.flatMap((column) =>
      column.isGenerated || column.isEnum
        ? []
        : (inspectColumn(table, column, sample.values.get(column.name) ?? [], request.lists) ?? []),
    );
    detected.push({ table, personal, sampledRows: sample.rows, isSampled: sample.isComplete });
    request.onTable(detected.length);
  }
  return detected;
}

/**
 * Returns whether to sample a column's values. Excludes binary columns, which are judged only by their names.
 * Also excludes enums and the types of the group `other`, which contain no personal data, and generated
 * columns, which the server recomputes.
 */
function isSampled({ type, isEnum, isGenerated }: SurveyedColumn): boolean {
  const group = typeGroup(type);
  return !isEnum && !isGenerated && group !== 'other' && group !== 'binary';
}

function inspectColumn(
  table: SurveyedTable,
  column: SurveyedColumn,
  values: readonly string[],
  lists: WordLists,
): PersonalColumn | undefined {
  const facts: ColumnFacts = {
    ...{ table: table.name.table, column: column.name, type: column.type, values },
    siblings: table.columns.map(({ name }) => name).filter((name) => name !== column.name),
  };
  if (typeGroup(column.type) === 'json') {
    if (column.isArray) return undefined;
    const paths = detectJsonPaths(facts, lists).map(({ location, detection }) => ({
      detection,
      location: { ...location, values: kept(location.values) },
    }));
    return paths.length === 0 ? undefined : { column, found: { paths } };
  }
  const detection = detectColumn(facts, lists);
  if (detection === undefined) return undefined;
  return {
    column,
    found: { detection, values: kept(values), votes: localeVotes(detection.kind, values, lists) },
  };
}

function kept(values: readonly string[]): readonly string[] {
  return values.slice(0, KEPT_VALUES).map((value) => value.slice(0, KEPT_CHARACTERS));
}
