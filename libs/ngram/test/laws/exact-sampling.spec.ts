import { compileWord } from '../../src/sampling/compile-word.js';
import { type NgramModel } from '../../src/model/ngram-model.js';
import { NgramTrainer } from '../../src/training/ngram-trainer.js';
import { readModel } from '../../src/file/read-model.js';
import { type TrainOptions } from '../../src/training/train-options.js';
import { type WordConstraints } from '../../src/sampling/constraints/word-constraints.js';
import { RandomStream, rootKey } from '@understudy/random';
import { chiSquare } from './chi-square.js';
import { meets, wordsUpTo } from './word-language.js';

const COUNT = 15_000;
const NAMES: readonly (readonly [string, number])[] = [
  ['anna', 9],
  ['hannah', 4],
  ['hanna', 2],
  ['ana', 7],
  ['joan', 3],
  ['jana', 5],
  ['nora', 6],
  ['dora', 1],
  ['norah', 2],
];
const TITLES: readonly (readonly [string, number])[] = [
  ['senior data engineer', 9],
  ['data engineer', 7],
  ['senior engineer', 5],
  ['data scientist', 4],
  ['lead data scientist', 2],
  ['senior lead engineer', 3],
  ['lead engineer ii', 1],
  ['data scientist ii', 2],
  ['engineer', 6],
];

type Case = readonly [string, WordConstraints];
const NAME_CASES: readonly Case[] = [
  ['nothing', {}],
  ['starts_with', { startsWith: 'ha' }],
  ['ends_with', { endsWith: 'na' }],
  ['contains', { contains: 'nn' }],
  ['min_length', { minLength: 6 }],
  ['max_length, a layer a position', { maxLength: 4 }],
  ['max_length, by drawing again', { maxLength: 30 }],
  ['both lengths', { minLength: 4, maxLength: 7 }],
  ['an ending that overlaps itself', { endsWith: 'ana' }],
  ['starts_with + ends_with', { startsWith: 'j', endsWith: 'a' }],
  ['contains + ends_with', { contains: 'an', endsWith: 'ah' }],
  ['contains + min_length', { contains: 'or', minLength: 6 }],
  ['all of them', { startsWith: 'h', contains: 'nn', endsWith: 'a', minLength: 5, maxLength: 9 }],
  ['all of them, without a maximum', { startsWith: 'h', contains: 'an', endsWith: 'a', minLength: 5 }],
];
const TITLE_CASES: readonly Case[] = [
  ['nothing', {}],
  ['starts_with inside a word', { startsWith: 'sen' }],
  ['starts_with of a whole word', { startsWith: 'senior ' }],
  ['starts_with over a space', { startsWith: 'senior d' }],
  ['ends_with', { endsWith: 'ist' }],
  ['ends_with over a space', { endsWith: 'r ii' }],
  ['contains over a space', { contains: 'ad e' }],
  ['max_length', { maxLength: 8 }],
  ['min_length', { minLength: 30 }],
  ['both lengths', { minLength: 16, maxLength: 19 }],
  ['contains + max_length', { contains: 'lead', maxLength: 15 }],
  ['all of them', { startsWith: 's', contains: 'or l', endsWith: 'eer', minLength: 15, maxLength: 34 }],
  ['all of them, without a maximum', { startsWith: 'se', contains: 'a s', endsWith: 'ii', minLength: 20 }],
];

function train(values: readonly (readonly [string, number])[], options: Partial<TrainOptions>): NgramModel {
  const trainer = new NgramTrainer({ order: 3, name: 'test', locale: 'xx_XX', ...options });
  for (const [value, weight] of values) trainer.add(value, weight);
  return readModel(trainer.finish());
}

