import { UnsatisfiableError } from '../../errors.js';
import type { Alphabet } from '../../model/alphabet.js';
import type { Originals } from '../../model/originals.js';
import { likelyOriginals, textWriter } from './likely-originals.js';
import { novelChain } from './novel-chain.js';
import type { NovelChain } from './novel-chain-builder.js';
import { eachOriginal } from './original-symbols.js';
import type { WalkStart, WordChain } from '../chain/word-chain.js';

export interface ExcludedOriginals {
  readonly originals: Originals;
  readonly alphabet: Alphabet;
  /** Every walk's text begins with it. */
  readonly text: string;
  /** The symbols that lie before the walk's start. */
  readonly prefix: readonly number[];
  /** Stands between the texts of two symbols. */
  readonly gap: string;
  readonly maxEdges: number;
}

/**
 * The chain under the condition that no walk is an original.
 * @returns undefined when the originals are too many; `isComplete`: none is left, else some are to be drawn again
 * @throws UnsatisfiableError when the chain makes nothing else
 */
export function chainWithoutOriginals(
  chain: WordChain,
  start: WalkStart,
  { originals, alphabet, text, prefix, gap, maxEdges }: ExcludedOriginals,
): (NovelChain & { readonly isComplete: boolean }) | undefined {
  const textOf = (symbol: number): string => alphabet.text(symbol);
  const write = textWriter(textOf, prefix.map(textOf).join(gap), gap);
  const found =
    originals.kind === 'fingerprints'
      ? likelyOriginals(chain, start, originals, write, maxEdges - chain.target.length)
      : undefined;
  const novel = novelChain(
    chain,
    start,
    (visit) => {
      found?.forEach((symbols) => visit(symbols, symbols.length));
      if (originals.kind === 'values') {
        eachOriginal(originals, alphabet, text, (symbols, length) =>
          visit(symbols.subarray(prefix.length, length), length - prefix.length),
        );
      }
    },
    maxEdges,
  );
  if (novel?.novelShare === 0) {
    throw new UnsatisfiableError(
      'the model makes only training values under these constraints: exclude_originals leaves nothing',
      'exclude_originals',
    );
  }
  return novel && { ...novel, isComplete: found === undefined || found.length === originals.size };
}
