import { PlanTooLargeError } from '../../errors.js';
import { END_OF_WORD, type WordChain } from './word-chain.js';

/** A draw's high bits, which nearly always decide. */
export const DRAW_BITS = 27;
/** Of the second word of a step: what is below tells the place, what is above the bits of the slots. */
export const EDGE_BITS = 27;
export const EDGE_MASK = 0x7ffffff;
/** Nodes of 2^8 edges and more have no guide. */
export const GUIDED_BITS = 8;

// Looked up once: where a test runner intercepts globals, a lookup costs more than the work.
const { ceil, clz32, floor } = Math;

const LOW_26 = 67108864;
const TWO_53 = 9007199254740992;

/**
 * A chain's edges laid out for walking, 9 bytes each. A node of k < 256 edges has a guide table (Chen and Asau 1974) of
 * as many slots as the largest power of two in k, which leads to the drawn edge in one or two comparisons.
 */
export interface StepTable {
  /**
   * Two words an edge: the high 27 bits of the threshold below which a draw of 53 bits takes this edge or one before;
   * then the next node's first edge (its number where it has no guide) and, above those 27 bits, its `guideBits`, or
   * END_OF_WORD.
   */
  readonly steps: Int32Array;
  /** Of the slot that stands at this place of its node: the first edge that its draws may take, from the node's first. */
  readonly guide: Uint8Array;
}

const tables = new WeakMap<WordChain, StepTable>();

/** Made once a chain. Cost O(edges). @throws PlanTooLargeError from 2^27 edges on */
export function stepTable(chain: WordChain): StepTable {
  const known = tables.get(chain);
  if (known !== undefined) return known;
  const { firstEdge, cumulative, target } = chain;
  if (target.length > EDGE_MASK)
    throw new PlanTooLargeError('the model has too many transitions to be walked');
  const steps = new Int32Array(target.length * 2);
  const guide = new Uint8Array(target.length);
  for (let node = 0; node + 1 < firstEdge.length; node += 1) {
    const first = firstEdge[node] as number;
    const end = firstEdge[node + 1] as number;
    const bits = guideBits(end - first);
    let slot = 0;
    const slots = bits < GUIDED_BITS ? 1 << bits : 0;
    for (let edge = first; edge < end; edge += 1) {
      const high = floor(ceil((cumulative[edge] as number) * TWO_53) / LOW_26);
      steps[edge * 2] = high;
      // Draws of a slot that begins at or below the threshold may take this edge.
      for (; slot < slots && slot <= high >>> (DRAW_BITS - bits); slot += 1)
        guide[first + slot] = edge - first;
      const next = target[edge] as number;
      steps[edge * 2 + 1] = next === END_OF_WORD ? END_OF_WORD : stepTo(firstEdge, next);
    }
  }
  const table = { steps, guide };
  tables.set(chain, table);
  return table;
}

/** Whole bits of a number of edges. */
function guideBits(edges: number): number {
  return 31 - clz32(edges);
}

/** The word that leads to a node. */
export function stepTo(firstEdge: Uint32Array, node: number): number {
  const first = firstEdge[node] as number;
  const bits = guideBits((firstEdge[node + 1] as number) - first);
  return (bits < GUIDED_BITS ? first : node) | (bits << EDGE_BITS);
}
