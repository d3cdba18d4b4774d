import { countingSort } from './counting-sort.js';
import { END, type TransitionTable } from './transition-table.js';

/**
 * Transitions sorted by state, and within a state by symbol. The transitions of state s are `first[s]` up to,
 * but not including, `first[s + 1]`. All data of one transition are adjacent, so that visiting transitions in
 * any order causes few cache misses.
 */
export interface Transitions {
  readonly first: Uint32Array;
  /**
   * `TRANSITION_WORDS` 32-bit words per transition. `RANK` is 0 for END, otherwise the rank of the symbol,
   * from 1. `TARGET` is the next state, 0 for END.
   */
  readonly words: Uint32Array;
  /** The same bytes as doubles: the weight of transition i is at `weightAt(i)`. */
  readonly weights: Float64Array;
}

export const TRANSITION_WORDS = 4;
export const RANK = 0;
export const TARGET = 1;

export function weightAt(transition: number): number {
  return transition * 2 + 1;
}

export function makeTransitions(first: Uint32Array, count: number): Transitions {
  const words = new Uint32Array(count * TRANSITION_WORDS);
  return { first, words, weights: new Float64Array(words.buffer) };
}

/**
 * Sorts the used symbols into their order in the alphabet. A symbol's rank is its position in the result,
 * counted from 1.
 */
export type RankSymbols = (used: Uint32Array) => Uint32Array;

/** Returns the transitions of a table that occur in at least `minValues` values, and the symbols by rank. */
export function sortTransitions(
  table: TransitionTable,
  minValues: number,
  rankSymbols: RankSymbols,
): { transitions: Transitions; symbols: Uint32Array } {
  const kept = frequentEdges(table, minValues);
  const symbols = rankSymbols(usedSymbols(table, kept));
  const rankOf = ranksBySymbol(symbols);
  const source = new Uint32Array(kept.length);
  const rank = new Uint32Array(kept.length);
  for (let i = 0; i < kept.length; i += 1) {
    const edge = kept[i] as number;
    const symbol = table.symbolOf(edge);
    source[i] = table.stateOf(edge);
    rank[i] = symbol === END ? 0 : (rankOf[symbol] as number);
  }
  const { first, sorted } = countingSort(source, table.stateCount);
  sortGroups(first, sorted, rank);
  const transitions = makeTransitions(first, kept.length);
  for (let at = 0; at < sorted.length; at += 1) {
    const i = sorted[at] as number;
    const edge = kept[i] as number;
    transitions.words[at * TRANSITION_WORDS + RANK] = rank[i] as number;
    transitions.words[at * TRANSITION_WORDS + TARGET] = table.targetOf(edge);
    transitions.weights[weightAt(at)] = table.weightOf(edge);
  }
  return { transitions, symbols };
}

function frequentEdges(table: TransitionTable, minValues: number): Uint32Array {
  const kept = new Uint32Array(table.edgeCount);
  let count = 0;
  for (let edge = 0; edge < table.edgeCount; edge += 1) {
    if (table.valuesOf(edge) >= minValues) kept[count++] = edge;
  }
  return kept.subarray(0, count);
}

/** Returns the used symbols, ascending. */
function usedSymbols(table: TransitionTable, edges: Uint32Array): Uint32Array {
  let most = 0;
  for (const edge of edges) most = Math.max(most, table.symbolOf(edge));
  const isUsed = new Uint8Array(most + 1);
  for (const edge of edges) {
    const symbol = table.symbolOf(edge);
    if (symbol !== END) isUsed[symbol] = 1;
  }
  return Uint32Array.from(isUsed.keys()).filter((symbol) => isUsed[symbol] === 1);
}

function ranksBySymbol(symbols: Uint32Array): Uint32Array {
  const ranks = new Uint32Array(symbols.reduce((most, symbol) => Math.max(most, symbol), 0) + 1);
  symbols.forEach((symbol, i) => {
    ranks[symbol] = i + 1;
  });
  return ranks;
}

/** Sorts each group by rank. Most groups have only one member. */
function sortGroups(first: Uint32Array, sorted: Uint32Array, rank: Uint32Array): void {
  for (let group = 0; group + 1 < first.length; group += 1) {
    const from = first[group] as number;
    const to = first[group + 1] as number;
    if (to - from > LARGE_GROUP) {
      sorted.subarray(from, to).sort((x, y) => (rank[x] as number) - (rank[y] as number));
      continue;
    }
    for (let i = from + 1; i < to; i += 1) {
      const item = sorted[i] as number;
      const own = rank[item] as number;
      let at = i;
      for (; at > from && (rank[sorted[at - 1] as number] as number) > own; at -= 1) {
        sorted[at] = sorted[at - 1] as number;
      }
      sorted[at] = item;
    }
  }
}

const LARGE_GROUP = 16;
