import { ByteSink } from '@understudy/bytes';
import fc from 'fast-check';
import { compileWord } from '../../src/sampling/compile-word.js';
import { type NgramModel } from '../../src/model/ngram-model.js';
import { NgramTrainer } from '../../src/training/ngram-trainer.js';
import { readModel } from '../../src/file/read-model.js';
import { type TrainOptions } from '../../src/training/train-options.js';
import { UnsatisfiableError } from '../../src/errors.js';
import { type WordPlan } from '../../src/sampling/word-plan.js';
import { RandomStream, rootKey } from '@understudy/random';
import { meets, wordsUpTo } from './word-language.js';

const letter = fc.constantFrom('a', 'b', 'é', '\u{1f600}');
const text = (maxLength: number) => fc.string({ unit: letter, minLength: 0, maxLength });
const training = fc.record({
  order: fc.integer({ min: 2, max: 5 }),
  values: fc.array(fc.tuple(text(5), fc.integer({ min: 1, max: 20 })), { minLength: 1, maxLength: 8 }),
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

function train(
  order: number,
  values: readonly (readonly [string, number])[],
  options: Partial<TrainOptions> = { originals: 'none' },
): NgramModel | undefined {
  const trainer = new NgramTrainer({ order, name: 'n', locale: 'l', ...options });
  for (const [value, weight] of values) trainer.add(value, weight);
  return trainer.report().distinctValues === 0 ? undefined : readModel(trainer.finish());
}

function written(plan: WordPlan, index: number): string | undefined {
  const out = new ByteSink(1);
  return plan.write?.(random.seek(key, index), out) === true ? Buffer.from(out.take()).toString() : undefined;
}

/**
 * Tests the laws of plans for words and phrases under constraints.
 * @param numRuns the number of models for each law
 */
export function constraintLaws(numRuns: number): void {
  describe('for any small model and constraints', () => {
    test('a plan exists exactly if a word does, and gives only legal words', () => {
      fc.assert(
        fc.property(training, constraintsUpTo(6), ({ order, values }, constraints) => {
          const model = train(order, values);
          if (model === undefined) return;
          const legal = new Set([...wordsUpTo(model, 6).keys()].filter((word) => meets(word, constraints)));
          if (legal.size === 0) {
            expect(() => compileWord(model, constraints)).toThrow(UnsatisfiableError);
            return;
          }
          const plan = compileWord(model, constraints);
          const words = Array.from({ length: 20 }, (_, i) => plan.sample(random.seek(key, i)));
          expect(words.filter((word) => !legal.has(word))).toEqual([]);
          expect(Array.from({ length: 20 }, (_, i) => written(plan, i))).toEqual(words);
        }),
        { seed: 3, numRuns },
      );
    });

    test('without max_length, all words are legal, and a refusal means that no short word is legal', () => {
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
            expect([...wordsUpTo(model, 6).keys()].filter((word) => meets(word, constraints))).toEqual([]);
          }
        }),
        { seed: 4, numRuns },
      );
    });

    test.each(['fingerprints', 'values'] as const)(
      'a training value is a word of its model, and can be excluded: %s',
      (originals) => {
        fc.assert(
          fc.property(training, open, ({ order, values }, constraints) => {
            const model = train(order, values, { originals });
            if (model === undefined) return;
            const known = values.map(([value]) => value).filter((value) => value !== '');
            const language = wordsUpTo(model, 5);
            for (const value of known) expect(language.get(value)).toBeGreaterThan(0);
            try {
              const plan = compileWord(model, { ...constraints, excludeOriginals: true });
              const words = Array.from({ length: 30 }, (_, i) => plan.sample(random.seek(key, i)));
              expect(words.filter((word) => known.includes(word) || !meets(word, constraints))).toEqual([]);
            } catch (error) {
              if (!(error instanceof UnsatisfiableError)) throw error;
              const left = [...language.keys()].filter(
                (word) => !known.includes(word) && meets(word, constraints),
              );
              // With fingerprints, a plan may be refused although a few very improbable words are left.
              if (originals === 'values') expect(left).toEqual([]);
            }
          }),
          { seed: 5, numRuns },
        );
      },
    );

    test.each(['char', 'word'] as const)(
      'the order of training does not affect the bytes: %s',
      (tokenType) => {
        const phrases = fc.array(
          fc.tuple(fc.array(text(2), { maxLength: 4 }), fc.integer({ min: 1, max: 9 })),
          {
            maxLength: 8,
          },
        );
        fc.assert(
          fc.property(
            fc.integer({ min: 2, max: 5 }),
            phrases,
            fc.integer({ min: 1, max: 3 }),
            fc.constantFrom('fingerprints' as const, 'values' as const),
            (order, values, minValues, originals) => {
              const bytes = (list: typeof values) => {
                const trainer = new NgramTrainer({
                  order,
                  minValues,
                  originals,
                  tokenType,
                  name: 'n',
                  locale: 'l',
                });
                for (const [words, weight] of list) trainer.add(words.join(' '), weight);
                for (const [words] of list) {
                  trainer.addText(`${words.join(' ')}. ${words.join('-')}!`);
                  trainer.endText();
                }
                try {
                  return trainer.finish();
                } catch (error) {
                  return String(error);
                }
              };
              expect(bytes([...values].reverse())).toEqual(bytes(values));
            },
          ),
          { seed: 6, numRuns },
        );
      },
    );
  });

  describe('for any small model over words', () => {
    const word = fc.constantFrom('a', 'ab', 'ba', 'é', '\u{1f600}');
    const phrase = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
    const piece = fc.string({ unit: fc.constantFrom('a', 'b', 'é', ' '), maxLength: 3 });
    const bounded = fc.record(
      {
        startsWith: piece,
        endsWith: piece,
        contains: piece,
        minLength: fc.integer({ min: 0, max: 9 }),
        maxLength: fc.integer({ min: 0, max: 9 }),
      },
      { requiredKeys: ['maxLength'] },
    );

    test('a plan exists exactly if a phrase does, and gives only legal phrases', () => {
      fc.assert(
        fc.property(
          fc.integer({ min: 2, max: 4 }),
          fc.array(fc.tuple(phrase, fc.integer({ min: 1, max: 9 })), { minLength: 1, maxLength: 6 }),
          bounded,
          fc.boolean(),
          (order, values, constraints, excludeOriginals) => {
            const model = train(order, values, { tokenType: 'word', originals: 'values' });
            if (model === undefined) return;
            const known = new Set(excludeOriginals ? values.map(([value]) => value) : []);
            const legal = new Set(
              [...wordsUpTo(model, 9).keys()].filter((text) => meets(text, constraints) && !known.has(text)),
            );
            const wanted = { ...constraints, excludeOriginals };
            if (legal.size === 0) {
              expect(() => compileWord(model, wanted)).toThrow(UnsatisfiableError);
              return;
            }
            const plan = compileWord(model, wanted);
            const texts = Array.from({ length: 20 }, (_, i) => plan.sample(random.seek(key, i)));
            expect(texts.filter((text) => !legal.has(text))).toEqual([]);
          },
        ),
        { seed: 7, numRuns },
      );
    });
  });
}
