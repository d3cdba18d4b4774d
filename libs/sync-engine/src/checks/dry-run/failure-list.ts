import { type SyncFailure, type SyncFailureCode, SyncJobError } from '@understudy/sync-job';

/** As many travel; more are counted. */
const MAX_FAILURES = 100;

/** What is wrong with the attempt and not with the job: a run might not meet it. */
const INTERRUPTIONS: ReadonlySet<SyncFailureCode> = new Set([
  'internal',
  'connection_lost',
  'lease_lost',
  'cancelled',
  'agent_restarted',
  'database_error',
  'hosted_model_unavailable',
]);

/** What the checks of a dry run find, kept until all have looked that can. */
export class FailureList {
  private readonly failures: SyncFailure[] = [];

  get count(): number {
    return this.failures.length;
  }

  get list(): readonly SyncFailure[] {
    return this.failures.slice(0, MAX_FAILURES);
  }

  add(failure: SyncFailure): void {
    this.failures.push(failure);
  }

  /**
   * Runs a check. What a run would fail with is kept, and undefined returned.
   * @throws what kept the check from being made
   */
  async collect<T>(check: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof SyncJobError) || INTERRUPTIONS.has(error.failure.code)) throw error;
      this.add(error.failure);
      return undefined;
    }
  }
}

/**
 * A number of rows as a dry run tells it: two digits, and 0 for fewer than ten. Exact counts under a condition would let one
 * ask for single persons.
 */
export function roundedRows(rows: number): number {
  if (rows < 10) return 0;
  const unit = 10 ** Math.floor(Math.log10(rows) - 1);
  return Math.round(rows / unit) * unit;
}
