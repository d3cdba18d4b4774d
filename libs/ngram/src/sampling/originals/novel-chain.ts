import { ChainTrie } from './chain-trie.js';
import { NovelChainBuilder, type NovelChain } from './novel-chain-builder.js';
import type { WalkStart, WordChain } from '../chain/word-chain.js';

/** Sequences of symbols to leave out, ascending, each from the walk's start on. */
export type EachSequence = (visit: (symbols: Int32Array, length: number) => void) => void;

/**
 * The chain under the condition that a walk is none of the given sequences. As long as a walk is the beginning of a
 * sequence it stays in a trie, whose edges are weighed by the probability of not ending as one; whoever leaves the
 * trie goes on in the base chain, where nothing can go wrong any more. Exact, and nothing is drawn twice.
 * @returns undefined when trie and chain take more than `maxEdges` edges. `novelShare` 0: there is no other word
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
