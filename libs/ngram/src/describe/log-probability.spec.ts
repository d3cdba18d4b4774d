import { readModel } from '../file/read-model.js';
import type { NgramModel } from '../model/ngram-model.js';
import { NgramTrainer } from '../training/ngram-trainer.js';
import type { TrainOptions } from '../training/train-options.js';
import { logProbability } from './log-probability.js';

type Weighed = readonly (readonly [value: string, weight: number])[];

function learned(values: Weighed, options: Partial<TrainOptions> = {}): NgramModel {
  const trainer = new NgramTrainer({ order: 3, name: 'n', locale: 'xx', originals: 'values', ...options });
  for (const [value, weight] of values) trainer.add(value, weight);
  return readModel(trainer.finish());
}

const sumOf = (model: NgramModel, values: readonly string[]): number =>
  values.reduce((sum, value) => sum + Math.exp(logProbability(model, value)), 0);

describe('logProbability', () => {
  test('is the sum over all choices, including the end of the word', () => {
    const model = learned([
      ['ab', 6],
      ['abc', 2],
    ]);
    expect(Math.exp(logProbability(model, 'ab'))).toBeCloseTo(0.75, 12);
    expect(Math.exp(logProbability(model, 'abc'))).toBeCloseTo(0.25, 12);
  });

  test.each(['', 'a', 'abcd', 'x', 'ba'])(
    'is -Infinity for "%s", which the model never generates',
    (value) => {
      expect(logProbability(learned([['abc', 1]]), value)).toBe(-Infinity);
    },
  );

  test.each([2, 3, 4])(
    'leaves novel_mass for all other words if the training values are subtracted, at order %i',
    (order) => {
      const values: Weighed = [
        ['Anna', 5],
        ['Hanna', 3],
        ['Johanna', 2],
        ['Joanna', 2],
        ['Zoë', 1],
        ['😀 Ann', 1],
      ];
      const model = learned(values, { order });
      const known = sumOf(
        model,
        values.map(([value]) => value),
      );
      expect(1 - known).toBeCloseTo(model.novelMass ?? NaN, 5);
    },
  );

  test('gives probabilities that add up to one over all possible words', () => {
    const model = learned(
      [
        ['xyz', 1],
        ['wyv', 3],
      ],
      { order: 2 },
    );
    expect(sumOf(model, ['xyz', 'xyv', 'wyz', 'wyv'])).toBeCloseTo(1, 12);
  });

  test('covers the whole value for a model over words', () => {
    const model = learned(
      [
        ['one two three', 1],
        ['four two five', 1],
      ],
      { tokenType: 'word', order: 2 },
    );
    expect(Math.exp(logProbability(model, 'one  two five'))).toBeCloseTo(0.25, 12);
    expect(logProbability(model, 'one five')).toBe(-Infinity);
  });

  test('compares values in their learned form: folded and composed', () => {
    const model = learned([['zoë', 1]], { caseFolding: 'lower' });
    expect(logProbability(model, 'ZOE\u0308')).toBeCloseTo(0, 12);
  });
});
