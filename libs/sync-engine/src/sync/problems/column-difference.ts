import type { SqlName } from '../../postgres/sql-name.js';

/** How a column of an existing target table differs from the source's: names of ColumnDifference of the contract. */
export type ColumnDifference = 'missing' | 'extra' | 'type' | 'collation' | 'generated' | 'enum_values';

export interface ColumnType {
  readonly name?: SqlName;
  readonly length?: number;
}
