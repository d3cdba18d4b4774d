import { compileSchema } from '../../src/compile/compile-schema.js';
import { GenerationError } from '../../src/definition/errors.js';
import fc from 'fast-check';
import { ValueMeter } from '../../src/values/value-meter.js';
import { assets } from '../test-assets.js';
import { svc, type Json } from '../schema-harness.js';
import { OPTIONS } from '../test-model.js';

const PRODUCTS = assets('products') as { sku: string; price: number; shop: string }[];
const ROWS = 60;

/**
 * Returns the value of row `row` for a list of `elements` without `where`. A list with `where` must have the
 * value that this function returns for the filtered elements.
 */
function pickOf(elements: readonly unknown[], seed: number, row: number): unknown {
  const schema = { generators: { it: { type: 'list', values: elements } }, output: ['it'] };
  const [record] = compileSchema(schema, OPTIONS).records(seed, row, 1);
  return record?.['it'];
}

interface Case {
  readonly where: string;
  readonly siblings: Json;
  readonly naive: (item: (typeof PRODUCTS)[number], row: Json) => boolean;
}

// Conditions whose inputs have few or many different values (some more than the cache can hold), and inputs
// for which only some elements match.
const CASES: Case[] = [
  {
    where: 'item.shop == shop',
    siblings: { shop: { body: 'shop{{pick(0, 1, 2, 3)}}' } },
    naive: (item, { shop }) => item.shop === shop,
  },
  {
    where: 'item.price >= low && item.price <= low + span',
    siblings: { low: svc('int_between', { max: 200 }), span: svc('int_between', { min: 20, max: 90 }) },
    naive: (item, { low, span }) => item.price >= Number(low) && item.price <= Number(low) + Number(span),
  },
  {
    where: 'item.price >= float',
    siblings: { float: svc('float_between', { max: 290, precision: 9 }) },
    naive: (item, { float }) => item.price >= Number(float),
  },
  {
    where: 'first(tags) != item.shop',
    siblings: { tags: { repeat: { count: '1-2', of: { body: 'shop{{pick(0, 1)}}' } } } },
    naive: (item, { tags }) => (tags as string[])[0] !== item.shop,
  },
  {
    where: 'item.price < 100 && who != null',
    siblings: { who: { body: 'x', nullable: 0 } },
    naive: (item) => item.price < 100,
  },
];

describe('a list whose condition reads other generators', () => {
  it.each(CASES)('selects the same elements as a naive filter: $where', ({ where, siblings, naive }) => {
    const names = Object.keys(siblings);
    const schema = {
      generators: { ...siblings, it: { type: 'list', source: 'products', where } },
      output: [...names, 'it'],
    };
    const plan = compileSchema(schema, OPTIONS);
    fc.assert(
      fc.property(fc.maxSafeNat(), (seed) => {
        let row = 0;
        for (const record of plan.records(seed, 0, ROWS)) {
          const left = PRODUCTS.filter((item) => naive(item, record));
          expect(record['it']).toEqual(pickOf(left, seed, row));
          row += 1;
        }
      }),
      { numRuns: 4 },
    );
  });

  it('a row generated separately, with an empty cache, equals the row of a complete run', () => {
    const generators = {
      low: svc('int_between', { max: 299 }),
      it: { type: 'list', source: 'products', where: 'item.price >= low - 4' },
    };
    const plan = compileSchema({ generators, output: ['it'] }, OPTIONS);
    const run = [...plan.records(5, 0, 600)]; // more inputs than the cache can hold
    for (const row of [0, 1, 299, 300, 599]) expect([...plan.records(5, row, 1)]).toEqual([run[row]]);
  });

  // The 20 selections, one per shop, stay in the cache for all 400 rows. A condition that draws is evaluated
  // again for every row.
  it.each([
    ['item.shop == shop', 20],
    ['item.shop == shop && item.price >= 0 * pick(1)', 400],
  ])('inspects its elements only once for the same inputs: %s', (where, times) => {
    const values = Array.from({ length: 1000 }, (_, i) => ({ shop: i % 20, price: i }));
    const generators = {
      shop: { computed: 'n % 20' },
      n: svc('sequence'),
      it: { type: 'list', values, where },
    };
    const looks = jest.spyOn(ValueMeter.prototype, 'addCandidates');
    const made = [...compileSchema({ generators, output: ['it', 'shop'] }, OPTIONS).records(1, 0, 400)];
    expect(looks.mock.calls).toEqual(Array(times).fill([1000, 'generators.it.where']));
    looks.mockRestore();
    for (const { it: item, shop } of made) expect((item as { shop: number }).shop).toBe(shop);
  });

  it('limits the cache by the size of the selections, not by their number', () => {
    const values = Array.from({ length: 300 }, (_, i) => ({ shop: i }));
    const where = 'item.shop == shop';
    const generators = {
      n: svc('sequence'),
      shop: { computed: 'n % 300' },
      it: { type: 'list', values, where },
    };
    const looks = jest.spyOn(ValueMeter.prototype, 'addCandidates');
    Array.from(compileSchema({ generators, output: ['it'] }, OPTIONS).records(1, 0, 900));
    const counted = looks.mock.calls.length;
    looks.mockRestore();
    expect(counted).toBe(300);
  });

  it('stops if a request has inspected too many elements', () => {
    const generators = {
      it: { type: 'list', values: [1, 2, 3, 4, 5], where: 'item == pick(1, 2, 3, 4, 5)' },
    };
    const looks = jest.spyOn(ValueMeter.prototype, 'addCandidates').mockImplementation((count, path) => {
      throw new GenerationError(path, `${count} too many`, 'limit_exceeded');
    });
    const plan = compileSchema({ generators, output: ['it'] }, OPTIONS);
    expect(() => [...plan.records(1, 0, 1)]).toThrow(
      expect.objectContaining({ code: 'limit_exceeded', path: 'generators.it.where' }),
    );
    looks.mockRestore();
  });

  it('evaluates a condition that draws again for each row', () => {
    const generators = { it: { type: 'list', values: [1, 2, 3], where: 'item == pick(1, 2, 3)' } };
    const plan = compileSchema({ generators, output: ['it'] }, OPTIONS);
    const made: unknown[] = [];
    // A row has one draw, which is the same for every candidate, so exactly one candidate matches.
    for (const { it: value } of plan.records(3, 0, 60)) made.push(value);
    expect(new Set(made)).toEqual(new Set([1, 2, 3]));
    expect([...plan.records(3, 59, 1)]).toEqual([{ it: made[59] }]);
  });

  it('distinguishes inputs that look alike as JSON', () => {
    // The sequence gives 2^53 as a bigint. The other inputs are an object and texts that could have the same
    // key as this bigint.
    const big = String(2n ** 53n);
    const inputs = [{ bigint: big }, `${big}`, `\0n${big}`, `n${big}`];
    for (const input of inputs) {
      const generators = {
        id: svc('sequence', { start: 2 ** 53 - 1, step: 1 }),
        x: { let: { other: { output: input } }, computed: 'if(id == 9007199254740992, id, other)' },
        it: {
          type: 'list',
          values: ['equal', 'other'],
          where: "(item == 'equal') == (x == 9007199254740992)",
        },
      };
      const plan = compileSchema({ generators, output: ['it'] }, OPTIONS);
      const run = [...plan.records(1, 0, 4)];
      expect(run.map((record) => record['it'])).toEqual(['other', 'equal', 'other', 'other']);
    }
  });
});
