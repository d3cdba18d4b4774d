import { PlanTooLargeError } from '../../errors.js';
import { TextAutomaton } from './text-automaton.js';

// The global is read only once. In a test runner that intercepts globals, a lookup costs more than the work
// itself.
const { floor } = Math;

const MAX_TEXT = 1000;

/**
 * `contains` and `ends_with` in one automaton. Its state is the state for `contains` × the number of states
 * for `ends_with` + the state for `ends_with`.
 */
export class WordAutomaton implements ItemAutomaton {
  readonly stateCount: number;
  private readonly infix: TextAutomaton;
  private readonly suffix: TextAutomaton;

  constructor(infix: readonly number[], suffix: readonly number[]) {
    if (infix.length > MAX_TEXT || suffix.length > MAX_TEXT) {
      throw new PlanTooLargeError(`contains and ends_with may have at most ${MAX_TEXT} characters`);
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
 * A deterministic automaton for `contains` and `ends_with`. It reads the symbols of a value one by one, and
 * reports whether the value may end. It starts in state 0.
 */
export interface ItemAutomaton {
  readonly stateCount: number;
  /** @param isFirst whether the value starts with the symbol */
  next(state: number, symbol: number, isFirst: boolean): number;
  /** Returns whether the value may end in this state. */
  accepts(state: number): boolean;
  /** Returns whether the value may end in this state and in every state that can follow. */
  acceptsForEver(state: number): boolean;
}
