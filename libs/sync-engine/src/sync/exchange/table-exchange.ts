/** How existing tables are made a second time, under their real names. */
export interface TableExchange {
  readonly tables: readonly ExchangedTable[];
  /** Before the rows. */
  readonly createSql: string;
  /** After that, when nobody has a right on them but their owners. */
  readonly grantSql: string;
  /** When the rows are in, and everything is in its place. */
  readonly finishSql: string;
}

export interface ExchangedTable {
  readonly tableIndex: number;
  /** On the target. */
  readonly oid: string;
  readonly schema: string;
  readonly table: string;
}
