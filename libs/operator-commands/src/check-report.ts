/** The result of one step. The texts contain no password, token or URL with credentials. */
export interface CheckResult {
  /** The subject of the step, such as `control plane TLS`. */
  readonly step: string;
  readonly state: CheckState;
  /** The facts that the step found; for a skipped step, the reason. */
  readonly facts: string;
  /** The way to remove the problem if the state is `fail` or `warn`; otherwise null. */
  readonly remedy: string | null;
}

export type CheckState = 'ok' | 'warn' | 'fail' | 'skip';

/** Thrown by a step that failed. */
export class CheckFailure extends Error {
  constructor(
    readonly facts: string,
    readonly remedy: string,
  ) {
    super(facts);
    this.name = 'CheckFailure';
  }

  /** Returns the failure of a sentence that has its cause before the first semicolon and its remedy after it. */
  static from(sentence: string): CheckFailure {
    const [cause = '', ...remedy] = sentence.split('; ');
    return new CheckFailure(cause, remedy.join('; ') || 'look at the log of the server');
  }
}

/** Thrown by a step that cannot be checked or does not apply. */
export class CheckSkipped extends Error {
  constructor(readonly reason: string) {
    super(reason);
    this.name = 'CheckSkipped';
  }
}

/** The result of a step that passed. Later steps may need its value. */
export interface Found<T> {
  readonly facts: string;
  readonly value: T;
  /** The way to remove something that works now but may cause a failure later. */
  readonly warning?: string;
}

export interface CheckLimits {
  /** Time limit of one step in milliseconds. */
  readonly stepMs: number;
  /** Time limit of all steps. Steps that would begin later are skipped. */
  readonly totalMs: number;
}

/** Runs steps one after another, each within a time limit, and collects their results. */
export class CheckReport {
  readonly results: CheckResult[] = [];
  private readonly startMs = performance.now();

  /**
   * @param onResult receives each result as soon as it is known
   * @param onSlow receives the name of a step that takes longer than two seconds
   */
  constructor(
    private readonly onResult: (result: CheckResult) => void,
    private readonly onSlow: (step: string) => void,
    private readonly limits: CheckLimits = { stepMs: 15_000, totalMs: 120_000 },
  ) {}

  /**
   * Runs a step.
   * @param act throws CheckFailure or CheckSkipped, and ends soon after the signal is aborted
   * @returns the value that the step found, or undefined if it failed or was skipped
   */
  async step<T>(step: string, act: (signal: AbortSignal) => Promise<Found<T>>): Promise<T | undefined> {
    if (performance.now() - this.startMs > this.limits.totalMs)
      return this.skip(step, `the time limit of ${this.limits.totalMs / 1000} s for all steps is over`);
    const limit = new AbortController();
    const slow = setTimeout(() => this.onSlow(step), SLOW_MS);
    try {
      const { facts, value, warning } = await this.within(act(limit.signal), limit);
      this.add({ step, state: warning === undefined ? 'ok' : 'warn', facts, remedy: warning ?? null });
      return value;
    } catch (error) {
      if (error instanceof CheckSkipped) return this.skip(step, error.reason);
      if (error instanceof CheckFailure) return this.fail(step, error.facts, error.remedy);
      return this.fail(
        step,
        `an unexpected error: ${nameOf(error)}`,
        'report this with the version of the program',
      );
    } finally {
      clearTimeout(slow);
    }
  }

  ok(step: string, facts: string): void {
    this.add({ step, state: 'ok', facts, remedy: null });
  }

  /** Records that a step was not run. */
  skip(step: string, facts: string): undefined {
    this.add({ step, state: 'skip', facts, remedy: null });
  }

  fail(step: string, facts: string, remedy: string): undefined {
    this.add({ step, state: 'fail', facts, remedy });
  }

  warn(step: string, facts: string, remedy: string): void {
    this.add({ step, state: 'warn', facts, remedy });
  }

  get hasFailed(): boolean {
    return this.results.some(({ state }) => state === 'fail');
  }

  private add(result: CheckResult): void {
    this.results.push(result);
    this.onResult(result);
  }

  private async within<T>(step: Promise<T>, limit: AbortController): Promise<T> {
    const { stepMs } = this.limits;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(
          new CheckFailure(
            `no result within ${stepMs / 1000} s`,
            'check that a firewall allows the connection, and that the server is not overloaded',
          ),
        );
        limit.abort();
      }, stepMs);
    });
    step.catch(() => undefined); // its error no longer matters after the time limit
    return Promise.race([step, late]).finally(() => clearTimeout(timer));
  }
}

/** Returns the code or name of an error, because its message may quote a value. */
function nameOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown';
}

const SLOW_MS = 2_000;

/** Returns a line such as `FAIL  control plane TCP   cp.example.com:443: the connection was refused: check the port`. */
export function lineOf({ step, state, facts, remedy }: CheckResult): string {
  const label = state === 'fail' ? 'FAIL' : state;
  return `${label.padEnd(5)} ${step.padEnd(24)} ${facts}${remedy === null ? '' : `: ${remedy}`}`;
}
