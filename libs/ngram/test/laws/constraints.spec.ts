import fc from 'fast-check';
import { compileWord, type NgramModel, NgramTrainer, readModel, UnsatisfiableError } from '@understudy/ngram';
import { RandomStream, rootKey } from '@understudy/random';
import { meets, wordsUpTo } from './word-language.js';

const letter = fc.constantFrom('a', 'b', 'é', '\u{1f600}');
const text = (maxLength: number) => fc.string({ unit: letter, minLength: 0, maxLength });
const training = fc.record({
  order: fc.integer({ min: 2, max: 5 }),
  values: fc.array(fc.tuple(text(6), fc.integer({ min: 1, max: 20 })), { minLength: 1, maxLength: 8 }),
});
const constraintsUpTo = (longest: number) =>
  fc.record(
    {
      startsWith: text(3),
      endsWith: text(3),
      contains: text(3),
      minLength: fc.integer({ min: 0, max: longest }),
      maxLength: fc.integer({ min: 0, max: longest }),
    },
    { requiredKeys: ['maxLength'] },
  );
const open = fc.record({ startsWith: text(2), endsWith: text(3), contains: text(3) }, { requiredKeys: [] });
const random = new RandomStream();
const key = rootKey('law', 1);

function train(order: number, values: readonly (readonly [string, number])[]): NgramModel | undefined {
  const trainer = new NgramTrainer({ order, name: 'n', locale: 'l' });
  for (const [value, weight] of values) trainer.add(value, weight);
  return trainer.report().distinctValues === 0 ? undefined : readModel(trainer.finish());
}

describe('for any small model and constraints', () => {
  test('a plan exists exactly when a word does, and gives legal words only', () => {
    fc.assert(
      fc.property(training, constraintsUpTo(8), ({ order, values }, constraints) => {
        const model = train(order, values);
        if (model === undefined) return;
        const legal = new Set([...wordsUpTo(model, 8).keys()].filter((word) => meets(word, constraints)));
        if (legal.size === 0) {
          expect(() => compileWord(model, constraints)).toThrow(UnsatisfiableError);
          return;
        }
        const plan = compileWord(model, constraints);
        const words = Array.from({ length: 20 }, (_, i) => plan.sample(random.seek(key, i)));
        expect(words.filter((word) => !legal.has(word))).toEqual([]);
      }),
      { seed: 3, numRuns: 700 },
    );
  });

  test('without a maximum words are legal, and unsatisfiable means that short words are not', () => {
    fc.assert(
      fc.property(training, open, ({ order, values }, constraints) => {
        const model = train(order, values);
        if (model === undefined) return;
        try {
          const plan = compileWord(model, constraints);
          for (let i = 0; i < 20; i += 1)
            expect(meets(plan.sample(random.seek(key, i)), constraints)).toBe(true);
        } catch (error) {
          if (!(error instanceof UnsatisfiableError)) throw error;
          expect([...wordsUpTo(model, 8).keys()].filter((word) => meets(word, constraints))).toEqual([]);
        }
      }),
      { seed: 4, numRuns: 500 },
    );
  });

  test('a training value is a word of its model, and excluded on request', () => {
    fc.assert(
      fc.property(training, ({ order, values }) => {
        const model = train(order, values);
        if (model === undefined) return;
        const originals = values.map(([value]) => value).filter((value) => value !== '');
        const language = wordsUpTo(model, 6);
        for (const value of originals) expect(language.get(value)).toBeGreaterThan(0);
        try {
          const plan = compileWord(model, { excludeOriginals: true });
          const words = Array.from({ length: 30 }, (_, i) => plan.sample(random.seek(key, i)));
          expect(words.filter((word) => originals.includes(word))).toEqual([]);
        } catch (error) {
          if (!(error instanceof UnsatisfiableError)) throw error;
        }
      }),
      { seed: 5, numRuns: 300 },
    );
  });

  test('the order of training does not show in the bytes', () => {
    fc.assert(
      fc.property(training, fc.integer({ min: 1, max: 3 }), ({ order, values }, minValues) => {
        const bytes = (list: typeof values) => {
          const trainer = new NgramTrainer({ order, minValues, name: 'n', locale: 'l' });
          for (const [value, weight] of list) trainer.add(value, weight);
          try {
            return trainer.finish();
          } catch (error) {
            return String(error);
          }
        };
        expect(bytes([...values].reverse())).toEqual(bytes(values));
      }),
      { seed: 6, numRuns: 300 },
    );
  });
});
