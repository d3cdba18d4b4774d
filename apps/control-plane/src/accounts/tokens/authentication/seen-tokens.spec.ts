import { SeenTokens } from './seen-tokens.js';

describe('SeenTokens', () => {
  it('remembers tokens as usable until they are recorded as unusable', () => {
    const seen = new SeenTokens();
    expect(seen.wasUsable('a')).toBe(false);
    seen.recordUsable('a', true);
    expect(seen.wasUsable('a')).toBe(true);
    seen.recordUsable('a', false);
    expect(seen.wasUsable('a')).toBe(false);
  });

  it('forgets the oldest tokens beyond the maximum', () => {
    const seen = new SeenTokens();
    for (let i = 0; i < 1_001; i++) seen.recordMissing(`missing ${i}`);
    expect([0, 1, 1_000].map((i) => seen.wasMissing(`missing ${i}`))).toEqual([false, true, true]);
    for (let i = 0; i < 10_000; i++) seen.recordUsable(`usable ${i}`, true);
    seen.recordUsable('usable 0', true); // used again
    seen.recordUsable('one more', true);
    expect([0, 1, 2].map((i) => seen.wasUsable(`usable ${i}`))).toEqual([true, false, true]);
  });
});
