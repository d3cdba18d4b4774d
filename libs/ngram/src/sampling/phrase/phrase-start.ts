import { UnsatisfiableError } from '../../errors.js';
import type { WordAlphabet } from '../../model/alphabet.js';
import { edgeFrom, findEdge, type ModelGraph } from '../../model/model-graph.js';

/** The position in a model at which all phrases with a given prefix continue. */
export interface PhraseStart {
  /** The complete words of the prefix. */
  readonly prefix: readonly number[];
  /**
   * The state after these words. Its edges from `firstEdge` to `endEdge` are the words that start with the
   * rest of the prefix.
   */
  readonly state: number;
  readonly firstEdge: number;
  readonly endEdge: number;
  readonly isFree: boolean;
}

/**
 * Splits the prefix at its spaces. Words contain no spaces, so the split is unambiguous.
 * @throws UnsatisfiableError if no value of the model starts with the prefix
 */
export function phraseStart(graph: ModelGraph, alphabet: WordAlphabet, text: string): PhraseStart {
  const words = text.split(' ');
  const begun = words.pop() as string;
  const prefix: number[] = [];
  let state = 0;
  for (const word of words) {
    const symbol = alphabet.symbolOf(word);
    const edge = symbol < 0 ? -1 : findEdge(graph, state, symbol);
    if (edge < 0) throw unsatisfiable();
    prefix.push(symbol);
    state = graph.edgeTarget[edge] as number;
  }
  const first = graph.firstEdge[state] as number;
  const end = graph.firstEdge[state + 1] as number;
  if (text === '') return { prefix, state, firstEdge: first, endEdge: end, isFree: true };
  const symbols = alphabet.symbolsFrom(begun);
  const firstEdge = edgeFrom(graph, state, symbols.first);
  const endEdge = edgeFrom(graph, state, symbols.end);
  if (firstEdge === endEdge) throw unsatisfiable();
  return { prefix, state, firstEdge, endEdge, isFree: firstEdge === first && endEdge === end };
}

function unsatisfiable(): UnsatisfiableError {
  return new UnsatisfiableError('no value of the model starts with starts_with', 'starts_with');
}
