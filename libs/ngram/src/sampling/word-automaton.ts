import { PlanTooLargeError } from '../errors.js';
import type { ItemAutomaton } from './item-automaton.js';
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
