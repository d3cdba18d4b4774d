import { compileWord } from '../../src/sampling/compile-word.js';
import { NgramTrainer } from '../../src/training/ngram-trainer.js';
import { readModel } from '../../src/file/read-model.js';
import { type TrainOptions } from '../../src/training/train-options.js';
import { UnsatisfiableError } from '../../src/errors.js';
import { RandomStream, rootKey } from '@understudy/random';
import { chiSquare } from './chi-square.js';

/** Finds a single value that is not excluded about 30 times, because the 2,000 values have a third of the mass. */
const SAMPLES = 200_000;
const random = new RandomStream();

/**
 * Returns two thousand invented names. They are so short that a model of them often generates these names
 * again.
 */
function names(): string[] {
  const onsets = ['b', 'd', 'k', 'l', 'm', 'n', 'r', 's', 't', 'v', 'ö', '\u{10400}'];
  const key = rootKey('names', 1);
  return Array.from({ length: 2000 }, (_, i) => {
    random.seek(key, i);
    return Array.from(
      { length: 2 + random.below(2) },
      () => `${onsets[random.below(onsets.length)]}${'aeiou'[random.below(5)]}`,
    ).join('');
  });
}

describe.each(['values', 'fingerprints'] as const)('exclude_originals, by %s', (originals) => {
  const values = names();
  const known = new Set(values);
  const make = (options: Partial<TrainOptions>) => {
    const trainer = new NgramTrainer({ order: 4, name: 'n', locale: 'l', originals, ...options });
    values.forEach((value, i) => trainer.add(value, 1 + (i % 7)));
    return readModel(trainer.finish());
  };

  test('gives no training value in 200,000 samples', () => {
    const model = make({});
    expect(model.novelMass).toBeLessThan(0.7);
    const key = rootKey('proof', 1);
    let given = 0;
    for (const constraints of [
      {},
      { startsWith: 'la' },
      { endsWith: 'ko', maxLength: 8 },
      { contains: 'mi' },
    ]) {
      const plan = compileWord(model, { ...constraints, excludeOriginals: true });
      for (let i = 0; i < SAMPLES / 4; i += 1) if (known.has(plan.sample(random.seek(key, i)))) given += 1;
    }
    expect(given).toBe(0);
  });

  test('excludes a prefix that is itself a training value', () => {
    const trainer = new NgramTrainer({ order: 2, name: 'n', locale: 'l', originals });
    for (const value of ['ann', 'anna', 'hanna', 'annika', 'hank']) trainer.add(value);
    const plan = compileWord(readModel(trainer.finish()), { startsWith: 'ann', excludeOriginals: true });
    const key = rootKey('prefix', 1);
    const words = new Set(Array.from({ length: 500 }, (_, i) => plan.sample(random.seek(key, i))));
    expect([...words].filter((word) => ['ann', 'anna', 'annika'].includes(word))).toEqual([]);
    expect(words.size).toBeGreaterThan(0);
  });

  test('is unsatisfiable if nothing new is left', () => {
    const trainer = new NgramTrainer({ order: 8, name: 'n', locale: 'l', originals });
    for (const value of ['abc', 'xyz']) trainer.add(value);
    const model = readModel(trainer.finish());
    expect(() => compileWord(model, { excludeOriginals: true })).toThrow(UnsatisfiableError);
    expect(() => compileWord(model, { excludeOriginals: true, maxLength: 3 })).toThrow(UnsatisfiableError);
  });
});

test('values that exceed the budget of a plan are excluded by retries', () => {
  const trainer = new NgramTrainer({ order: 4, name: 'n', locale: 'l', originals: 'values' });
  const values = names();
  for (const value of values) trainer.add(value);
  const plan = compileWord(readModel(trainer.finish()), { excludeOriginals: true }, { maxPlanEdges: 100 });
  const key = rootKey('budget', 1);
  const words = Array.from({ length: 20_000 }, (_, i) => plan.sample(random.seek(key, i)));
  expect(words.filter((word) => values.includes(word))).toEqual([]);
});

test.each([undefined, 900])(
  'fingerprints and values exclude the same words, in the plan or by retries: budget %p',
  (budget) => {
    // Nine of ten words of this model are training values.
    const lists = [
      'anna',
      'hannah',
      'hanna',
      'ana',
      'joan',
      'jana',
      'nora',
      'dora',
      'norah',
      'johanna',
      'nathan',
    ];
    const models = (['values', 'fingerprints'] as const).map((originals) => {
      const trainer = new NgramTrainer({ order: 4, name: 'n', locale: 'l', originals });
      for (const value of [...lists, ...names()]) trainer.add(value, lists.includes(value) ? 5_000 : 1);
      return readModel(trainer.finish());
    });
    const counts = models.map((model, i) => {
      expect(model.novelMass).toBeLessThan(0.3);
      // With a budget, the plan may have only a few more edges than the model to exclude the originals that
      // it finds.
      const options = budget === undefined ? {} : { maxPlanEdges: model.ngramCount + budget };
      const plan = compileWord(model, { excludeOriginals: true, startsWith: 'n' }, options);
      const drawn = new Map<string, number>();
      for (let at = 0; at < 20_000; at += 1) {
        const word = plan.sample(random.seek(rootKey('left', i), at));
        // Counts words by their first three letters, because there are too many different words.
        drawn.set(word.slice(0, 3), (drawn.get(word.slice(0, 3)) ?? 0) + 1);
      }
      return drawn;
    });
    const [byValues, byFingerprints] = counts as [Map<string, number>, Map<string, number>];
    const cells = [...new Set([...byValues.keys(), ...byFingerprints.keys()])].map((text) => {
      const [mine, other] = [byFingerprints.get(text) ?? 0, byValues.get(text) ?? 0];
      return [mine, (mine + other) / 2] as const;
    });
    expect(chiSquare(cells, (expected) => expected / 2)).toBeLessThan(5);
  },
);

test('a plan with fingerprints needs almost no retries if it finds the training values', () => {
  const trainer = new NgramTrainer({ order: 5, name: 'n', locale: 'l' });
  for (const value of names()) trainer.add(value);
  const model = readModel(trainer.finish());
  const plan = compileWord(model, { excludeOriginals: true });
  const attempts = Array.from(
    { length: 1000 },
    (_, i) => plan.measure(random.seek(rootKey('once', 1), i)).attempts,
  );
  expect(model.novelMass).toBeLessThan(0.5);
  expect(attempts.filter((of) => of !== 1)).toEqual([]);
});
