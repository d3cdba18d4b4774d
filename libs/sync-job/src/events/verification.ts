/** What was looked at of one table before the target was switched: whole tables' counts, and yes or no. */
export type VerificationCheck = {
  readonly tableIndex: number;
  readonly ok: boolean;
} & (
  | { readonly kind: 'row_count'; readonly rows: RowCounts }
  | {
      readonly kind: Exclude<VerificationKind, 'row_count'>;
      /** Columns, keys or sequences. */
      readonly lookedAt: number;
      /** Of a failed check of one column. */
      readonly columnIndex?: number;
    }
);

export type VerificationKind =
  'row_count' | 'preserved_columns' | 'nulled_columns' | 'masked_columns' | 'foreign_keys' | 'sequences';

/** Rows of one table, by who counted them. */
export interface RowCounts {
  /** In the source's snapshot. */
  readonly source: number;
  /** By the chunks that were committed. */
  readonly copied: number;
  readonly target: number;
}

export interface Verification {
  readonly checks: readonly VerificationCheck[];
}
