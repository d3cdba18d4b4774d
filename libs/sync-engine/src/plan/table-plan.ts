import type { JsonRule, ProducingRule } from '@understudy/column-rule';
import type { Canonical } from '@understudy/masking';
import type { ColumnDescription, TableDescription } from '@understudy/postgres';
import type { NamedObjectKind, SyncWarning, TableName } from '@understudy/sync-job';
import type { KeyComparison } from './keys/key-comparison.js';
import type { RowFilter } from './subset/row-filter.js';

/** The plan of one table of a job. */
export interface TablePlan {
  /** The index of the table in the command. */
  readonly index: number;
  readonly name: TableName;
  readonly source: TableDescription;
  /** Undefined if the job creates the table. */
  readonly target: TableDescription | undefined;
  /** The columns that are written, in the order of the source's columns. */
  readonly columns: readonly ColumnPlan[];
  /** The index of each column in the command, by column name. */
  readonly columnIndex: ReadonlyMap<string, number>;
  /** Selects the rows to copy. Undefined if all rows are copied. */
  readonly rowFilter?: RowFilter;
  /** The foreign keys because of which rows are left out, with the number of these rows. */
  readonly skipped?: readonly SkippedKey[];
  /**
   * The oids of the leaf partitions from which the job copies rows. Undefined if the table is not partitioned, or not yet
   * divided into chunks.
   */
  readonly leaves?: readonly string[];
  /** The parts of the source's definition that the job does not create. */
  readonly omitted?: readonly OmittedPart[];
  /** True if the job must not create code of the source with the table. */
  readonly refusesCode?: boolean;
}

/** A foreign key whose orphans the job leaves out. */
export interface SkippedKey {
  readonly key: { readonly name: string; readonly columns: readonly string[] };
  readonly rows: number;
}

/** A part of a missing table's definition that the job leaves out. */
export interface OmittedPart {
  readonly tableIndex: number;
  readonly object: SourceObject;
  /** Undefined if the part belongs to another one, such as the index of a key. */
  readonly warning: Omission | undefined;
  /** The name of the generated column whose expression is left out. */
  readonly generatedColumn: string | undefined;
}

/** An object of the source's definition. */
export interface SourceObject {
  /** `<catalog oid> <object oid>` */
  readonly address: string;
  readonly kind: NamedObjectKind;
  readonly schema?: string;
  readonly name: string;
  /** The object as text for a log, such as `function public.ok(integer)`. */
  readonly text: string;
}

export type Omission = Extract<SyncWarning['code'], `${string}_omitted`>;

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
      /**
       * True if the policy protects this column, or another column with the same {@link SharedMasking}.
       */
      readonly isProtected?: true;
      /** True if a protected column has the same rule with `consistent`, so both share their new values. */
      readonly sharesProtected?: true;
      /** Set for a masked key that is referenced, and for the columns that reference it. */
      readonly shared?: SharedMasking;
    };

/**
 * The masking that is common to a group of columns joined by foreign keys. A new value is a function of the
 * original value.
 */
export interface SharedMasking {
  /** The table of the column by which the group is identified. */
  readonly table: string;
  /** The name of the column by which the group is identified. */
  readonly name: string;
  /**
   * The conversion after which equal values of the column have the same text. Undefined if no conversion is
   * needed.
   */
  readonly canonical?: Canonical;
  /** The smallest length limit of the group's columns, in characters. */
  readonly maxLength?: number;
  /**
   * True if the column is a root of the group. All originals of the group occur in its root columns, and in the
   * columns that may have further ones.
   */
  readonly isRoot: boolean;
  /** True if the column may have originals that occur in no root: references to missing rows, or beside a NULL. */
  readonly mayDangle: boolean;
  /** Set if the server must decide which originals are equal. */
  readonly comparison?: KeyComparison;
}
