import {
  compileWord,
  type NgramModel,
  NgramTrainer,
  readModel,
  type WordConstraints,
} from '@understudy/ngram';
import { RandomStream, rootKey } from '@understudy/random';
import { meets, wordsUpTo } from './word-language.js';

const VALUES: readonly (readonly [string, number])[] = [
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
const COUNT = 40_000;

function model(order: number): NgramModel {
  const trainer = new NgramTrainer({ order, name: 'test', locale: 'xx_XX' });
  for (const [value, weight] of VALUES) trainer.add(value, weight);
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

/** Draws free words until `count` of them are legal: slow, and right beyond doubt. */
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

/** Chi-square statistic in standard deviations from its mean; words expected fewer than 8 times share one cell. */
function chiSquare(
  cells: readonly (readonly [number, number])[],
  variance: (expected: number) => number,
): number {
  let [restSeen, restExpected, sum, degrees] = [0, 0, 0, -1];
  const add = (seen: number, expected: number) => {
    sum += (seen - expected) ** 2 / variance(expected);
    degrees += 1;
  };
  for (const [seen, expected] of cells) {
    if (expected >= 8) {
      add(seen, expected);
    } else {
      restSeen += seen;
      restExpected += expected;
    }
  }
  if (restExpected >= 8) add(restSeen, restExpected);
  return degrees <= 0 ? 0 : (sum - degrees) / Math.sqrt(2 * degrees);
}

const CASES: readonly (readonly [string, WordConstraints])[] = [
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

describe.each([2, 3, 4])('sampling at order %i', (order) => {
  const of = model(order);
  const language = wordsUpTo(of, order === 2 ? 9 : 13);

  test.each(CASES)('under %s follows the model conditioned on the constraint', (label, constraints) => {
    const legal = [...language].filter(([word]) => meets(word, constraints));
    const mass = legal.reduce((sum, [, probability]) => sum + probability, 0);
    if (mass === 0) {
      expect(() => compileWord(of, constraints)).toThrow();
      return;
    }
    const counts = sampleCounts(of, constraints, COUNT, label);
    expect([...counts.keys()].filter((word) => !meets(word, constraints))).toEqual([]);

    // What is longer than the enumeration reaches is left out of the comparison, on both sides alike.
    const seen = legal.reduce((sum, [word]) => sum + (counts.get(word) ?? 0), 0);
    expect(seen).toBeGreaterThan(0);
    const exact = legal.map(
      ([word, probability]) => [counts.get(word) ?? 0, (probability / mass) * seen] as const,
    );
    expect(chiSquare(exact, (expected) => expected)).toBeLessThan(5);
  });

  test.each(CASES)('under %s agrees with rejection', (label, constraints) => {
    const freeShare = [...rejectionCounts(of, () => true, 2000)].filter(([word]) =>
      meets(word, constraints),
    ).length;
    if (freeShare === 0) return; // rejection would not come to an end; the exact law above covers it
    const kept = 2000;
    const ours = sampleCounts(of, constraints, kept, label);
    const theirs = rejectionCounts(of, (word) => meets(word, constraints), kept);
    const words = [...new Set([...ours.keys(), ...theirs.keys()])];
    const cells = words.map((word) => {
      const [mine, other] = [ours.get(word) ?? 0, theirs.get(word) ?? 0];
      return [mine, (mine + other) / 2] as const;
    });
    // Of m + n seen in both, m varies around half with variance (m + n) / 4 = expected / 2.
    expect(chiSquare(cells, (expected) => expected / 2)).toBeLessThan(5);
  });

  test('exclude_originals leaves the other words their proportions', () => {
    const originals = new Set(VALUES.map(([value]) => value));
    const constraints = { maxLength: 8, excludeOriginals: true };
    const legal = [...wordsUpTo(of, 8)].filter(([word]) => !originals.has(word));
    const mass = legal.reduce((sum, [, probability]) => sum + probability, 0);
    const counts = sampleCounts(of, constraints, COUNT, 'originals');
    const cells = legal.map(
      ([word, probability]) => [counts.get(word) ?? 0, (probability / mass) * COUNT] as const,
    );
    expect(chiSquare(cells, (expected) => expected)).toBeLessThan(5);
    expect([...counts.keys()].filter((word) => originals.has(word))).toEqual([]);
  });
});
