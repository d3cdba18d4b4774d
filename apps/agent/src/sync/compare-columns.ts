import type { TableDescription } from '../postgres/describe-table.js';
import { SyncJobError } from './sync-job-error.js';

/**
 * An existing target table takes the source's rows only if it has the same columns: a missing one would lose values, one
 * too many would be filled by its default. Order and types may differ; the server judges the values.
 * @throws SyncJobError column_mismatch
 */
export function compareColumns(
  tableIndex: number,
  source: TableDescription,
  target: TableDescription,
  columnIndex: ReadonlyMap<string, number>,
): void {
  const kinds = new Map(target.columns.map(({ name, isGenerated }) => [name, isGenerated]));
  for (const { name, isGenerated } of source.columns) {
    const found = kinds.get(name);
    kinds.delete(name);
    if (found === isGenerated) continue;
    const index = columnIndex.get(name);
    throw mismatch(tableIndex, index);
  }
  if (kinds.size > 0) throw mismatch(tableIndex, undefined);
}

function mismatch(tableIndex: number, columnIndex: number | undefined): SyncJobError {
  const place = columnIndex === undefined ? {} : { columnIndex };
  return new SyncJobError({ code: 'column_mismatch', side: 'target', tableIndex, ...place });
}
