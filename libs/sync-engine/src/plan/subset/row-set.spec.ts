import fc from 'fast-check';
import { RowSet, RowSetTooLargeError } from './row-set.js';

const budget = (maxBytes = Number.MAX_SAFE_INTEGER) => ({ maxBytes, usedBytes: 0 });
const location = fc.tuple(
  fc.constantFrom(16_384, 4_294_967_295),
  fc.oneof(fc.nat(200), fc.constantFrom(0, 63, 64, 4_294_967_294)),
  fc.integer({ min: 1, max: 1_200 }),
);

describe('RowSet', () => {
  it('behaves like a set for any sequence of additions and deletions', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), location)), (steps) => {
        const set = new RowSet(budget());
        const model = new Map<string, readonly [number, number, number]>();
        for (const [adds, at] of steps) {
          const key = at.join();
          expect(set.has(...at)).toBe(model.has(key));
          expect(adds ? set.add(...at) : set.delete(...at)).toBe(adds !== model.has(key));
          if (adds) model.set(key, at);
          else model.delete(key);
        }
        expect(set.count).toBe(model.size);
        const listed = set.relationOids().flatMap((oid) => [...set.locations(oid)].map((at) => [oid, ...at]));
        const expected = [...model.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
        expect(listed).toEqual(expected);
      }),
    );
  });

  it('lists the same rows for any division into page ranges', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(300), fc.integer({ min: 1, max: 300 }))),
        fc.array(fc.nat(320)),
        (rows, cuts) => {
          const set = new RowSet(budget());
          for (const [page, row] of rows) set.add(1, page, row);
          const bounds = [0, ...cuts.sort((a, b) => a - b), Infinity];
          const pieces = bounds.slice(1).flatMap((to, i) => [...set.locations(1, bounds[i], to)]);
          expect(pieces).toEqual([...set.locations(1)]);
          const counts = bounds
            .slice(1)
            .map((toPage, i) => set.countIn({ relationOid: '1', fromPage: bounds[i], toPage }));
          expect(counts.reduce((sum, count) => sum + count, 0)).toBe(set.count);
        },
      ),
    );
  });

  it('does not exceed its memory budget, and returns the memory when it is cleared', () => {
    const shared = budget(64 * 4 * 2);
    const first = new RowSet(shared);
    first.add(1, 0, 31);
    first.add(1, 63, 1);
    expect(shared.usedBytes).toBe(64 * 4);
    first.add(1, 5, 32);
    expect(shared.usedBytes).toBe(64 * 4 * 2);
    expect([...first.locations(1)]).toEqual([
      [0, 31],
      [5, 32],
      [63, 1],
    ]);
    expect(() => new RowSet(shared).add(1, 0, 1)).toThrow(RowSetTooLargeError);
    first.clear();
    expect([first.count, shared.usedBytes >= 0]).toEqual([0, true]);
  });
});
