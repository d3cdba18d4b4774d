import { PlanTooLargeError } from '../../errors.js';
import { TextAutomaton } from './text-automaton.js';

// Looked up once: where a test runner intercepts globals, a lookup costs more than the work.
const { floor } = Math;

const MAX_TEXT = 1000;

/** `contains` and `ends_with` in one automaton: state = infix state × suffix states + suffix state. */
export class WordAutomaton implements ItemAutomaton {
  readonly stateCount: number;
  private readonly infix: TextAutomaton;
  private readonly suffix: TextAutomaton;

  constructor(infix: readonly number[], suffix: readonly number[]) {
    if (infix.length > MAX_TEXT || suffix.length > MAX_TEXT) {
      throw new PlanTooLargeError(`contains and ends_with may have ${MAX_TEXT} characters at most`);
    }
    this.infix = new TextAutomaton(infix, true);
    this.suffix = new TextAutomaton(suffix, false);
    this.stateCount = this.infix.stateCount * this.suffix.stateCount;
  }

  next(state: number, symbol: number): number {
    const width = this.suffix.stateCount;
    const infixState = floor(state / width);
    return this.infix.next(infixState, symbol) * width + this.suffix.next(state - infixState * width, symbol);
  }

  accepts(state: number): boolean {
    return state === this.stateCount - 1;
  }

  acceptsForEver(state: number): boolean {
    return this.suffix.stateCount === 1 && this.accepts(state);
  }
}

/**
 * Reads an item of a model symbol by symbol and tells whether it may end: `contains` and `ends_with` as a
 * deterministic automaton. State 0 is where nothing was read.
 */
export interface ItemAutomaton {
  readonly stateCount: number;
  /** @param isFirst whether the symbol begins the item */
  next(state: number, symbol: number, isFirst: boolean): number;
  /** An item that ends here is a legal one. */
  accepts(state: number): boolean;
  /** Every way on from here is a legal one. */
  acceptsForEver(state: number): boolean;
}
