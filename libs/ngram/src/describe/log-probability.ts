import { math } from '@understudy/random';
import { normalizeValue } from '../model/case-folding.js';
import { edgeCount, edgeTotal, END_SYMBOL, findEdge } from '../model/model-graph.js';
import type { NgramModel } from '../model/ngram-model.js';
import { splitAtSpaces } from '../training/text/split-words.js';

/**
 * Returns the natural logarithm of the probability that the model generates `value` without constraints. Case
 * folding and NFC are applied to the value first, as in training. Returns -Infinity for a word that the model
 * never generates. Ignores `excludeOriginals`. Takes O(length × log k) for k continuations.
 */
export function logProbability(model: NgramModel, value: string): number {
  const { graph } = model;
  let sum = 0;
  let state = 0;
  for (const symbol of [...symbolsOf(model, value), END_SYMBOL]) {
    const edge = symbol < 0 ? -1 : findEdge(graph, state, symbol);
    if (edge < 0) return -Infinity;
    sum += math.log(edgeCount(graph, state, edge) / edgeTotal(graph, state));
    state = graph.edgeTarget[edge] as number;
  }
  return sum;
}

/** Returns the symbols of a value. A symbol is -1 if the model never writes it. */
export function symbolsOf({ alphabet, caseFolding }: NgramModel, value: string): number[] {
  const text = normalizeValue(value, caseFolding);
  if (alphabet.tokenType === 'char')
    return Array.from(text, (character) => alphabet.symbolOf(character.codePointAt(0) as number));
  const symbols: number[] = [];
  splitAtSpaces(text, 0, text.length, (line, from, to) =>
    symbols.push(alphabet.symbolOf(line.slice(from, to))),
  );
  return symbols;
}
