import { MaskingError, TooManyOriginalsError } from '@understudy/masking';
import { SyncJobError, type SyncFailureCode } from '@understudy/sync-job';
import type { TablePlan } from '../table-plan.js';
import { columnPosition } from '../problems/column-failure.js';
import type { ColumnLocation } from './job-keys.js';

/** Returns the failure of a job because of a column. */
export function keyFailure(
  plans: readonly TablePlan[],
  location: ColumnLocation,
  code: SyncFailureCode,
  reason: string = code,
): SyncJobError {
  return new SyncJobError({ code, ...keyIndexes(plans, location) }, { cause: new Error(reason) });
}

/** Returns the position of a column in the command. */
export function keyIndexes(plans: readonly TablePlan[], { plan, column }: ColumnLocation) {
  const table: TablePlan | undefined = plans[plan];
  return table === undefined ? { tableIndex: plan } : columnPosition(table, column);
}

/** Runs a step of masking. Converts its errors into failures of the column. */
export function blamed<T>(plans: readonly TablePlan[], location: ColumnLocation, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof TooManyOriginalsError) {
      const code = cause.reason === 'memory' ? 'key_too_large' : 'unique_capacity';
      throw keyFailure(plans, location, code, cause.message);
    }
    if (cause instanceof MaskingError) throw keyFailure(plans, location, cause.code, cause.message);
    throw cause;
  }
}
