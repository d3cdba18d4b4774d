import {
  detectColumn,
  detectJsonPaths,
  localeVotes,
  typeGroup,
  type ColumnFacts,
  type WordLists,
} from '@understudy/personal-data';
import type { DatabaseSurvey, ListedTable, SurveyedColumn, SurveyedTable } from '@understudy/sync-engine';
import type { PersonalColumn, TableFindings } from './findings.js';

export interface FindRequest {
  readonly survey: DatabaseSurvey;
  readonly tables: readonly ListedTable[];
  readonly lists: WordLists;
  /** Rows that are looked at of each table. */
  readonly sample: number;
  /** What all samples together may take; tables after that are judged by their names. */
  readonly budgetMs: number;
  readonly now: () => number;
  readonly onTable: (done: number) => void;
}

const SAMPLE_MS = 5_000;
/** Kept of a column: enough to see its form. */
const KEPT_VALUES = 50;
const KEPT_CHARACTERS = 300;

/** Looks at one table after the other. Of their values only a few of columns with something in them are kept. */
export async function findPersonalData(request: FindRequest): Promise<readonly TableFindings[]> {
  const { survey, tables, now } = request;
  const until = now() + request.budgetMs;
  const findings: TableFindings[] = [];
  for await (const table of survey.describe(tables)) {
    const columns = table.columns.filter(isAsked);
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
    findings.push({ table, personal, sampledRows: sample.rows, isSampled: sample.isComplete });
    request.onTable(findings.length);
  }
  return findings;
}

/** Pictures are told by their names; flags and marks hold nobody. */
function isAsked({ type, isEnum, isGenerated }: SurveyedColumn): boolean {
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
    const places = detectJsonPaths(facts, lists);
    const short = places.map(({ place, detection }) => ({
      detection,
      place: { ...place, values: kept(place.values) },
    }));
    return places.length === 0 ? undefined : { column, found: { places: short } };
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
