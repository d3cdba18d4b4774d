export interface TalliedCalls {
  readonly organizationId: string;
  readonly period: string;
  readonly used: number;
}

/** Calls that this process has counted and not yet handed over. */
export class CallTally {
  private counts = new Map<string, Map<string, number>>();

  add(organizationId: string, period: string): void {
    const periods = this.counts.get(organizationId) ?? new Map<string, number>();
    this.counts.set(organizationId, periods.set(period, (periods.get(period) ?? 0) + 1));
  }

  of(organizationId: string, period: string): number {
    return this.counts.get(organizationId)?.get(period) ?? 0;
  }

  /** Hands everything over and begins at nothing again. */
  take(): TalliedCalls[] {
    const taken = this.counts;
    this.counts = new Map();
    return [...taken].flatMap(([organizationId, periods]) =>
      [...periods].map(([period, used]) => ({ organizationId, period, used })),
    );
  }
}
