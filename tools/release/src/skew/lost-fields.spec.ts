import fc from 'fast-check';

import { lostFields } from './lost-fields.js';

const answers = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const records = fc.dictionary(fc.string(), answers, { minKeys: 1, noNullPrototype: true });
const listed = fc
  .uniqueArray(fc.record({ id: fc.uuid(), value: answers }), { minLength: 1, selector: ({ id }) => id })
  .chain((items) =>
    fc.tuple(fc.constant(items), fc.shuffledSubarray(items, { minLength: items.length }), records),
  );

describe('lostFields', () => {
  it('finds nothing between equal answers', () => {
    fc.assert(fc.property(answers, (value) => expect(lostFields(value, structuredClone(value))).toEqual([])));
  });

  it('does not report added fields, and reports each missing one with its path', () => {
    fc.assert(
      fc.property(records, fc.nat(), (before, number) => {
        const names = Object.keys(before);
        const name = names[number % names.length] ?? '';
        const { [name]: _, ...fewer } = before;
        expect(lostFields({ data: fewer }, { data: before })).toEqual([]);
        expect(lostFields({ data: before }, { data: fewer })).toEqual([`/data/${name}: missing`]);
      }),
    );
  });

  it('compares items with ids in any order, and reports each missing one', () => {
    fc.assert(
      fc.property(listed, ([items, shuffled, added]) => {
        expect(lostFields(items, [added, ...shuffled])).toEqual([]);
        const [first, ...others] = shuffled;
        expect(lostFields(items, others)).toEqual([`/${first?.id}: missing`]);
      }),
    );
  });

  it.each([
    [{ status: 'ready' }, { status: 'failed' }, ['/status: expected "ready", got "failed"']],
    [{ count: null }, { count: 0 }, ['/count: expected null, got 0']],
    [[{ path: 'a', n: 1 }], [{ path: 'b' }, { path: 'a', n: 2 }], ['/a/n: expected 1, got 2']],
    [[{ id: 's', restore_id: 'r' }], [{ id: 's', restore_id: 'q' }], ['/r: missing']],
    [[{ name: 'a' }, { name: 'a' }], [{ name: 'a' }], [': expected 2 items, got 1']],
    [['a', 'b'], ['a', 'b', 'c'], [': expected 2 items, got 3']],
    [
      ['a', 'b'],
      ['b', 'a'],
      ['/0: expected "a", got "b"', '/1: expected "b", got "a"'],
    ],
    [{ a: { seen: 1, b: 2 } }, { a: { seen: 3, b: 4 } }, ['/a/b: expected 2, got 4']],
  ])('of %j and %j is %j', (before, after, lines) => {
    expect(lostFields(before, after, new Set(['seen']))).toEqual(lines);
  });
});
