import { SyncJobError } from '../sync/sync-job-error.js';
import { serverFailure, type FailureContext } from './server-failure.js';

/** Runs work on a database; an error becomes a {@link SyncJobError} that says where, with the error as its cause. */
export async function guard<T>(context: FailureContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof SyncJobError) throw cause;
    throw new SyncJobError(serverFailure(cause, context), { cause });
  }
}
