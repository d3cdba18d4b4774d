import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';

/** Runs a task again and again, never two at once; `wake` runs it without waiting for the interval. */
export class RepeatingTask {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private wanted = false;
  private stopped = true;

  constructor(
    private readonly everyMs: number,
    private readonly task: () => Promise<void>,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.stopped = false;
    this.wake();
  }

  /** Safe at any time; a wake during a run means one more run after it. */
  wake(): void {
    if (this.stopped) return;
    if (this.running) {
      this.wanted = true;
      return;
    }
    clearTimeout(this.timer);
    this.running = this.run();
  }

  /** Resolves after the run in progress. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private async run(): Promise<void> {
    try {
      await this.task();
    } catch (error) {
      // A dependency is away: the next run finds the same work.
      this.logger.warn(
        `will try again: ${error instanceof Error ? `${error.name} ${codeOf(error)}` : 'unknown'}`,
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

/** A service that repeats a task from the start of the application to its end. */
export abstract class RepeatingService implements OnApplicationBootstrap, OnModuleDestroy {
  protected readonly logger = new Logger(this.constructor.name);
  private readonly repeating: RepeatingTask;

  constructor(everyMs: number) {
    this.repeating = new RepeatingTask(everyMs, () => this.runTask(), this.logger);
  }

  protected abstract runTask(): Promise<void>;

  /** Runs the task without waiting for the interval. Call it after the commit of what the task is to find. */
  wake(): void {
    this.repeating.wake();
  }

  onApplicationBootstrap(): void {
    this.repeating.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.repeating.stop();
  }
}

function codeOf(error: Error): string {
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? code : '';
}
