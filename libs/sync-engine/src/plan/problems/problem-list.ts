import { SyncJobError, type SyncFailureCode, type SyncProblem } from '@understudy/sync-job';

/** As many travel; more are counted. */
export const MAX_PROBLEMS = 100;

/** What checks find, kept until all have looked, so that one failure tells of everything. */
export class ProblemList {
  private readonly problems: SyncProblem[] = [];
  private readonly causes: unknown[] = [];
  /** Found by a list that was itself too long to travel. */
  private untold = 0;

  get isEmpty(): boolean {
    return this.problems.length === 0;
  }

  add(problem: SyncProblem, cause?: unknown): void {
    this.problems.push(problem);
    if (cause !== undefined) this.causes.push(cause);
  }

  /**
   * Runs a check. What it finds is kept, and undefined returned; an error that is none of a check's findings (a lost
   * connection, a refused statement) goes on.
   */
  async collect<T>(check: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await check();
    } catch (error) {
      this.keep(error);
      return undefined;
    }
  }

  /** The same of a check that waits for nothing. */
  try<T>(check: () => T): T | undefined {
    try {
      return check();
    } catch (error) {
      this.keep(error);
      return undefined;
    }
  }

  private keep(error: unknown): void {
    if (!(error instanceof SyncJobError) || !isFinding(error)) throw error;
    const { failure, cause } = error;
    const { problems = [failure], problemCount = problems.length } = failure;
    this.problems.push(...problems);
    this.untold += problemCount - problems.length;
    if (cause !== undefined) this.causes.push(cause);
  }

  /** @throws SyncJobError the first problem in the order of the command's tables, with all of them when there is more to tell than it does */
  throwIfAny(): void {
    const found = this.problems.toSorted(
      (a, b) => (a.tableIndex ?? Infinity) - (b.tableIndex ?? Infinity) || 0,
    );
    const [first] = found;
    if (first === undefined) return;
    const { code, side, tableIndex, columnIndex, constraintKind } = first;
    const failure = {
      code,
      ...(side === undefined ? {} : { side }),
      ...(tableIndex === undefined ? {} : { tableIndex }),
      ...(columnIndex === undefined ? {} : { columnIndex }),
      ...(constraintKind === undefined ? {} : { constraintKind }),
    };
    const problemCount = found.length + this.untold;
    const saysAll = problemCount === 1 && !DETAILS.some((detail) => first[detail] !== undefined);
    const list = saysAll ? {} : { problems: found.slice(0, MAX_PROBLEMS), problemCount };
    const [cause] = this.causes;
    throw new SyncJobError({ ...failure, ...list }, cause === undefined ? {} : { cause });
  }
}

const DETAILS = ['column', 'constraint', 'difference', 'privilege'] as const;

/** What is wrong with the attempt and not with the job. */
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
  'database_error',
]);

/** A statement that a server refused has a SQLSTATE, and leaves a transaction of no more use. */
function isFinding({ failure }: SyncJobError): boolean {
  return failure.sqlstate === undefined && !INTERRUPTIONS.has(failure.code);
}
