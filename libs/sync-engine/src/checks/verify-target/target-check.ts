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
  | ({ readonly kind: 'recomputed_columns' } & RecomputedColumns)
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

/** Rows of a table that were masked again and compared with the target's. */
export interface RecomputedColumns {
  /** Those with rules; all others of the table were compared with them. */
  readonly columns: readonly string[];
  /** Columns in which the two differ; none where whole values stand in other rows and no primary key tells which. */
  readonly differing: readonly string[];
  /** The table has no primary key: its values follow from the rows' places in the source, which a rewrite there changes. */
  readonly isByPlace: boolean;
  /** Of a check that could not be made. */
  readonly reason?: NotRecomputed;
}

/**
 * `unknown_run`: nobody remembers the seed · `changed_rules`: the rules, the masking key, a model or the engine are others than those of
 * the run · `source_moved`: the source has other rows than were copied · `rows_differ`: the target has · `no_temporary_tables`: the role may
 * make none on the target, or the target is a standby
 */
export type NotRecomputed =
  'unknown_run' | 'changed_rules' | 'source_moved' | 'rows_differ' | 'no_temporary_tables';
