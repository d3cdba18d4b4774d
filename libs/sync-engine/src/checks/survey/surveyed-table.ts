import type { UniqueKey } from '@understudy/postgres';
import type { TableName } from '@understudy/sync-job';

/** A table as a list of them shows it. */
export interface ListedTable {
  readonly oid: string;
  readonly name: TableName;
  /** The planner's; 0 when the table was never analysed. */
  readonly estimatedRows: number;
  readonly pages: number;
  /** Why the role may not read all of its rows. */
  readonly lacks?: 'usage' | 'select' | 'row_security';
}

export interface DatabaseContents {
  readonly tables: readonly ListedTable[];
  readonly views: number;
  readonly foreignTables: number;
}

export interface SurveyedTable extends ListedTable {
  readonly columns: readonly SurveyedColumn[];
  readonly unique: readonly UniqueKey[];
  /** Columns that CHECK constraints of the table read. */
  readonly checkedColumns: ReadonlySet<string>;
}

export interface SurveyedColumn {
  readonly name: string;
  /** The base type's name, of an array its elements'. */
  readonly type: string;
  /** As SQL writes it: `varchar(40)`, `public.mood`. */
  readonly sqlType: string;
  readonly isArray: boolean;
  readonly isEnum: boolean;
  /** By the column or a domain. */
  readonly notNull: boolean;
  readonly isGenerated: boolean;
  /** In characters. */
  readonly maxLength?: number;
  readonly decidesPartition: boolean;
}

/** Columns of one table that hold values of another's. */
export interface SurveyedReference {
  /** Oids. */
  readonly table: string;
  readonly referenced: string;
  readonly columns: readonly string[];
  readonly referencedColumns: readonly string[];
}
