/** A row of the table. */
export interface StepRow {
  readonly step: string;
  readonly result: 'held' | 'failed' | 'skipped';
  readonly seconds: number;
  /** The expectation that did not hold, or what this machine lacks. */
  readonly reason?: string;
}

/** Returns a row as a line: the result, the seconds, and the step with its reason. */
export function describeStep({ step, result, seconds, reason }: StepRow): string {
  const line = `${result.padEnd(7)} ${seconds.toFixed(1).padStart(6)} s  ${step}`;
  return reason === undefined ? line : `${line}: ${reason}`;
}

/** Runs the steps of a test, and keeps a row for each. */
export class Steps {
  readonly rows: StepRow[] = [];

  constructor(
    private readonly print: (row: StepRow) => void,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Runs a step on which later ones depend.
   * @throws StepFailed if it fails
   */
  async need<T>(step: string, work: () => Promise<T>): Promise<T> {
    this.signal.throwIfAborted();
    const started = performance.now();
    const seconds = () => Math.round((performance.now() - started) / 100) / 10;
    try {
      const result = await work();
      this.add({ step, result: 'held', seconds: seconds() });
      return result;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.add({ step, result: 'failed', seconds: seconds(), reason });
      throw new StepFailed(reason, { cause: error });
    }
  }

  /** Runs a step, or several that depend on each other. If one fails, others still run. */
  async group(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof StepFailed)) throw error; // its row has the reason
    }
  }

  /** Runs a step on which no other depends. */
  check(step: string, work: () => Promise<void>): Promise<void> {
    return this.group(() => this.need(step, work));
  }

  skip(step: string, reason: string): void {
    this.add({ step, result: 'skipped', seconds: 0, reason });
  }

  private add(row: StepRow): void {
    this.rows.push(row);
    this.print(row);
  }
}

/** Ignores the failure of work that was interrupted. `interruptible` has set the exit code. */
export function unlessAborted(signal: AbortSignal, work: Promise<void>): Promise<void> {
  return work.catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** A step has failed, and its row has the reason. */
class StepFailed extends Error {}
