import fc from 'fast-check';
import { DisjointSets } from './disjoint-sets.js';

describe('DisjointSets', () => {
  it('puts two ids into one set exactly if a path of pairs joins them', () => {
    const pair = fc.tuple(fc.nat({ max: 12 }), fc.nat({ max: 12 }));
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 14 }), (pairs) => {
        const joined = new DisjointSets();
        for (const [a, b] of pairs) joined.unite(String(a), String(b));
        const ids = Array.from({ length: 13 }, (_, i) => String(i));
        const sets = joined.sets(ids);
        expect(sets.flatMap((set) => [...set]).sort()).toEqual([...ids].sort());
        for (const set of sets) {
          const [first = ''] = set;
          const reached = new Set([first]);
          for (let step = 0; step < pairs.length; step++) {
            for (const [a, b] of pairs) {
              if (reached.has(String(a)) || reached.has(String(b))) reached.add(String(a)).add(String(b));
            }
          }
          expect(reached).toEqual(set);
        }
      }),
    );
  });
});
