/**
 * The result of one check of one table before the switch. The result can contain a column index and the row
 * counts of the whole table, but no row values.
 */
export type VerificationCheck = {
  readonly tableIndex: number;
  readonly ok: boolean;
} & (
  | { readonly kind: 'row_count'; readonly rows: RowCounts }
  | {
      readonly kind: Exclude<VerificationKind, 'row_count'>;
      /** The number of checked columns, keys or sequences. */
      readonly lookedAt: number;
      /** The index of the column; present only if the check of a single column failed. */
      readonly columnIndex?: number;
    }
);

export type VerificationKind =
  | 'row_count'
  | 'preserved_columns'
  | 'nulled_columns'
  | 'masked_columns'
  | 'joins'
  | 'foreign_keys'
  | 'sequences';

/** The number of rows of one table, counted in three ways. */
export interface RowCounts {
  /** Counted in the source's snapshot. */
  readonly source: number;
  /** The sum over the committed chunks. */
  readonly copied: number;
  readonly target: number;
}

export interface Verification {
  readonly checks: readonly VerificationCheck[];
}
