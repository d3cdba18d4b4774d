import { PlanTooLargeError } from '../../errors.js';
import { END_OF_WORD, type WordChain } from './word-chain.js';

/** The number of high bits of a 53-bit draw. They almost always suffice to choose an edge. */
export const DRAW_BITS = 27;
/**
 * The number of low bits of a step's second 32-bit word that contain an edge index. The bits above them
 * contain `guideBits`.
 */
export const EDGE_BITS = 27;
export const EDGE_MASK = 0x7ffffff;
/** Nodes with at least 2^8 edges have no guide table. */
export const GUIDED_BITS = 8;

// The globals are read only once. In a test runner that intercepts globals, a lookup costs more than the work
// itself.
const { ceil, clz32, floor } = Math;

const LOW_26 = 67108864;
const TWO_53 = 9007199254740992;

/**
 * The edges of a chain in a layout for walking, with 9 bytes per edge. A node of k < 256 edges has a guide
 * table (Chen and Asau 1974). The number of slots in the guide is the largest power of two that is at most k.
 * With the guide, one or two comparisons find the drawn edge.
 */
export interface StepTable {
  /**
   * Two 32-bit words per edge. The first contains the high 27 bits of a threshold: a 53-bit draw below the
   * threshold takes this edge or an earlier one.
   *
   * The second is END_OF_WORD if the edge ends the word. Otherwise its lower 27 bits contain the first edge
   * of the next node, and the bits above them that node's `guideBits`. For a next node without a guide, the
   * lower bits contain the number of the node instead.
   */
  readonly steps: Int32Array;
  /**
   * For each slot of a node's guide, the first edge that a draw in this slot may take, relative to the node's
   * first edge.
   */
  readonly guide: Uint8Array;
}

const tables = new WeakMap<WordChain, StepTable>();

/**
 * Returns the table of a chain. Builds it once, in O(edges).
 * @throws PlanTooLargeError for 2^27 or more edges
 */
export function stepTable(chain: WordChain): StepTable {
  const known = tables.get(chain);
  if (known !== undefined) return known;
  const { firstEdge, cumulative, target } = chain;
  if (target.length > EDGE_MASK)
    throw new PlanTooLargeError('the model has too many transitions to be sampled');
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
      // This edge is the first one possible for draws in a slot that starts at or below its threshold.
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

/** Returns the logarithm of a number of edges to base 2, rounded down. */
function guideBits(edges: number): number {
  return 31 - clz32(edges);
}

/** Returns the second 32-bit word in `steps` of an edge that leads to `node`. */
export function stepTo(firstEdge: Uint32Array, node: number): number {
  const first = firstEdge[node] as number;
  const bits = guideBits((firstEdge[node + 1] as number) - first);
  return (bits < GUIDED_BITS ? first : node) | (bits << EDGE_BITS);
}
