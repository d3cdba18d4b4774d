export interface TalliedCalls {
  /** Id of what was called or of who called. */
  readonly subject: string;
  readonly period: string;
  readonly used: number;
}

/** Calls that this process has counted and not yet handed over. */
export class CallTally {
  private counts = new Map<string, Map<string, number>>();

  add(subject: string, period: string): void {
    const periods = this.counts.get(subject) ?? new Map<string, number>();
    this.counts.set(subject, periods.set(period, (periods.get(period) ?? 0) + 1));
  }

  of(subject: string, period: string): number {
    return this.counts.get(subject)?.get(period) ?? 0;
  }

  /** Hands everything over and begins at nothing again. */
  take(): TalliedCalls[] {
    const taken = this.counts;
    this.counts = new Map();
    return [...taken].flatMap(([subject, periods]) =>
      [...periods].map(([period, used]) => ({ subject, period, used })),
    );
  }
}
