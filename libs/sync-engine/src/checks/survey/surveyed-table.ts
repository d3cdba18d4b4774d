import type { DerivedKey, UniqueKey } from '@understudy/postgres';
import type { TableName } from '@understudy/sync-job';

/** A table, before its columns are described. */
export interface ListedTable {
  readonly oid: string;
  readonly name: TableName;
  /** The planner's estimate of the number of rows; 0 if the table was never analysed. */
  readonly estimatedRows: number;
  /** The reason why the role may not read all rows: a missing privilege, or row security. */
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
  /** The unique keys that contain generated columns, or expressions other than `lower(column)`. */
  readonly derivedKeys: readonly DerivedKey[];
  /** The columns that the table's CHECK constraints use. */
  readonly checkedColumns: ReadonlySet<string>;
}

export interface SurveyedColumn {
  readonly name: string;
  /** The name of the base type. For an array, the base type of its elements. */
  readonly type: string;
  /** The type in SQL: `varchar(40)`, `public.mood`. */
  readonly sqlType: string;
  readonly isArray: boolean;
  /** The labels of an enum; absent for other types. */
  readonly labels?: readonly string[];
  /** Whether the type, or the element type of an array, is composite. */
  readonly isComposite: boolean;
  /** The number of fields of a composite type; 0 for other types. */
  readonly fields: number;
  /** The types of the fields of a composite type at all levels; empty for other types. */
  readonly partTypes: readonly string[];
  /** The names of the fields of a composite type at all levels; empty for other types. */
  readonly partNames: readonly string[];
  /** True if the column or its domain is NOT NULL. */
  readonly notNull: boolean;
  readonly isGenerated: boolean;
  /** The columns of which a generated column is computed; empty for other columns. */
  readonly computedFrom: readonly string[];
  /** The length limit in characters. */
  readonly maxLength?: number;
  readonly decidesPartition: boolean;
}

/** A foreign key between two surveyed tables. */
export interface SurveyedReference {
  /** The oid of the referencing table. */
  readonly table: string;
  /** The oid of the referenced table. */
  readonly referenced: string;
  readonly columns: readonly string[];
  readonly referencedColumns: readonly string[];
}
