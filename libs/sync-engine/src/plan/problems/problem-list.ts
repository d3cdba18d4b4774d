import { isDeepStrictEqual } from 'node:util';
import { defined, SyncJobError, type SyncFailureCode, type SyncProblem } from '@understudy/sync-job';

/** The largest number of problems in one failure. Further problems are only counted. */
export const MAX_PROBLEMS = 100;

/** Collects the problems that checks find, so that one failure can report them. */
export class ProblemList {
  private readonly problems: SyncProblem[] = [];
  private readonly causes: unknown[] = [];
  /** The number of problems that are in the `problemCount` of a collected failure but not in its list. */
  private omitted = 0;

  get isEmpty(): boolean {
    return this.problems.length === 0;
  }

  add(problem: SyncProblem, cause?: unknown): void {
    this.problems.push(problem);
    if (cause !== undefined) this.causes.push(cause);
  }

  /**
   * Runs a check and collects the problem that it throws. Rethrows any other error, such as a lost connection
   * or a refused statement.
   * @returns undefined if the check found a problem
   */
  async collect<T>(check: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await check();
    } catch (error) {
      this.keep(error);
      return undefined;
    }
  }

  /** Does the same as `collect` for a synchronous check. */
  try<T>(check: () => T): T | undefined {
    try {
      return check();
    } catch (error) {
      this.keep(error);
      return undefined;
    }
  }

  private keep(error: unknown): void {
    if (!(error instanceof SyncJobError) || !isProblem(error)) throw error;
    const { failure, cause } = error;
    const { problems = [failure], problemCount = problems.length } = failure;
    // Two checks can find the same problem.
    const isNew = (problem: SyncProblem) => !this.problems.some((known) => isDeepStrictEqual(known, problem));
    this.problems.push(...problems.filter(isNew));
    this.omitted += problemCount - problems.length;
    if (cause !== undefined) this.causes.push(cause);
  }

  /**
   * Throws if there is a problem.
   * @throws SyncJobError for the first problem in the order of the command's tables. The error has a list of
   * all problems. A single problem without further details needs no list.
   */
  throwIfAny(): void {
    const found = this.problems.toSorted(
      (a, b) => (a.tableIndex ?? Infinity) - (b.tableIndex ?? Infinity) || 0,
    );
    const [first] = found;
    if (first === undefined) return;
    const { code, side, tableIndex, columnIndex, constraintKind } = first;
    const failure = { code, ...defined({ side, tableIndex, columnIndex, constraintKind }) };
    const problemCount = found.length + this.omitted;
    const isComplete = problemCount === 1 && !DETAILS.some((detail) => first[detail] !== undefined);
    const list = isComplete ? {} : { problems: found.slice(0, MAX_PROBLEMS), problemCount };
    const cause = this.causes.length > 1 ? new AggregateError(this.causes) : this.causes[0];
    throw new SyncJobError({ ...failure, ...list }, defined({ cause }));
  }
}

const DETAILS = [
  'column',
  'constraint',
  'relationKind',
  'locksPerTransaction',
  'sessionLimit',
  'difference',
  'privilege',
  'object',
  'creating',
  'table',
  'ignoredTableIndex',
] as const;

/**
 * The codes of failures that concern only this attempt, such as a lost connection. They are not problems of
 * the job.
 */
const INTERRUPTIONS: ReadonlySet<SyncFailureCode> = new Set([
  'internal',
  'connection_failed',
  'connection_lost',
  'snapshot_lost',
  'stalled',
  'lock_timeout',
  'lease_lost',
  'cancelled',
  'agent_restarted',
  'agent_revoked',
  'database_error',
]);

/**
 * Returns whether a failure is a problem of the job. After a failure with an SQLSTATE the transaction is
 * aborted, so further checks are impossible. Such a failure is therefore not collected.
 */
function isProblem({ failure }: SyncJobError): boolean {
  return failure.sqlstate === undefined && !INTERRUPTIONS.has(failure.code);
}
