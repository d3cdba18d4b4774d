import type { PhaseDuration, SyncPhase } from '@understudy/sync-job';

/**
 * Measures how long each phase of a job takes. If a phase is entered several times, its durations are added.
 */
export class PhaseClock {
  private readonly durations = new Map<SyncPhase, number>();
  private phase: SyncPhase = 'preflight';
  private sinceMs: number;

  /** Starts the clock in the phase `preflight`. */
  constructor(private readonly now: () => number) {
    this.sinceMs = now();
    this.durations.set(this.phase, 0);
  }

  get current(): SyncPhase {
    return this.phase;
  }

  enter(phase: SyncPhase): void {
    this.book();
    this.phase = phase;
    if (!this.durations.has(phase)) this.durations.set(phase, 0);
  }

  /**
   * Returns the durations in the order in which the phases began. The duration of the current phase ends at
   * the present time.
   */
  phases(): readonly PhaseDuration[] {
    this.book();
    return [...this.durations].map(([phase, durationMs]) => ({ phase, durationMs }));
  }

  private book(): void {
    const now = this.now();
    this.durations.set(this.phase, (this.durations.get(this.phase) ?? 0) + now - this.sinceMs);
    this.sinceMs = now;
  }
}
