import type { Detection, Undecided, LocaleVotes, JsonPathDetection } from '@understudy/personal-data';
import type { DocumentsRead, SurveyedColumn, SurveyedTable, UnreadReason } from '@understudy/sync-engine';

/** The personal columns that were detected in a table. */
export interface DetectedTable {
  readonly table: SurveyedTable;
  readonly personal: readonly PersonalColumn[];
  readonly rows: ReadRows;
  /** Columns and paths that get no rule, but about which a person has to decide. */
  readonly undecided: readonly UndecidedColumn[];
  /** Columns that look personal, but that no rule can change. */
  readonly fixed: readonly FixedColumn[];
  /** The columns of which not all sampled values were read. Empty if no row was read. */
  readonly unreadColumns: readonly UnreadColumn[];
}

/** The rows of a table whose values were read. */
export interface ReadRows {
  readonly read: number;
  /** The number of rows of the sample. */
  readonly sampled: number;
  /** The share of the table that the sample has. */
  readonly share: number;
  /**
   * The reason why not all rows of the sample were read. If no row was read, the columns are judged by their names and
   * types only.
   */
  readonly unread?: UnreadTable;
}

export interface UndecidedColumn {
  readonly column: SurveyedColumn;
  /** The path inside the documents of the column. */
  readonly path?: string;
  readonly reason: Undecided;
}

/** A generated column, or a column of an enum, whose values look personal. */
export interface FixedColumn {
  readonly column: SurveyedColumn;
  /** The detected content, in a word or two. */
  readonly what: string;
}

/** `no_time` means that the time for all tables was over. */
export type UnreadTable = UnreadReason | 'no_time';

/** A column that was read in part, or not at all because of its type. */
export interface UnreadColumn {
  readonly column: SurveyedColumn;
  readonly reason: UnreadReason | 'no_time' | 'type';
  /** The types that are not read, for the reason `type`. */
  readonly types?: readonly string[];
  /** Absent if no reading was tried. */
  readonly documents?: Pick<DocumentsRead, 'total' | 'complete' | 'isCut'>;
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
  /** The number of e-mail addresses and phone numbers that no path names. */
  readonly elsewhere: number;
  /** The reason why only a rule for the whole column can mask the values. */
  readonly whole?: string;
}

/** Returns a table's name for a job file: quoted if SQL would fold its case, and without the schema `public`. */
export function sqlTableName({ schema, table }: { readonly schema: string; readonly table: string }): string {
  return schema === 'public' ? identifier(table) : `${identifier(schema)}.${identifier(table)}`;
}

function identifier(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
