import { BUILD_PHASES, type BuildPhase, type BuildProgress } from '@understudy/sync-job';

/** The steps of one phase that cover the same table, or no table. */
export interface BuildSteps {
  readonly phase: Exclude<BuildPhase, 'rows'>;
  /** The table whose rows the steps read. */
  readonly tableIndex?: number;
  readonly total: number;
  /** The steps that earlier attempts have completed. */
  readonly done: number;
}

/** The counts of the phase `rows`. */
export type BuildRows = Pick<BuildProgress, 'done' | 'total' | 'remainingMs'>;

/** The work of a step in addition to the size of its table, in bytes. */
const STEP_ITSELF = 8192;
const MAX_REMAINING_MS = 365 * 24 * 60 * 60 * 1000;

/**
 * Counts the steps of the build of a database. The estimate of a phase assumes that each byte of the remaining steps takes
 * as long as a byte of the steps that this attempt has completed.
 */
export class BuildMeter {
  private readonly steps = new Map<string, CountedSteps>();
  private current = -1;
  private sinceMs = 0;

  /**
   * @param sizeOf returns the size of a table in bytes, by its index
   * @param onChange called after each change
   */
  constructor(
    private readonly now: () => number,
    private readonly sizeOf: (tableIndex: number) => number,
    private readonly onChange: () => void,
  ) {
    this.expect([{ phase: 'swap', total: 1, done: 0 }]);
  }

  /** Sets the steps that this attempt has to complete. Call it before their phase begins. */
  expect(steps: readonly BuildSteps[]): void {
    for (const step of steps)
      this.steps.set(keyOf(step.phase, step.tableIndex), { ...step, before: step.done });
  }

  /** Begins a phase, and completes those before it. May be called again for a phase, to measure from now on. */
  enter(phase: BuildPhase): void {
    this.current = BUILD_PHASES.indexOf(phase);
    this.sinceMs = this.now();
    this.onChange();
  }

  completed(phase: BuildSteps['phase'], tableIndex?: number, count = 1): void {
    const counted = this.steps.get(keyOf(phase, tableIndex));
    if (counted === undefined) return;
    counted.done += count;
    this.onChange();
  }

  /** Returns all phases in their order, or undefined before the first one begins. */
  report(rows: BuildRows): readonly BuildProgress[] | undefined {
    if (this.current === -1) return undefined;
    return BUILD_PHASES.map((phase, i) => {
      const state = i < this.current ? 'completed' : i === this.current ? 'running' : 'pending';
      const { remainingMs, ...counts } = phase === 'rows' ? rows : this.countsOf(phase);
      const isEstimated = state === 'running' && remainingMs !== undefined;
      return { phase, state, ...counts, ...(isEstimated && { remainingMs }) };
    });
  }

  private countsOf(phase: BuildSteps['phase']): BuildRows {
    const steps = [...this.steps.values()].filter((one) => one.phase === phase);
    if (steps.length === 0) return { done: 0 };
    const sum = (of: (steps: CountedSteps) => number) => steps.reduce((all, one) => all + of(one), 0);
    const workOf = ({ tableIndex }: CountedSteps) =>
      STEP_ITSELF + (tableIndex === undefined ? 0 : this.sizeOf(tableIndex));
    const worked = sum((one) => workOf(one) * (one.done - one.before));
    const left = sum((one) => workOf(one) * (one.total - one.done));
    const remainingMs = Math.ceil((Math.max(0, this.now() - this.sinceMs) * left) / worked);
    return {
      done: sum(({ done }) => done),
      total: sum(({ total }) => total),
      ...(worked > 0 && remainingMs <= MAX_REMAINING_MS && { remainingMs }),
    };
  }
}

interface CountedSteps extends BuildSteps {
  done: number;
  /** The steps that were completed before this attempt. */
  readonly before: number;
}

function keyOf(phase: BuildPhase, tableIndex: number | undefined): string {
  return `${phase} ${tableIndex ?? ''}`;
}
