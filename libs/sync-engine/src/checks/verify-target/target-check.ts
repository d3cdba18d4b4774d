/** The result of one check of a finished target. `not_comparable` means that the check has no result. */
export type TargetCheck = {
  readonly tableIndex: number;
  readonly outcome: 'holds' | 'fails' | 'not_comparable';
} & (
  | { readonly kind: 'table' }
  | { readonly kind: 'row_count'; readonly rows: RowsNow }
  | {
      readonly kind: 'preserved_columns' | 'nulled_columns' | 'joins' | 'foreign_keys' | 'sequences';
      /** The number of checked columns, keys or sequences. */
      readonly lookedAt: number;
    }
  | ({ readonly kind: 'recomputed_columns' } & RecomputedColumns)
  | ({ readonly kind: 'masked_column'; readonly column: string } & MaskedValues)
);

export interface RowsNow {
  readonly source: number;
  readonly target: number;
  /** The number of rows when the job completed; undefined if it is unknown. */
  readonly copied: number | undefined;
}

export interface MaskedValues {
  /** The number of rows with the same key on both sides and without NULL in the column on either side. */
  readonly pairs: number;
  /** The number of these pairs in which the target has the source's value. */
  readonly equal: number;
  /** True if the rule guarantees that each new value differs from the original one. */
  readonly differs: boolean;
}

/** The result of masking a table's rows again and comparing them with the target's rows. */
export interface RecomputedColumns {
  /** The columns with rules. The check also compared all other columns. */
  readonly columns: readonly string[];
  /**
   * The columns that differ. The list omits a column whose values are the same but in other rows, unless the
   * table has a primary key. So the list can be empty after a failed check.
   */
  readonly differing: readonly string[];
  /**
   * True if the table has no primary key. The masked values then depend on where the rows are stored in the
   * source, and a table rewrite changes that.
   */
  readonly isByRowLocation: boolean;
  /** The reason why the check has no result. */
  readonly reason?: NotRecomputed;
}

/**
 * The reason why masked columns were not recomputed:
 * - `unknown_run`: the run that made the target is unknown, and so is its seed
 * - `changed_rules`: the rules, the masking key, a model or the engine differ from those of the run that made
 *   the target
 * - `source_moved`: a table of the source does not have as many rows as were copied, or the number of copied
 *   rows is unknown
 * - `rows_differ`: the target has another number of rows than the source
 * - `no_temporary_tables`: the role may not create temporary tables on the target, or the target is a standby
 */
export type NotRecomputed =
  | 'unknown_run'
  | 'changed_rules'
  | 'source_moved'
  | 'rows_differ'
  | 'no_temporary_tables';
