import { ChainTrie } from './chain-trie.js';
import { NovelChainBuilder, type NovelChain } from './novel-chain-builder.js';
import type { WalkStart, WordChain } from '../chain/word-chain.js';

/** Visits the sequences of symbols to exclude, ascending, each from the start of the walk. */
export type EachSequence = (visit: (symbols: Int32Array, length: number) => void) => void;

/**
 * Returns a chain that never generates one of the given sequences. All other walks keep their relative
 * probabilities. While a walk is a prefix of a sequence, it stays in a trie. The trie's edges are weighted by
 * the probability that the complete walk is none of the sequences. A walk that leaves the trie continues in
 * the base chain, where it can no longer become one of the sequences. The result is exact and needs no
 * retries.
 * @returns undefined if trie and chain need more than `maxEdges` edges; `novelShare` is 0 if the chain
 * generates only the sequences
 */
export function novelChain(
  base: WordChain,
  start: WalkStart,
  sequences: EachSequence,
  maxEdges: number,
): NovelChain | undefined {
  if (base.target.length > maxEdges) return undefined;
  const trie = new ChainTrie(base, start, maxEdges);
  sequences((symbols, length) => trie.add(symbols, length));
  return trie.isTooLarge ? undefined : new NovelChainBuilder(base, start, trie, maxEdges).build();
}
