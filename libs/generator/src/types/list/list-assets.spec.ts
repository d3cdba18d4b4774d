import { failure, problems, records, svc, values, type Json } from '../../../test/schema-harness.js';

const list = (members: Json): Json => ({ type: 'list', ...members });
const country = list({ values: ['nl', 'fr'] });

describe('a list over an asset', () => {
  it('picks from an array with the same three forms of elements as values', () => {
    const made = values(list({ source: 'towns' }), 2000);
    expect(new Set(made.map((value) => JSON.stringify(value)))).toEqual(
      new Set(['"Delft"', '"Lyon"', '{"name":"Porto","country":"pt"}']),
    );
    const lyon = made.filter((value) => value === 'Lyon').length;
    expect(Math.abs(lyon / 2000 - 3 / 5)).toBeLessThan(0.04);
  });

  it('accepts { asset } as the same source, and inline for values', () => {
    const byName = values(list({ source: 'towns' }), 20);
    expect(values(list({ source: { asset: 'towns' } }), 20)).toEqual(byName);
    expect(values(list({ source: 'inline', values: [1] }), 1)).toEqual([1]);
    expect(values({ use: '@svc/core:list', params: { source: { asset: 'towns' } } }, 20)).toEqual(byName);
  });

  it('picks from the bucket of a map that a template of the row names', () => {
    expect(new Set(values(list({ source: 'towns_by_country', key: 'nl' }), 50))).toEqual(
      new Set(['Delft', 'Gouda', 'Hoorn']),
    );
    const town = list({ source: { asset: 'towns_by_country' }, key: '{{country}}' });
    for (const { country: code, town: name } of records({ country, town }, ['country', 'town'], 100)) {
      expect(code === 'nl' ? ['Delft', 'Gouda', 'Hoorn'] : ['Lyon', 'Nice']).toContain(name);
    }
  });

  it('lets the row name the asset', () => {
    const siblings = { which: list({ values: ['towns', 'numbers'] }) };
    for (const source of ['{{which}}', { asset: '{{which}}' }]) {
      const made = values(list({ source }), 40, undefined, siblings);
      expect(new Set(made.map((value) => typeof value))).toEqual(new Set(['number', 'string', 'object']));
    }
  });

  it('picks from the same bucket whether its name is constant or comes from a template', () => {
    const fixed = values(list({ source: 'towns_by_country', key: 'fr' }), 30);
    const made = values(list({ source: 'towns_by_country', key: '{{c}}' }), 30, undefined, {
      c: { body: 'fr' },
    });
    expect(made).toEqual(fixed);
  });

  it('treats braces in an asset as ordinary text', () => {
    const made = values(list({ source: 'braces' }), 200, undefined, { n: svc('sequence') });
    expect(new Set(made.map((value) => JSON.stringify(value)))).toEqual(
      new Set(['"{{n}}"', '"{{nobody}}"', '{"text":"{{"}']),
    );
  });

  it('follows its weights', () => {
    const counts = new Map<unknown, number>();
    const n = 100_000;
    for (const value of values(list({ source: 'numbers' }), n))
      counts.set(value, (counts.get(value) ?? 0) + 1);
    let chiSquare = 0;
    for (let i = 0; i < 40; i += 1) {
      const expected = (n * (i % 5)) / 80;
      if (expected === 0) expect(counts.has(i)).toBe(false);
      else chiSquare += ((counts.get(i) ?? 0) - expected) ** 2 / expected;
    }
    expect(chiSquare).toBeLessThan(61.1); // 31 degrees of freedom, 0.1 %
  });

  it.each<[Json, string, string]>([
    [{ source: 'nowhere' }, 'source', 'there is no list asset of this name: nowhere'],
    [{ source: { asset: 'nowhere' } }, 'source', 'there is no list asset of this name: nowhere'],
    [{ source: 'no\nwhere' }, 'source', 'there is no list asset of this name'],
    [{ source: '__proto__' }, 'source', 'there is no list asset of this name: __proto__'],
    [{ source: '' }, 'source', 'there is no list asset of this name'],
    [{ source: 5 }, 'source', 'must be an asset\'s name or {"asset": name}, got the number 5'],
    [{ source: {} }, 'source', 'must be an asset'],
    [{ source: { asset: 'towns', extra: 1 } }, 'source', 'must be an asset'],
    [{ source: { name: 'towns' } }, 'source', 'must be an asset'],
    [{ source: ['towns'] }, 'source', 'must be an asset'],
    [{ source: 'no_array' }, 'source', 'must be an array, got a string of 5 characters'],
    [{ source: 'empty' }, 'source', 'must not be empty'],
    [{ source: 'towns', key: 'nl' }, 'key', 'the asset is an array and has no buckets'],
    [{ source: 'towns_by_country' }, 'key', 'is required: the asset is a map of arrays'],
    [
      { source: 'towns_by_country', key: 'de' },
      'key',
      'the asset has no bucket of this name; its keys are nl, ',
    ],
    [{ source: 'towns_by_country', key: 'constructor' }, 'key', 'the asset has no bucket of this name'],
    [{ source: 'towns_by_country', key: '__proto__' }, 'key', 'the asset has no bucket of this name'],
    [{ source: 'towns_by_country', key: '__none__' }, 'key', 'must not be empty'],
    [{ source: 'towns_by_country', key: 5 }, 'key', 'must be a string'],
    [{ values: [1], key: 'nl' }, 'key', 'needs a source that is a map of arrays'],
    [{ source: 'products', where: 'item.price > 1000' }, 'source', 'no element matches where'],
    [{ source: 'numbers', where: 'item.weight == 0' }, 'source', 'all matching weights are 0'],
  ])('[2.9.3/5] refuses %j before the first row', (members, path, message) => {
    expect(problems(list(members))).toEqual([
      { path: `generators.it.${path}`, message: expect.stringContaining(message) as string },
    ]);
  });

  it.each<[Json, Json, string, string]>([
    [
      { source: '{{a}}' },
      { a: { body: 'nowhere' } },
      'source',
      'there is no list asset of this name: nowhere',
    ],
    [{ source: '{{a}}' }, { a: { computed: '5' } }, 'source', 'must be an asset'],
    [{ source: 'towns_by_country', key: '{{a}}' }, { a: { body: 'de' } }, 'key', 'no bucket of this name'],
    [
      { source: 'towns_by_country', key: '{{a}}' },
      { a: { body: 'toString' } },
      'key',
      'no bucket of this name',
    ],
    [{ source: 'towns_by_country', key: '{{a}}' }, { a: { computed: '5' } }, 'key', 'must be a string'],
    [{ source: 'towns', key: '{{a}}' }, { a: { body: 'nl' } }, 'key', 'has no buckets'],
    [
      { source: 'products', where: 'item.shop == a' },
      { a: { body: 'shop9' } },
      'source',
      'no element matches',
    ],
    [{ source: 'numbers', where: 'item.weight == a' }, { a: { computed: '0' } }, 'source', 'weights are 0'],
  ])('fails on the row for %j', (members, siblings, path, message) => {
    expect(failure(list(members), 1, undefined, siblings)).toMatchObject({
      path: `generators.it.${path}`,
      reason: expect.stringContaining(message) as string,
      code: 'generation_failed',
    });
  });

  it('loads only the assets that rows name', () => {
    const asked: string[] = [];
    const options = {
      models: () => undefined,
      nowMs: 0,
      assets: (name: string): unknown => {
        asked.push(name);
        return name === 'b' ? [1] : undefined;
      },
    };
    expect(values(list({ source: '{{a}}' }), 3, options, { a: { body: 'b' } })).toEqual([1, 1, 1]);
    expect(asked).toEqual(['b']);
  });
});