function sampleCounts(
  of: NgramModel,
  constraints: WordConstraints,
  count: number,
  label: string,
): Map<string, number> {
  const plan = compileWord(of, constraints);
  const random = new RandomStream();
  const key = rootKey(label, 1);
  const counts = new Map<string, number>();
  for (let i = 0; i < count; i += 1) {
    const word = plan.sample(random.seek(key, i));
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/**
 * Draws words without constraints until `isLegal` has accepted `count` of them. Returns how often each
 * accepted word occurred. The method is slow but obviously correct.
 */
function rejectionCounts(
  of: NgramModel,
  isLegal: (word: string) => boolean,
  count: number,
): Map<string, number> {
  const plan = compileWord(of, {});
  const random = new RandomStream();
  const key = rootKey('rejection', 1);
  const counts = new Map<string, number>();
  for (let i = 0, kept = 0; kept < count; i += 1) {
    const word = plan.sample(random.seek(key, i));
    if (!isLegal(word)) continue;
    counts.set(word, (counts.get(word) ?? 0) + 1);
    kept += 1;
  }
  return counts;
}

const MODELS = [
  ...[2, 3, 4].map((order) => ({
    name: `names at order ${order}`,
    of: (options: Partial<TrainOptions> = {}) => train(NAMES, { order, ...options }),
    longest: order === 2 ? 9 : 13,
    cases: NAME_CASES,
    values: NAMES,
  })),
  ...[2, 3].map((order) => ({
    name: `titles of words at order ${order}`,
    of: (options: Partial<TrainOptions> = {}) => train(TITLES, { order, tokenType: 'word', ...options }),
    longest: 90,
    cases: TITLE_CASES,
    values: TITLES,
  })),
];

describe.each(MODELS)('sampling $name', ({ of: make, longest, cases, values }) => {
  const of = make();
  const language = wordsUpTo(of, longest);

  test.each(cases)('under %s follows the model conditioned on the constraint', (label, constraints) => {
    const legal = [...language].filter(([word]) => meets(word, constraints));
    const mass = legal.reduce((sum, [, probability]) => sum + probability, 0);
    if (mass === 0) {
      expect(() => compileWord(of, constraints)).toThrow();
      return;
    }
    const counts = sampleCounts(of, constraints, COUNT, label);
    expect([...counts.keys()].filter((word) => !meets(word, constraints))).toEqual([]);

    // Drawn words that are longer than the enumerated ones are left out of both counts.
    const seen = legal.reduce((sum, [word]) => sum + (counts.get(word) ?? 0), 0);
    expect(seen).toBeGreaterThan(0);
    const exact = legal.map(
      ([word, probability]) => [counts.get(word) ?? 0, (probability / mass) * seen] as const,
    );
    expect(chiSquare(exact)).toBeLessThan(5);
  });

  test.each(cases)('under %s agrees with rejection sampling', (label, constraints) => {
    const freeShare = [...rejectionCounts(of, () => true, 2000)].filter(([word]) =>
      meets(word, constraints),
    ).length;
    if (freeShare === 0) return; // rejection sampling would not end; the exact law above covers the case
    const kept = 2000;
    const ours = sampleCounts(of, constraints, kept, label);
    const theirs = rejectionCounts(of, (word) => meets(word, constraints), kept);
    const words = [...new Set([...ours.keys(), ...theirs.keys()])];
    const cells = words.map((word) => {
      const [mine, other] = [ours.get(word) ?? 0, theirs.get(word) ?? 0];
      return [mine, (mine + other) / 2] as const;
    });
    // If both samplers agree, each of the m + n occurrences of a word falls to either with probability 1/2.
    // Then m has the mean (m + n) / 2 and the variance (m + n) / 4 = expected / 2.
    expect(chiSquare(cells, (expected) => expected / 2)).toBeLessThan(5);
  });

  test.each(['fingerprints', 'values'] as const)(
    'exclude_originals keeps the proportions of all other words, with originals as %s',
    (originals) => {
      const known = new Set(values.map(([value]) => value));
      for (const constraints of [{ maxLength: longest }, ...cases.slice(1).map(([, wanted]) => wanted)]) {
        const legal = [...language].filter(([word]) => !known.has(word) && meets(word, constraints));
        const mass = legal.reduce((sum, [, probability]) => sum + probability, 0);
        if (mass < 0.01) continue; // the legal words are too improbable for this test
        const wanted = { ...constraints, excludeOriginals: true };
        const counts = sampleCounts(make({ originals }), wanted, 8000, 'originals');
        expect([...counts.keys()].filter((word) => known.has(word))).toEqual([]);
        const seen = legal.reduce((sum, [word]) => sum + (counts.get(word) ?? 0), 0);
        expect(seen).toBeGreaterThan(0);
        const cells = legal.map(
          ([word, probability]) => [counts.get(word) ?? 0, (probability / mass) * seen] as const,
        );
        expect(chiSquare(cells)).toBeLessThan(5);
      }
    },
  );

  test('novel_mass is the probability of a word that is not a training value', () => {
    const known = new Set(values.map(([value]) => value));
    const mass = 1 - [...language].reduce((sum, [word, p]) => sum + (known.has(word) ? p : 0), 0);
    expect(make({ originals: 'values' }).novelMass).toBeCloseTo(mass, 6);
    expect(Math.abs((make({ originals: 'fingerprints' }).novelMass ?? 0) - mass)).toBeLessThan(0.03);
    expect(make({ originals: 'none' }).novelMass).toBeNull();
  });
});
