import type { NgramModel } from '@understudy/ngram';
import type { RandomStream } from '@understudy/random';

import { countBelow } from './attack-strength.js';

/**
 * Number of letters of a secret. The first letter is upper case and the others are lower case. All letters
 * are equally likely, so a secret does not look like a name.
 */
const LETTERS = 8;
const ALPHABET = 26;
/** Entropy of a secret in bits. */
export const SECRET_BITS = LETTERS * Math.log2(ALPHABET);

const LARGE_A = 65;
const SMALL_A = 97;
const SPACE = 32;
/**
 * Strings that are less likely than this are not ranked. A string with this probability occurs once in a
 * thousand million generated values.
 */
const LEAST_PROBABILITY = 1e-9;
/** Relative difference below which probabilities count as equal. */
const ROUNDING = 1e-9;

/** Role of a symbol in a secret. A secret ends before a `boundary`: the end of the value, or a space. */
const KIND = { other: 0, large: 1, small: 2, boundary: 3 } as const;

export function randomSecret(random: RandomStream): string {
  const letters = Array.from(
    { length: LETTERS },
    (_, i) => (i === 0 ? LARGE_A : SMALL_A) + random.below(ALPHABET),
  );
  return String.fromCharCode(...letters);
}

/**
 * Ranks secrets by the probability that a generated value is the secret, or begins with the secret and a
 * space. The constructor visits every possible secret with a probability of at least 10^-9, which takes some
 * seconds.
 */
export class SecretRanking {
  private readonly kinds: Uint8Array;
  /** Probabilities in ascending order. */
  private readonly ranked: Float64Array;

  constructor(private readonly model: NgramModel) {
    this.kinds = symbolKinds(model);
    const found: number[] = [];
    this.walk(0, 0, 1, found);
    this.ranked = Float64Array.from(found).sort();
  }

  /** @returns 0 if the model never generates the secret */
  probabilityOf(secret: string): number {
    const { graph, alphabet } = this.model;
    if (alphabet.tokenType !== 'char') throw new Error('expected a model over characters');
    let [state, probability] = [0, 1];
    for (const letter of secret) {
      const symbol = alphabet.symbolOf(letter.codePointAt(0) as number);
      let next = -1;
      this.eachEdge(state, (edge, share) => {
        if (symbol < 0 || graph.edgeSymbol[edge] !== symbol) return;
        next = graph.edgeTarget[edge] as number;
        probability *= share;
      });
      if (next < 0) return 0;
      state = next;
    }
    return probability * this.boundaryShare(state);
  }

  /**
   * Computes the exposure in bits (Carlini et al., "The Secret Sharer", 2019). It is log2 of the number of
   * possible secrets, minus log2 of the rank of this secret by probability. Ties share the mean of their
   * ranks. An attacker tries the secret with the largest exposure first. A secret with a probability below
   * 10^-9 gets an exposure of one bit, as if it were in the middle of the ranking.
   */
  exposureOf(secret: string): number {
    const probability = this.probabilityOf(secret);
    if (probability < LEAST_PROBABILITY) return 1;
    const notAbove = countBelow(this.ranked, probability * (1 + ROUNDING));
    const above = this.ranked.length - notAbove;
    const equal = notAbove - countBelow(this.ranked, probability * (1 - ROUNDING));
    return SECRET_BITS - Math.log2(above + (1 + Math.max(1, equal)) / 2);
  }

  private walk(state: number, letters: number, probability: number, found: number[]): void {
    if (letters === LETTERS) {
      const whole = probability * this.boundaryShare(state);
      if (whole >= LEAST_PROBABILITY) found.push(whole);
      return;
    }
    const wanted = letters === 0 ? KIND.large : KIND.small;
    const { edgeSymbol, edgeTarget } = this.model.graph;
    this.eachEdge(state, (edge, share) => {
      if (this.kinds[edgeSymbol[edge] as number] !== wanted) return;
      const further = probability * share;
      if (further >= LEAST_PROBABILITY) this.walk(edgeTarget[edge] as number, letters + 1, further, found);
    });
  }

  private boundaryShare(state: number): number {
    let sum = 0;
    this.eachEdge(state, (edge, share) => {
      if (this.kinds[this.model.graph.edgeSymbol[edge] as number] === KIND.boundary) sum += share;
    });
    return sum;
  }

  private eachEdge(state: number, visit: (edge: number, share: number) => void): void {
    const { firstEdge, edgeCumulative } = this.model.graph;
    const end = firstEdge[state + 1] as number;
    const total = edgeCumulative[end - 1] as number;
    let before = 0;
    for (let edge = firstEdge[state] as number; edge < end; edge += 1) {
      const cumulative = edgeCumulative[edge] as number;
      visit(edge, (cumulative - before) / total);
      before = cumulative;
    }
  }
}

/** @returns the role of each symbol; symbol 0 is the end of a value (see ModelGraph) */
function symbolKinds({ alphabet }: NgramModel): Uint8Array {
  const kinds = new Uint8Array(alphabet.size + 1).fill(KIND.other);
  kinds[0] = KIND.boundary;
  for (let symbol = 1; symbol <= alphabet.size; symbol += 1) {
    const code = alphabet.text(symbol).charCodeAt(0);
    if (code >= LARGE_A && code < LARGE_A + ALPHABET) kinds[symbol] = KIND.large;
    else if (code >= SMALL_A && code < SMALL_A + ALPHABET) kinds[symbol] = KIND.small;
    else if (code === SPACE) kinds[symbol] = KIND.boundary;
  }
  return kinds;
}
