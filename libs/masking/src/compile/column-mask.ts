import type { JsonSteps, ProducingRule } from '@understudy/column-rule';
import type { DefinitionPlan, Inspected } from '@understudy/generator';
import type { Key } from '@understudy/random';
import type { Canonical } from '../values/canonical-value.js';
import type {
  IntegerPermutation,
  OriginalAttempts,
  OriginalClasses,
  UniqueRows,
} from '../unique/unique-rows.js';

/**
 * A column whose values a rule produces, with the properties of its type that the values must respect. It can
 * also be a path inside the documents of a JSON column.
 */
export interface MaskedColumn {
  readonly name: string;
  /** The path of the rule in the job, for messages: `tables[0].columns.email`. */
  readonly path: string;
  readonly rule: ProducingRule;
  /** True for text columns. For these, `differs` of a model rule is true by default. */
  readonly isText: boolean;
  /** True for `char(n)`: PostgreSQL pads the old value with blanks that are not part of the value. */
  readonly isBlankPadded: boolean;
  /** The length limit of the column's type, in code points. */
  readonly maxLength?: number;
  /** The path of the value inside the documents; only for JSON columns. */
  readonly jsonSteps?: JsonSteps;
  /**
   * How to recognise texts that mean the same value, such as 5 and 5.0. If absent, texts mean the same value
   * only if they are equal.
   */
  readonly canonical?: Canonical;
  /**
   * The primary or unique key whose masked values this column uses: one that contains the column, or one that
   * the column references. The new value is then a function of the original value, and it is the same in all
   * columns that name this key.
   */
  readonly sharedKey?: { readonly table: string; readonly name: string };
}

/**
 * Produces the value of one cell. A `DefinitionPlan` is also a `CellPlan`. `value` is pure: the same
 * arguments give the same value.
 */
export interface CellPlan
  extends
    Pick<DefinitionPlan, 'value' | 'write'>,
    Partial<Pick<DefinitionPlan, 'countsRows' | 'traits' | 'variety' | 'isOutdated'>> {}

/** A {@link MaskedColumn} with its compiled rule. */
export interface ColumnMask {
  readonly column: MaskedColumn;
  readonly plan: CellPlan;
  readonly key: Key;
  /**
   * The secret with which the original value is hashed. The value is generated from this hash instead of the
   * hash of the row key. Present for rules with `consistent` and for columns with `sharedKey`.
   */
  readonly originalKey?: Key;
  readonly differs: boolean;
  /** Names of the masked columns that the rule reads. */
  readonly references: readonly string[];
  readonly inspected: Inspected;
  /** True if the rule itself uses a private model. */
  readonly usesPrivateModel: boolean;
  /**
   * Present if the values contain text of a private model that must not be compared. `read` if other columns
   * provide it, so that a retry does not change it.
   */
  readonly modelText?: 'made' | 'read';
  /**
   * True if values are generated from 96 bits of the hash instead of 64, so that a repeated value is
   * practically impossible.
   */
  readonly uses96Bits?: boolean;
  /** Maps originals inside the rule's range to integers of that range. Present only with an `originalKey`. */
  readonly integers?: IntegerPermutation;
  /** Present only with an `originalKey`, if the canonical form of some originals is not right. */
  readonly originalClasses?: OriginalClasses;
  /**
   * Resolves collisions: selects another value if the first one belongs to another original. Present only
   * with an `originalKey`.
   */
  readonly originalAttempts?: OriginalAttempts;
  /**
   * Present if the values must not repeat and the mask can ensure this only row by row. The rows of the table
   * must then arrive in order.
   */
  readonly unique?: UniqueRows;
}
