import type { PhaseDuration, SyncPhase } from '@understudy/sync-job';

/** Tells how long each phase of a job took. One that is entered again goes on. */
export class PhaseClock {
  private readonly durations = new Map<SyncPhase, number>();
  private phase: SyncPhase = 'preflight';
  private sinceMs: number;

  /** Begins with the preflight. */
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

  /** In the order in which they began; the present one up to now. */
  phases(): readonly PhaseDuration[] {
    this.book();
    return [...this.durations].map(([phase, durationMs]) => ({ phase, durationMs }));
  }

  private book(): void {
    const now = this.now();
    const spent = Math.max(0, now - this.sinceMs); // a clock that was set back
    this.durations.set(this.phase, (this.durations.get(this.phase) ?? 0) + spent);
    this.sinceMs = now;
  }
}
