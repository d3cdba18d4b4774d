import { RecentlyUsed } from './recently-used.js';

describe('RecentlyUsed', () => {
  it('stays within the budget and evicts the least recently used value first', () => {
    const kept = new RecentlyUsed<number>(10);
    kept.set('a', 1, 4);
    kept.set('b', 2, 4);
    expect(kept.get('a')).toBe(1);
    kept.set('c', 3, 4);
    expect(kept.keys()).toEqual(['a', 'c']);
    kept.set('d', 4, 10);
    expect(kept.keys()).toEqual(['d']);
  });

  it('does not keep a value that is larger than the budget', () => {
    const kept = new RecentlyUsed<number>(10);
    kept.set('a', 1, 4);
    kept.set('b', 2, 11);
    expect([kept.get('a'), kept.get('b')]).toEqual([1, undefined]);
  });

  it('counts the bytes of a key only once if the key is set again', () => {
    const kept = new RecentlyUsed<number>(10);
    for (let i = 0; i < 5; i += 1) kept.set('a', i, 6);
    kept.set('b', 9, 4);
    expect([kept.get('a'), kept.get('b')]).toEqual([4, 9]);
  });
});
