import { logProbability, type NgramModel, NgramTrainer, readModel } from '@understudy/ngram';

import { SECRET_BITS, SecretRanking } from './secret-ranking.js';

function learned(values: Readonly<Record<string, number>>): NgramModel {
  const trainer = new NgramTrainer({ order: 3, name: 'n', locale: 'xx' });
  for (const [value, rows] of Object.entries(values)) trainer.add(value, rows);
  return readModel(trainer.finish());
}

describe('SecretRanking', () => {
  const model = learned({ Abcdefgh: 8, Abcdefgz: 4, 'Zyxwvuts Emma': 2, Zyxwvutq: 1, Emma: 5 });
  const ranking = new SecretRanking(model);

  test('computes the probability of a value that is a secret', () => {
    expect(ranking.probabilityOf('Abcdefgh')).toBeCloseTo(Math.exp(logProbability(model, 'Abcdefgh')), 12);
    expect(ranking.probabilityOf('Abcdefgq')).toBe(0);
    expect(ranking.probabilityOf('Ébcdefgh')).toBe(0);
  });

  test('counts a value that begins with a secret and a space', () => {
    expect(ranking.probabilityOf('Zyxwvuts')).toBeCloseTo((3 / 20) * (2 / 3), 12);
  });

  test('gives all bits to the most likely secret, and one bit less for each doubling of the rank', () => {
    expect(ranking.exposureOf('Abcdefgh')).toBeCloseTo(SECRET_BITS, 9);
    expect(ranking.exposureOf('Abcdefgz')).toBeCloseTo(SECRET_BITS - 1, 9);
    expect(ranking.exposureOf('Zyxwvuts')).toBeCloseTo(SECRET_BITS - Math.log2(3), 9);
    expect(ranking.exposureOf('Zyxwvutq')).toBeCloseTo(SECRET_BITS - 2, 9);
  });

  test('gives the bits of a guess to secrets that the model never generates', () => {
    expect(ranking.exposureOf('Qqqqqqqq')).toBe(1);
  });

  test('gives ties the mean of their ranks', () => {
    const tied = new SecretRanking(learned({ Abcdefgh: 1, Zyxwvuts: 1 }));
    expect(tied.exposureOf('Abcdefgh')).toBeCloseTo(SECRET_BITS - Math.log2(1.5), 9);
  });
});
