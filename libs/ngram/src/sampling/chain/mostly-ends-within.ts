import { END_OF_WORD, type WordChain } from './word-chain.js';

const MAX_STEPS = 400;
const MAX_VISITS = 1 << 27;

/**
 * Returns whether a walk from `start` ends within `steps` symbols with a probability of at least `share`.
 * Computes the distribution over nodes step by step, and stops when the share is reached. Takes O(edges) per
 * step. Returns false after 400 steps, or after 2^27 edge visits, which take a fraction of a second.
 */
export function mostlyEndsWithin(chain: WordChain, start: number, steps: number, share: number): boolean {
  const nodes = chain.firstEdge.length - 1;
  let mass = new Float64Array(nodes);
  let next = new Float64Array(nodes);
  mass[start] = 1;
  let ended = 0;
  let visits = 0;
  for (let step = 0; step <= steps && step <= MAX_STEPS && visits <= MAX_VISITS; step += 1) {
    next.fill(0);
    for (let node = 0; node < nodes; node += 1) {
      const here = mass[node] as number;
      if (here === 0) continue;
      let before = 0;
      visits += (chain.firstEdge[node + 1] as number) - (chain.firstEdge[node] as number);
      for (
        let edge = chain.firstEdge[node] as number;
        edge < (chain.firstEdge[node + 1] as number);
        edge += 1
      ) {
        const cumulative = chain.cumulative[edge] as number;
        const target = chain.target[edge] as number;
        const part = here * (cumulative - before);
        if (target === END_OF_WORD) ended += part;
        else next[target] = (next[target] as number) + part;
        before = cumulative;
      }
    }
    if (ended >= share) return true;
    [mass, next] = [next, mass];
  }
  return false;
}
