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
  /** The text that every walk starts with. */
  readonly text: string;
  /** The symbols before the start of the walk. */
  readonly prefix: readonly number[];
  /** The separator between the texts of two symbols. */
  readonly gap: string;
  readonly maxEdges: number;
}

/**
 * Returns a chain that excludes all originals, or only the likely ones if the model contains fingerprints.
 * The other walks keep their relative probabilities. If `isComplete` is true, the chain generates no
 * originals. If `isComplete` is false, draws that are originals must be retried.
 * @returns undefined if there are too many originals
 * @throws UnsatisfiableError if the chain generates only originals
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
      'under these constraints the model generates only training values, which exclude_originals ' +
        'excludes',
      'exclude_originals',
    );
  }
  return novel && { ...novel, isComplete: found === undefined || found.length === originals.size };
}
