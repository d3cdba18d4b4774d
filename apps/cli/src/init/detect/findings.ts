import type { Detection, LocaleVotes, JsonPathDetection } from '@understudy/personal-data';
import type { SurveyedColumn, SurveyedTable } from '@understudy/sync-engine';

/** A table with what was found in it. */
export interface TableFindings {
  readonly table: SurveyedTable;
  readonly personal: readonly PersonalColumn[];
  /** Rows whose values were seen. */
  readonly sampledRows: number;
  /** False when the table did not answer in time, or was not asked. */
  readonly isSampled: boolean;
}

export interface PersonalColumn {
  readonly column: SurveyedColumn;
  readonly found: FoundWhole | FoundPlaces;
}

export interface FoundWhole {
  readonly detection: Detection;
  /** A few values, for the form of new ones. */
  readonly values: readonly string[];
  readonly votes: LocaleVotes;
}

export interface FoundPlaces {
  readonly places: readonly JsonPathDetection[];
}

/** Returns a table's name for a job: quoted if SQL would fold it, without `public`. */
export function sqlTableName({ schema, table }: { readonly schema: string; readonly table: string }): string {
  return schema === 'public' ? identifier(table) : `${identifier(schema)}.${identifier(table)}`;
}

function identifier(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
