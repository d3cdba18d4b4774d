import { RandomStream, rootKey } from '@understudy/random';
import { readModel } from '../file/read-model.js';
import type { NgramModel } from '../model/ngram-model.js';
import { compileWord } from '../sampling/compile-word.js';
import { NgramTrainer } from '../training/ngram-trainer.js';
import type { TrainOptions } from '../training/train-options.js';
import { describeModel } from './describe-model.js';
import { describePlan } from './describe-plan.js';

function model(values: readonly string[], options: Partial<TrainOptions> = {}): NgramModel {
  const trainer = new NgramTrainer({ order: 8, name: 'n', locale: 'l', originals: 'none', ...options });
  for (const value of values) trainer.add(value);
  return readModel(trainer.finish());
}

const letters = (count: number) =>
  Array.from({ length: count }, (_, i) => `${i % 10}${Math.floor(i / 10) % 10}${Math.floor(i / 100)}`);

describe('describePlan', () => {
  test('counts equally likely words', () => {
    const description = describePlan(compileWord(model(letters(400)), {}));
    expect(description.effectiveValues).toBeCloseTo(400, 6);
    // There are 400 equally likely words. Once 360 of them are drawn, nine of ten further draws repeat one.
    expect(description.distinctCapacity).toBeGreaterThan(355);
    expect(description.distinctCapacity).toBeLessThanOrEqual(361);
  });

  test('counts one word if the plan has only one', () => {
    expect(describePlan(compileWord(model(['abc']), {}))).toEqual({
      effectiveValues: 1,
      distinctCapacity: 1,
    });
  });

  test('counts the words that meet the constraints, whether or not the plan retries draws', () => {
    const words = letters(400);
    const ending = describePlan(compileWord(model(words), { endsWith: '1' }));
    expect(ending.effectiveValues).toBeCloseTo(100, 6);
    const long = [...words, ...words.map((word) => `${word}abcdefghijklmnopq`)];
    const drawnAgain = compileWord(model(long), { maxLength: 17 });
    expect(describePlan(drawnAgain).effectiveValues).toBeCloseTo(400, 0);
  });

  test('agrees with real draws: nine of ten repeat once the capacity is reached', () => {
    const names = Array.from(
      { length: 300 },
      (_, i) => `${'abcdefghijkl'[i % 12]}${'aeiou'[i % 5]}${'mnrst'[i % 7] ?? ''}a`,
    );
    const plan = compileWord(model(names, { order: 2 }), {});
    const { distinctCapacity } = describePlan(plan);
    const random = new RandomStream();
    const seen = new Set<string>();
    let draws = 0;
    for (; seen.size < distinctCapacity; draws += 1)
      seen.add(plan.sample(random.seek(rootKey('draws', 1), draws)));
    let repeats = 0;
    for (let i = 0; i < 5000; i += 1) {
      if (seen.has(plan.sample(random.seek(rootKey('more', 1), i)))) repeats += 1;
    }
    expect(repeats / 5000).toBeGreaterThan(0.85);
    expect(repeats / 5000).toBeLessThan(0.95);
  });
});

describe('describeModel', () => {
  test('includes the facts that the file records', () => {
    const described = model(['ab', 'ab', 'cdef'], { originals: 'values' });
    expect(describeModel(described)).toMatchObject({
      novelMass: 0,
      effectiveValues: expect.closeTo(1.89, 1) as number,
    });
    expect(describeModel(described).meanLength).toBeCloseTo(8 / 3, 9);
    expect(describeModel(described)).toBe(describeModel(described));
  });
});
