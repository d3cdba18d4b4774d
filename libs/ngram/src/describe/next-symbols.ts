import { edgeCount, edgeTotal, END_SYMBOL, findEdge } from '../model/model-graph.js';
import type { NgramModel } from '../model/ngram-model.js';
import { symbolsOf } from './log-probability.js';

/** A symbol that can follow a prefix. */
export interface NextSymbol {
  /** A character or a word; undefined for the end of the value. */
  readonly text: string | undefined;
  /** Above 0, at most 1. */
  readonly probability: number;
}

export interface NextSymbols {
  /** The longest beginning of the prefix that the model generates, in its learned form. */
  readonly prefix: string;
  /** Whether `prefix` is the whole prefix. */
  readonly isWhole: boolean;
  /** All symbols that can follow `prefix`, the most probable first. At least one. Probabilities add up to 1. */
  readonly symbols: readonly NextSymbol[];
}

/**
 * Returns what a model can generate after a prefix, without constraints. Case folding and NFC are applied to the prefix
 * first, as in training. A model of words takes each part of the prefix as a complete word. Takes O(length × log k + k ×
 * log k) for k continuations.
 */
export function nextSymbols(model: NgramModel, prefix: string): NextSymbols {
  const { graph, alphabet } = model;
  const known: string[] = [];
  const wanted = symbolsOf(model, prefix);
  let state = 0;
  for (const symbol of wanted) {
    const edge = symbol < 0 ? -1 : findEdge(graph, state, symbol);
    if (edge < 0) break;
    known.push(alphabet.text(symbol));
    state = graph.edgeTarget[edge] as number;
  }
  const total = edgeTotal(graph, state);
  const symbols: NextSymbol[] = [];
  for (
    let edge = graph.firstEdge[state] as number;
    edge < (graph.firstEdge[state + 1] as number);
    edge += 1
  ) {
    const symbol = graph.edgeSymbol[edge] as number;
    const text = symbol === END_SYMBOL ? undefined : alphabet.text(symbol);
    symbols.push({ text, probability: edgeCount(graph, state, edge) / total });
  }
  symbols.sort((one, other) => other.probability - one.probability);
  const separator = alphabet.tokenType === 'word' ? ' ' : '';
  return { prefix: known.join(separator), isWhole: known.length === wanted.length, symbols };
}
