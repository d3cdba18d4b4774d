import { defined, SyncJobError, type SyncFailureCode } from '@understudy/sync-job';
import type { TablePlan } from '../table-plan.js';

/** Returns the failure of a job because of a column. It has the column's position if the command lists the column. */
export function columnFailure(
  { index, columnIndex }: Pick<TablePlan, 'index' | 'columnIndex'>,
  column: string,
  code: SyncFailureCode,
  cause?: unknown,
): SyncJobError {
  return new SyncJobError({ code, ...columnPosition({ index, columnIndex }, column) }, defined({ cause }));
}

/** Returns the position of a column in the command. */
export function columnPosition(
  { index, columnIndex }: Pick<TablePlan, 'index' | 'columnIndex'>,
  column: string,
) {
  return { tableIndex: index, ...defined({ columnIndex: columnIndex.get(column) }) };
}
