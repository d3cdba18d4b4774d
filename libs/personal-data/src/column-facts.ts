/** What is looked at of one column, or of one place inside the documents of a column. */
export interface ColumnFacts {
  readonly table: string;
  readonly column: string;
  /** The base type's name as the catalog has it (`text`, `int8`, `timestamptz`); of an array its elements'. */
  readonly type: string;
  /** Values of some rows as text, perhaps cut; no NULLs. */
  readonly values: readonly string[];
  /** Names of the table's other columns. */
  readonly siblings?: readonly string[];
}
