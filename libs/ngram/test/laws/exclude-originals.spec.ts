import {
  compileWord,
  NgramTrainer,
  readModel,
  type TrainOptions,
  UnsatisfiableError,
} from '@understudy/ngram';
import { RandomStream, rootKey } from '@understudy/random';

const SAMPLES = 1_000_000;
const random = new RandomStream();

/** Two thousand made-up names, short enough that the model of them mostly makes them again. */
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

  test('gives no training value in a million samples', () => {
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

  test('counts a prefix that is a training value itself as one', () => {
    const trainer = new NgramTrainer({ order: 2, name: 'n', locale: 'l', originals });
    for (const value of ['ann', 'anna', 'hanna', 'annika', 'hank']) trainer.add(value);
    const plan = compileWord(readModel(trainer.finish()), { startsWith: 'ann', excludeOriginals: true });
    const key = rootKey('prefix', 1);
    const words = new Set(Array.from({ length: 500 }, (_, i) => plan.sample(random.seek(key, i))));
    expect([...words].filter((word) => ['ann', 'anna', 'annika'].includes(word))).toEqual([]);
    expect(words.size).toBeGreaterThan(0);
  });

  test('is unsatisfiable where nothing new is left', () => {
    const trainer = new NgramTrainer({ order: 8, name: 'n', locale: 'l', originals });
    for (const value of ['abc', 'xyz']) trainer.add(value);
    const model = readModel(trainer.finish());
    expect(() => compileWord(model, { excludeOriginals: true })).toThrow(UnsatisfiableError);
    expect(() => compileWord(model, { excludeOriginals: true, maxLength: 3 })).toThrow(UnsatisfiableError);
  });
});

test('values beyond the budget of a plan are excluded by drawing again', () => {
  const trainer = new NgramTrainer({ order: 4, name: 'n', locale: 'l', originals: 'values' });
  const values = names();
  for (const value of values) trainer.add(value);
  const plan = compileWord(readModel(trainer.finish()), { excludeOriginals: true }, { maxPlanEdges: 100 });
  const key = rootKey('budget', 1);
  const words = Array.from({ length: 20_000 }, (_, i) => plan.sample(random.seek(key, i)));
  expect(words.filter((word) => values.includes(word))).toEqual([]);
});
