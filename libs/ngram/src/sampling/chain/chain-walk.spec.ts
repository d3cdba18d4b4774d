import { RandomStream, rootKey } from '@understudy/random';
import fc from 'fast-check';
import { normalize } from '../constraints/conditioned-chain.js';
import { ChainWalk } from './chain-walk.js';
import { END_OF_WORD, freeStart, type WalkStart, type WordChain } from './word-chain.js';

const NODES = 4;

/**
 * Returns a chain with the given edge weights of each node. The first weight of a node belongs to its edge to
 * END, and each further weight to an edge to another node.
 */
function chainOf(weights: readonly (readonly number[])[]): WordChain {
  const edges = weights.reduce((sum, own) => sum + own.length, 0);
  const chain = {
    firstEdge: new Uint32Array(NODES + 1),
    cumulative: new Float64Array(edges),
    target: new Int32Array(edges),
    symbol: new Int32Array(edges),
  };
  let edge = 0;
  weights.forEach((own, node) => {
    const first = edge;
    let sum = 0;
    own.forEach((weight, i) => {
      sum += weight;
      chain.cumulative[edge] = sum;
      chain.symbol[edge] = i;
      chain.target[edge] = i === 0 ? END_OF_WORD : (node + i) % NODES;
      edge += 1;
    });
    normalize(chain.cumulative, first, edge, sum);
    chain.firstEdge[node + 1] = edge;
  });
  return chain;
}

/**
 * Walks a chain in the simplest way, as a reference for `ChainWalk`. At each node with several edges, draws
 * one `float53()` and takes the first edge whose cumulative probability is larger than the drawn number. If the
 * start allows only some edges of its node, the number is drawn from their share of the probability, and
 * rounding never leads beyond the last of them.
 */
function plainWalk(chain: WordChain, start: WalkStart, random: RandomStream, maxSteps: number): number[] {
  const path: number[] = [];
  let { node, firstEdge: first, endEdge: end } = start;
  for (;;) {
    const before = first === chain.firstEdge[node] ? 0 : (chain.cumulative[first - 1] as number);
    const mass = (chain.cumulative[end - 1] as number) - before;
    const drawn = end - first === 1 ? 0 : before + random.float53() * mass;
    const edge = chain.cumulative.findIndex((above, i) => i === end - 1 || (i >= first && drawn < above));
    node = chain.target[edge] as number;
    if (node === END_OF_WORD) return path;
    path.push(edge);
    if (path.length > maxSteps) return path;
    ({ firstEdge: first, endEdge: end } = freeStart(chain, node));
  }
}

const weight = fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.constantFrom(1, 1e9, 1e17), fc.constant(1e-9));
const node = fc.oneof(
  { arbitrary: fc.array(weight, { minLength: 1, maxLength: 12 }), weight: 4 },
  fc.array(weight, { minLength: 250, maxLength: 600, size: 'max' }),
);

describe('ChainWalk', () => {
  test('draws the first edge whose cumulative probability is above the random number, at every node', () => {
    fc.assert(
      fc.property(fc.array(node, { minLength: NODES, maxLength: NODES }), fc.nat(), (weights, seed) => {
        const chain = chainOf(weights);
        const walk = new ChainWalk(chain, freeStart(chain, 0));
        const key = rootKey('walk', seed);
        const [one, other] = [new RandomStream(), new RandomStream()];
        for (let i = 0; i < 20; i += 1) {
          walk.walk(one.seek(key, i), 40);
          expect([...walk.path.subarray(0, walk.length)]).toEqual(
            plainWalk(chain, walk.start, other.seek(key, i), 40),
          );
          expect(one.uint32()).toBe(other.uint32());
        }
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  test('draws the first step in proportion to the edges that the start allows, at every node', () => {
    const starts = fc.record({ at: fc.nat(NODES - 1), from: fc.nat(), count: fc.nat(), seed: fc.nat() });
    fc.assert(
      fc.property(fc.array(node, { minLength: NODES, maxLength: NODES }), starts, (weights, start) => {
        const chain = chainOf(weights);
        const all = freeStart(chain, start.at);
        const firstEdge = all.firstEdge + (start.from % (all.endEdge - all.firstEdge));
        const endEdge = firstEdge + 1 + (start.count % (all.endEdge - firstEdge));
        const walk = new ChainWalk(chain, { node: start.at, firstEdge, endEdge });
        const key = rootKey('walk', start.seed);
        const [one, other] = [new RandomStream(), new RandomStream()];
        for (let i = 0; i < 20; i += 1) {
          walk.walk(one.seek(key, i), 40);
          expect([...walk.path.subarray(0, walk.length)]).toEqual(
            plainWalk(chain, walk.start, other.seek(key, i), 40),
          );
        }
      }),
      { seed: 1, numRuns: 50 },
    );
  });

  test('uses the low bits if the high bits equal those of a threshold', () => {
    const third = 1 / 3;
    const chain = chainOf([[1, 2], [1], [1], [1]]);
    const [high, low] = [
      Math.floor(third * 2 ** 27),
      Math.ceil((third * 2 ** 27 - Math.floor(third * 2 ** 27)) * 2 ** 26),
    ];
    const lengthAt = (bits: number) => {
      const random = { high27: () => high, low: bits * 64 } as RandomStream;
      const walk = new ChainWalk(chain, freeStart(chain, 0));
      walk.walk(random, 40);
      return walk.length;
    };
    expect(lengthAt(low - 1)).toBe(0);
    expect(lengthAt(low)).toBe(1);
  });
});
