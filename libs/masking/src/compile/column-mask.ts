import type { JsonSteps, ProducingRule } from '@understudy/column-rule';
import type { DefinitionPlan, ValueTraits, Variety } from '@understudy/generator';
import type { Key } from '@understudy/random';
import type { Canonical } from '../values/canonical-value.js';
import type { IntegerPermutation, OriginalAttempts, UniqueRows } from '../unique/unique-rows.js';

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
  /** Which texts are one value, where it is not each its own. */
  readonly canonical?: Canonical;
  /**
   * The key whose masking it shares, itself or the one it references: then its new value is a function of the original one, the
   * same in all columns that name this key.
   */
  readonly sharedKey?: { readonly table: string; readonly name: string };
}

/** Produces one cell; the shape of a generator's plan. Pure: the same arguments, the same value. */
export interface CellPlan {
  value(
    key: Key,
    hi: number,
    lo: number,
    attempt: number,
    bindings: readonly unknown[],
    index?: number,
  ): unknown;
  /** Appends the value's text for less: see there. */
  readonly write?: DefinitionPlan['write'];
  readonly countsRows?: boolean;
  readonly traits?: ValueTraits;
  readonly variety?: () => Variety | undefined;
}

/** A {@link MaskedColumn} ready to run. */
export interface ColumnMask {
  readonly column: MaskedColumn;
  readonly plan: CellPlan;
  readonly key: Key;
  /** Hashes the original value, which then stands for the row key. Of a consistent rule, and of keys. */
  readonly originalKey?: Key;
  readonly differs: boolean;
  /** Names of produced columns that it reads. */
  readonly references: readonly string[];
  /** Draws from 96 bits of the hash instead of 64, so that it may be trusted to repeat none. */
  readonly uses96Bits?: boolean;
  /** Of a mask by originals: what integers of the rule's own range become. */
  readonly integers?: IntegerPermutation;
  /** Of a mask by originals: how those are drawn whose first draw is another's value. */
  readonly originalAttempts?: OriginalAttempts;
  /** Values that may not repeat, found row by row: its table's rows come in order. */
  readonly unique?: UniqueRows;
}
