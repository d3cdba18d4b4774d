import type { Detection, LocaleVotes, JsonPathDetection } from '@understudy/personal-data';
import type { SurveyedColumn, SurveyedTable } from '@understudy/sync-engine';

/** The personal columns that were detected in a table. */
export interface DetectedTable {
  readonly table: SurveyedTable;
  readonly personal: readonly PersonalColumn[];
  /** The number of rows whose values were read. */
  readonly sampledRows: number;
  /** False if sampling the table failed or took too long, or if no time was left to sample it. */
  readonly isSampled: boolean;
}

export interface PersonalColumn {
  readonly column: SurveyedColumn;
  readonly found: FoundColumn | FoundPaths;
}

export interface FoundColumn {
  readonly detection: Detection;
  /** A few values, from which the format of new values is derived. */
  readonly values: readonly string[];
  readonly votes: LocaleVotes;
}

export interface FoundPaths {
  readonly paths: readonly JsonPathDetection[];
}

/** Returns a table's name for a job file: quoted if SQL would fold its case, and without the schema `public`. */
export function sqlTableName({ schema, table }: { readonly schema: string; readonly table: string }): string {
  return schema === 'public' ? identifier(table) : `${identifier(schema)}.${identifier(table)}`;
}

function identifier(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
