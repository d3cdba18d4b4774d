export interface TalliedCalls {
  /** Id of the called mock endpoint, or of the organisation that called the API. */
  readonly subject: string;
  readonly period: string;
  readonly used: number;
}

/** Counts the calls of this process since the last `take`. */
export class CallTally {
  private counts = new Map<string, Map<string, number>>();

  add(subject: string, period: string): void {
    const periods = this.counts.get(subject) ?? new Map<string, number>();
    this.counts.set(subject, periods.set(period, (periods.get(period) ?? 0) + 1));
  }

  of(subject: string, period: string): number {
    return this.counts.get(subject)?.get(period) ?? 0;
  }

  /** Returns all counts and resets them. */
  take(): TalliedCalls[] {
    const taken = this.counts;
    this.counts = new Map();
    return [...taken].flatMap(([subject, periods]) =>
      [...periods].map(([period, used]) => ({ subject, period, used })),
    );
  }
}
