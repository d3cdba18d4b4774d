import { UnsatisfiableError } from '../../errors.js';
import type { WordAlphabet } from '../../model/alphabet.js';
import { edgeFrom, findEdge, type ModelGraph } from '../../model/model-graph.js';

/** Where the phrases begin that have a prefix. */
export interface PhraseStart {
  /** The prefix's whole words. */
  readonly prefix: readonly number[];
  /** Where they lead, and the edges that go on from there: those whose words begin with the rest of the prefix. */
  readonly state: number;
  readonly firstEdge: number;
  readonly endEdge: number;
  readonly isFree: boolean;
}

/**
 * Splits the prefix at its spaces: words hold none, so that there is one way to read it.
 * @throws UnsatisfiableError when no value of the model begins with it
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
  return new UnsatisfiableError('no value of the model begins with starts_with', 'starts_with');
}
