import { PlanTooLargeError } from '../../errors.js';
import type { WordAutomaton, ItemAutomaton } from './word-automaton.js';
import type { WordAlphabet } from '../../model/alphabet.js';

const SPACE = 0x20;
/** The maximum number of entries in the table of known steps. */
const MAX_MEMO = 1 << 22;
/**
 * The maximum number of characters that the automaton reads, which takes about a second. Only very long words
 * together with very long constraint texts reach it.
 */
const MAX_READ = 1 << 27;

/** An automaton over code points that reads the words of a phrase and the spaces between them. */
export class PhraseAutomaton implements ItemAutomaton {
  private readonly memo: Int32Array | undefined;
  private charactersRead = 0;

  constructor(
    private readonly alphabet: WordAlphabet,
    private readonly points: WordAutomaton,
  ) {
    const entries = points.stateCount * (alphabet.size + 1);
    if (entries <= MAX_MEMO) this.memo = new Int32Array(entries).fill(-1);
  }

  get stateCount(): number {
    return this.points.stateCount;
  }

  next(state: number, symbol: number, isFirst: boolean): number {
    if (isFirst) return this.read(state, symbol);
    if (this.memo === undefined) return this.read(this.points.next(state, SPACE), symbol);
    const entry = state * (this.alphabet.size + 1) + symbol;
    const known = this.memo[entry] as number;
    if (known >= 0) return known;
    const reached = this.read(this.points.next(state, SPACE), symbol);
    this.memo[entry] = reached;
    return reached;
  }

  accepts(state: number): boolean {
    return this.points.accepts(state);
  }

  acceptsForEver(state: number): boolean {
    return this.points.acceptsForEver(state);
  }

  private read(state: number, symbol: number): number {
    const text = this.alphabet.text(symbol);
    this.charactersRead += text.length;
    if (this.charactersRead > MAX_READ) {
      throw new PlanTooLargeError(
        'contains and ends_with are too long for a model of such long words; shorten them',
      );
    }
    let reached = state;
    for (const character of text) {
      reached = this.points.next(reached, character.codePointAt(0) as number);
    }
    return reached;
  }
}
