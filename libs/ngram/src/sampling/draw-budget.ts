import { AttemptsExhaustedError } from '../errors.js';

/** Symbols that one value may take, over all draws of all its words: a fraction of a second. */
const MAX_DRAWN = 1 << 23;

/**
 * What the plans of one mode may spend on one value together. Each of them gives up by itself, but a hostile model can
 * make every one of a text's thousand words nearly do so.
 */
export class DrawBudget {
  private draws = 0;
  private left = MAX_DRAWN;

  /** To be called before each value. */
  renew(): void {
    this.draws = 0;
    this.left = MAX_DRAWN;
  }

  /** A draw of so many symbols, kept or not. @throws AttemptsExhaustedError when all is spent */
  spend(symbols: number): void {
    this.draws += 1;
    this.left -= symbols + 1;
    if (this.left < 0) throw new AttemptsExhaustedError(this.draws);
  }
}
