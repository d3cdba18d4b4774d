import { builtinLibrary } from '@understudy/builtin-models/node';
import { NgramTrainer, nextSymbols, readModel } from '@understudy/ngram';

import { readDistribution, type Distribution, type Shares } from './read-distribution.js';

const library = builtinLibrary();
const read = (model: string, prefix: string): Distribution => readDistribution({ model, prefix }, library);
const sumOf = ({ shown, restProbability }: Shares): number =>
  shown.reduce((sum, { probability }) => sum + probability, restProbability);

describe('readDistribution', () => {
  it.each(['', 'Mar', 'Mary'])(
    'has probabilities that add up to 1 after the prefix %j of a model',
    (prefix) => {
      const found = read('en_US/first_names', prefix);
      if (found.of !== 'symbols') throw new Error(`expected symbols, received ${found.of}`);
      expect(found).toMatchObject({ prefix, isWhole: true });
      expect(sumOf(found)).toBeCloseTo(1, 9);
      expect(found.shown.length).toBeLessThanOrEqual(21);
    },
  );

  it('has the probabilities of an uploaded model', () => {
    const trainer = new NgramTrainer({ order: 3, name: 'ours', locale: 'de_DE', originals: 'none' });
    for (const name of ['Anna', 'Anton', 'Berta']) trainer.add(name);
    const model = readModel(trainer.finish());
    const { symbols, prefix, isWhole } = nextSymbols(model, 'An');
    expect(readDistribution({ model: 'custom/ours', prefix: 'An' }, library, model)).toMatchObject({
      ...{ of: 'symbols', prefix, isWhole, restCount: 0, shown: symbols },
    });
  });

  it('sums up the symbols after the first 20, and has an entry for the end of a value', () => {
    const found = read('en_US/words', '');
    if (found.of !== 'symbols') throw new Error(`expected symbols, received ${found.of}`);
    expect(found.restCount).toBeGreaterThan(0);
    const after = read('en_US/first_names', 'Mary');
    expect(after).toMatchObject({
      shown: expect.arrayContaining([expect.objectContaining({ text: undefined })]),
    });
  });

  it('reports the longest beginning that a model generates', () => {
    expect(read('en_US/first_names', 'Maqqq')).toMatchObject({ isWhole: false });
  });

  it('shows the values of a list that begin with the prefix, in any case', () => {
    const [list] = library.files.all().filter(({ kind, locale }) => kind === 'list' && locale === 'en_US');
    const all = read(list?.id ?? '', '');
    if (all.of !== 'values') throw new Error(`expected values, received ${all.of}`);
    expect(all.share).toBeCloseTo(1, 9);
    expect(sumOf(all)).toBeCloseTo(1, 9);
    const value = all.shown[0]?.text ?? '';
    const found = read(list?.id ?? '', value.toUpperCase());
    expect(found).toMatchObject({ of: 'values', shown: [{ text: value }] });
    expect(read(list?.id ?? '', 'no value begins like this')).toMatchObject({ share: 0, shown: [] });
  });

  it('shows the templates and steps of a composition, and nothing for a model that it does not know', () => {
    const parts = read('en_US/full_names', '');
    expect(parts).toMatchObject({
      of: 'parts',
      shown: [
        { text: '{{first}} {{last}}', probability: 0.9 },
        { text: '{{first}} {{middle}}. {{last}}', probability: 0.1 },
      ],
    });
    expect(parts.of === 'parts' && parts.steps.map(({ name, source }) => [name, source])).toEqual([
      ['first', 'en_US/first_names'],
      ['middle', undefined],
      ['last', 'en_US/last_names'],
    ]);
    expect(read('custom/ours', '')).toEqual({ kind: 'distribution', of: 'nothing' });
  });
});
