import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';

import { RepeatedWarning } from '../repeated-warning.js';

/**
 * Runs a task repeatedly, with at most one run at a time. `wake` starts a run without waiting for the
 * interval.
 */
export class RepeatingTask {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private wanted = false;
  private stopped = true;
  private readonly warning: RepeatedWarning;

  constructor(
    private readonly everyMs: number,
    private readonly task: () => Promise<void>,
    logger: Logger,
  ) {
    this.warning = new RepeatedWarning(logger);
  }

  start(): void {
    this.stopped = false;
    this.wake();
  }

  /**
   * Starts a run now. If a run is in progress, one more run follows it. After `stop`, a call has no effect.
   */
  wake(): void {
    if (this.stopped) return;
    if (this.running) {
      this.wanted = true;
      return;
    }
    clearTimeout(this.timer);
    this.running = this.run();
  }

  get isStopped(): boolean {
    return this.stopped;
  }

  /** Stops the repetition, and resolves after the current run. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private async run(): Promise<void> {
    try {
      await this.task();
    } catch (error) {
      // A dependency is unreachable. The next run finds the same work.
      this.warning.warn(
        `the task failed and will run again: ${error instanceof Error ? `${error.name} ${codeOf(error)}` : 'unknown'}`,
      );
    }
    this.running = undefined;
    const again = this.wanted;
    this.wanted = false;
    if (this.stopped) return;
    if (again) this.wake();
    else this.timer = setTimeout(() => this.wake(), this.everyMs);
  }
}

/** A service that repeats a task while the application runs. */
export abstract class RepeatingService implements OnApplicationBootstrap, OnModuleDestroy {
  protected readonly logger = new Logger(this.constructor.name);
  private readonly repeating: RepeatingTask;

  constructor(everyMs: number) {
    this.repeating = new RepeatingTask(everyMs, () => this.runTask(), this.logger);
  }

  protected abstract runTask(): Promise<void>;

  /**
   * Starts the task without waiting for the interval. Call it after the commit of the data that the task
   * processes.
   */
  wake(): void {
    this.repeating.wake();
  }

  onApplicationBootstrap(): void {
    this.repeating.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.repeating.stop();
  }

  /**
   * Runs a step that changes at most `batch` rows until it changes fewer, or until the application stops. One
   * statement for all rows could reach the limit on a statement, and would then never end.
   * @param step returns the number of rows that it has changed
   */
  protected async inBatches(batch: number, step: () => Promise<number>): Promise<void> {
    let rows: number;
    do rows = await step();
    while (rows >= batch && !this.repeating.isStopped);
  }
}

function codeOf(error: Error): string {
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? code : '';
}
