import type { Kind } from '../kind.js';

/** Phrases of column names that speak for a kind: with spaces between words, in small plain letters. */
export interface Clue {
  readonly kind: Kind;
  /** A strong one is enough unless the values say otherwise; a weak one wants them to agree. */
  readonly strength: 'strong' | 'weak';
  readonly phrases: string;
}
