import type { JsonRule, ProducingRule } from '@understudy/column-rule';
import type { Canonical } from '@understudy/masking';
import type { ColumnDescription, TableDescription } from '@understudy/postgres';
import type { TableName } from '@understudy/sync-job';
import type { RowFilter } from './subset/row-filter.js';

/** One table of a job after all checks that need no row. */
export interface TablePlan {
  /** Into the command's tables. */
  readonly index: number;
  readonly name: TableName;
  readonly source: TableDescription;
  /** Undefined when the job will create it. */
  readonly target: TableDescription | undefined;
  /** All columns that are written, in the source's order. */
  readonly columns: readonly ColumnPlan[];
  /** Names as the command spells them → index into its columns. */
  readonly columnIndex: ReadonlyMap<string, number>;
  /** Undefined when all rows are copied. */
  readonly rowFilter?: RowFilter;
}

export interface ColumnPlan {
  readonly description: ColumnDescription;
  readonly fill: ColumnFill;
}

export type ColumnFill =
  | { readonly kind: 'preserve' }
  | { readonly kind: 'null' }
  | {
      readonly kind: 'produce';
      readonly rule: ProducingRule | JsonRule;
      readonly path: string;
      /** The policy protects the column's originals, or those of a column that is masked alike. */
      readonly isProtected?: true;
      /** Of a key that others reference, and of what references it. */
      readonly shared?: SharedMasking;
    };

/** Columns that are joined by foreign keys and masked alike: the new value is a function of the original one. */
export interface SharedMasking {
  /** The column by which the masking is known: a column of the group. */
  readonly table: string;
  readonly name: string;
  /** Which texts are one value, in this column. */
  readonly canonical?: Canonical;
  /** The shortest of the group. */
  readonly maxLength?: number;
  /** Its originals are all that there are; those of other columns are among the roots'. */
  readonly isRoot: boolean;
}
