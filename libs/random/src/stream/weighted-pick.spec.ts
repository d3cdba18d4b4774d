import { deriveKey, RandomStream, rootKey, uuidV4, uuidV7, WeightedPick } from '../index.js';

const KEY = deriveKey(rootKey('test', 3), 'pick');

function counts(weights: number[], draws: number): number[] {
  const pick = new WeightedPick(weights);
  const random = new RandomStream();
  const result = weights.map(() => 0);
  for (let row = 0; row < draws; row += 1) {
    const i = pick.pick(random.seek(KEY, row));
    result[i] = (result[i] ?? 0) + 1;
  }
  return result;
}

describe('WeightedPick', () => {
  it.each([[[1, 2, 7]], [[0.1, 0.2, 0.7]]])('picks in proportion to the weights %j', (weights) => {
    const [a = 0, b = 0, c = 0] = counts(weights, 50_000);
    expect(Math.abs(a - 5000)).toBeLessThan(340);
    expect(Math.abs(b - 10_000)).toBeLessThan(450);
    expect(Math.abs(c - 35_000)).toBeLessThan(520);
  });

  it('never picks an entry of weight 0 at any position', () => {
    expect(counts([0, 1, 0, 0, 1, 0], 2000)).toEqual([0, expect.any(Number), 0, 0, expect.any(Number), 0]);
    expect(counts([0, 0.5, 0, 0.25, 0], 2000).filter((_, i) => i % 2 === 0)).toEqual([0, 0, 0]);
    expect(counts([0, 5e-324, 0], 100)).toEqual([0, 100, 0]);
  });

  it.each([[[]], [[0, 0]], [[-1, 2]], [[NaN]], [[Infinity]], [[1e308, 1e308]]])(
    'refuses the weights %j',
    (weights) => {
      expect(() => new WeightedPick(weights)).toThrow(RangeError);
    },
  );
});

describe('uuids', () => {
  it('version 4 has the right version and variant bits', () => {
    const random = new RandomStream();
    for (let row = 0; row < 500; row += 1) {
      expect(uuidV4(random.seek(KEY, row))).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
    }
  });

  it('version 7 starts with its time', () => {
    const random = new RandomStream();
    expect(uuidV7(random.seek(KEY, 1), 0x0123456789ab)).toMatch(
      /^01234567-89ab-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });
});
