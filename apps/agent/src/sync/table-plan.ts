import type { JsonRule, ProducingRule } from '@understudy/column-rule';
import type { ColumnDescription, TableDescription } from '../postgres/describe-table.js';
import type { TableName } from '../postgres/table-name.js';
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
  | { readonly kind: 'produce'; readonly rule: ProducingRule | JsonRule; readonly path: string };
