import type { JsonSteps, ProducingRule } from '@understudy/column-rule';
import type { Key } from '@understudy/random';

/** A column whose values are produced, and what its type asks of them; or a place inside the documents of a JSON column. */
export interface MaskedColumn {
  readonly name: string;
  /** Where its rule stands in the job, for messages: `tables[0].columns.email`. */
  readonly path: string;
  readonly rule: ProducingRule;
  /** Holds text (so that a model rule by default differs from the row's old value). */
  readonly isText: boolean;
  /** `char(n)`: the old value comes padded with blanks that are no part of it. */
  readonly isBlankPadded: boolean;
  /** In code points, from the column's type. */
  readonly maxLength?: number;
  /** Of a place inside a document. */
  readonly jsonSteps?: JsonSteps;
}

/** Produces one cell; the shape of a generator's plan. Pure: the same arguments, the same value. */
export interface CellPlan {
  value(key: Key, hi: number, lo: number, attempt: number, bindings: readonly unknown[]): unknown;
}

/** A {@link MaskedColumn} ready to run. */
export interface ColumnMask {
  readonly column: MaskedColumn;
  readonly plan: CellPlan;
  readonly key: Key;
  /** Hashes the original value, which then stands for the row key. Of a consistent rule. */
  readonly originalKey?: Key;
  readonly differs: boolean;
  /** Names of produced columns that it reads. */
  readonly references: readonly string[];
}
