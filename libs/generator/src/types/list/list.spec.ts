import { svc, records, values, problems, type Json } from '../../../test/schema-harness.js';
import { GenerationError } from '../../index.js';

describe('list', () => {
  it('unwraps weighted values, returns other objects whole, and never picks weight 0', () => {
    const made = values(
      {
        type: 'list',
        values: ['a', { value: 'b', weight: 3 }, { value: 'no', weight: 0 }, { value: 1, label: 'x' }],
      },
      5000,
    );
    const share = (wanted: unknown): number =>
      made.filter((value) => JSON.stringify(value) === JSON.stringify(wanted)).length / 5000;
    expect(Math.abs(share('a') - 0.2)).toBeLessThan(0.03);
    expect(Math.abs(share('b') - 0.6)).toBeLessThan(0.035);
    expect(Math.abs(share({ value: 1, label: 'x' }) - 0.2)).toBeLessThan(0.03);
    expect(share('no')).toBe(0);
  });

  it('filters by where, which reads the element and other generators', () => {
    expect(new Set(values({ type: 'list', values: [1, 2, 3, 4], where: 'item % 2 == 0' }, 50))).toEqual(
      new Set([2, 4]),
    );
    const cities = [
      { c: 'nl', n: 'Delft' },
      { c: 'fr', n: 'Lyon' },
    ];
    const made = records(
      {
        country: { type: 'list', values: ['nl', 'fr'] },
        it: { type: 'list', values: cities, where: 'item.c == country' },
      },
      ['country', 'it'],
      40,
    );
    expect(made.every(({ country, it }) => (it as Json)['c'] === country)).toBe(true);
  });

  it('renders only the value that it picks', () => {
    const generators = { n: svc('sequence'), it: { type: 'list', values: ['n{{n}}', '{{n}}', '\\{{n}}'] } };
    const made = records(generators, ['it'], 30).map((record) => record['it']);
    made.forEach((value, i) => expect([`n${i + 1}`, i + 1, '{{n}}']).toContain(value));
    expect(new Set(made.map((value) => typeof value))).toEqual(new Set(['string', 'number']));
  });

  it.each<[Json, string, string]>([
    [{}, 'values', 'must be an array'],
    [{ values: [] }, 'values', 'must not be empty'],
    [{ values: [{ value: 1, weight: 0 }] }, 'values', 'all weights are 0'],
    [{ values: [{ value: 1, weight: -1 }] }, 'values[0].weight', 'at least 0'],
    [{ values: [1], where: 'item > 5' }, 'values', 'no element matches where'],
    [{ values: [1], where: 'itme > 5' }, 'where', 'did you mean "item"?'],
    [{ source: 'cities' }, 'source', 'no list asset of this name: cities'],
    [{ values: [1], sorce: 1 }, 'sorce', 'did you mean "source"?'],
  ])('refuses %j', (definition, path, message) => {
    expect(problems({ type: 'list', ...definition })).toContainEqual({
      path: `generators.it.${path}`,
      message: expect.stringContaining(message) as string,
    });
  });

  it('fails on the row on which nothing matches', () => {
    const generators = { n: svc('sequence'), it: { type: 'list', values: [1, 2], where: 'item >= n' } };
    expect(() => records(generators, ['it'], 3)).toThrow(
      new GenerationError(
        'generators.it.values',
        'no element matches where; widen the condition, or add elements',
      ),
    );
  });
});
