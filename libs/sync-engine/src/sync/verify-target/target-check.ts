/**
 * What was looked at of one table of a finished target. `not_comparable`: the other side does not tell any more, which says nothing
 * against the target.
 */
export type TargetCheck = {
  readonly tableIndex: number;
  readonly outcome: 'holds' | 'fails' | 'not_comparable';
} & (
  | { readonly kind: 'table' }
  | { readonly kind: 'row_count'; readonly rows: RowsNow }
  | {
      readonly kind: 'preserved_columns' | 'nulled_columns' | 'foreign_keys' | 'sequences';
      /** Columns, keys or sequences. */
      readonly lookedAt: number;
    }
  | ({ readonly kind: 'masked_column'; readonly column: string } & MaskedValues)
);

export interface RowsNow {
  readonly source: number;
  readonly target: number;
  /** When the job completed; undefined where nobody knows. */
  readonly copied: number | undefined;
}

export interface MaskedValues {
  /** Rows of both sides with one key, and no NULL in the column. */
  readonly pairs: number;
  /** Of these, those in which the target has the source's value. */
  readonly equal: number;
  /** The rule promises another value in each row. */
  readonly differs: boolean;
}
