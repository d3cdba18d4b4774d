import { type SyncFailure, type SyncFailureCode, SyncJobError } from '@understudy/sync-job';

/** The largest number of failures in the list. Further failures are only counted. */
const MAX_FAILURES = 100;

/**
 * The codes of failures that concern only this attempt, such as a lost connection. They do not show that a
 * run of the job would fail.
 */
const INTERRUPTIONS: ReadonlySet<SyncFailureCode> = new Set([
  'internal',
  'connection_lost',
  'lease_lost',
  'cancelled',
  'agent_restarted',
  'agent_revoked',
  'database_error',
  'hosted_model_unavailable',
]);

/** Collects the failures that the checks of a dry run find. */
export class FailureList {
  private readonly failures: SyncFailure[] = [];

  /** @param onFailure receives the error of each failed check, for the local log */
  constructor(private readonly onFailure: (error: SyncJobError) => void) {}

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
   * Runs a check and collects its failure.
   * @returns undefined if the check failed
   * @throws any error that prevented the check itself
   */
  async collect<T>(check: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof SyncJobError) || INTERRUPTIONS.has(error.failure.code)) throw error;
      this.onFailure(error);
      this.add(error.failure);
      return undefined;
    }
  }
}

/**
 * Rounds a number of rows for the report of a dry run: to two significant digits, or to 0 if the number is
 * below ten. The exact number of rows that satisfy a condition could reveal a fact about one person.
 */
export function roundedRows(rows: number): number {
  if (rows < 10) return 0;
  const unit = 10 ** Math.floor(Math.log10(rows) - 1);
  return Math.round(rows / unit) * unit;
}
