import { AttemptsExhaustedError } from '../errors.js';

/**
 * The maximum number of symbols that are drawn for one value, over all draws of all its words. They take a
 * fraction of a second.
 */
const MAX_DRAWN = 1 << 23;

/**
 * The budget that the plans of one mode share for one value. Each plan also has its own limit. But with a
 * hostile model, each of a thousand words could almost reach that limit.
 */
export class DrawBudget {
  private draws = 0;
  private left = MAX_DRAWN;

  /** Resets the budget. Call it before each value. */
  renew(): void {
    this.draws = 0;
    this.left = MAX_DRAWN;
  }

  /**
   * Counts a draw of `symbols` symbols, whether it is accepted or not.
   * @throws AttemptsExhaustedError if the budget is used up
   */
  spend(symbols: number): void {
    this.draws += 1;
    this.left -= symbols + 1;
    if (this.left < 0) throw new AttemptsExhaustedError(this.draws);
  }
}
