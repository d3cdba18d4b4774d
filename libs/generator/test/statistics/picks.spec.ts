import { chiSquarePValue, expectPlausible } from '../../../random/test/statistics/p-values.js';
import { svc, type Json } from '../schema-harness.js';
import { countsOf, eachRecord, N } from './sample.js';

const shares = (weights: readonly number[]): number[] => {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
};
const even = (count: number): number[] => new Array<number>(count).fill(1 / count);
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

const WEIGHTS: [string, number[]][] = [
  ['whole', [1, 2, 7]],
  ['fractions', [0.1, 0.25, 0.3, 1e-2]],
  ['all the same', [5, 5, 5, 5, 5]],
  ['three hundred', range(1, 300).map((i) => 1 + (i % 17))],
];

describe('weights are followed', () => {
  it.each(WEIGHTS)('[2.9.3/2] by a list: %s', (_, weights) => {
    const elements = weights.flatMap((weight, value) => [
      { value, weight },
      { value: 'never', weight: 0 },
    ]);
    const counts = countsOf({ type: 'list', values: elements }, range(0, weights.length - 1));
    expectPlausible(chiSquarePValue(counts, shares(weights)));
  });

  it('by the elements of a list that where selects', () => {
    const elements = range(0, 9).map((value) => ({ value, weight: value + 1 }));
    const counts = countsOf({ type: 'list', values: elements, where: 'item.value % 3 == 0' }, [0, 3, 6, 9]);
    expectPlausible(chiSquarePValue(counts, shares([1, 4, 7, 10])));
  });

  it.each(WEIGHTS.slice(2))('[2.9.5/2] by statistical categorical: %s', (_, weights) => {
    const elements = weights.map((weight, value) => ({ value, weight }));
    const definition = { type: 'statistical', mode: 'categorical', values: elements };
    expectPlausible(chiSquarePValue(countsOf(definition, range(0, weights.length - 1)), shares(weights)));
  });

  it.each(WEIGHTS.slice(0, 2))('[2.9.7/22] by variants: %s', (_, weights) => {
    const variants = weights.map((weight, i) => ({ pattern: `v${i}`, weight }));
    const cells = weights.map((__, i) => `v${i}`);
    expectPlausible(chiSquarePValue(countsOf({ variants }, cells), shares(weights)));
  });

  it.each([0.5, 0.001, 0.97])('[2.9.2/10] by boolean: %d', (probability) => {
    const counts = countsOf(svc('boolean', { probability }), [true, false]);
    expectPlausible(chiSquarePValue(counts, [probability, 1 - probability]));
  });

  it.each<[boolean | number, number]>([
    [true, 0.1],
    [0.5, 0.5],
    [0.003, 0.003],
  ])('[2.9.1/2] by nullable: %s', (nullable, rate) => {
    const definition: Json = { ...svc('int_between', { max: 0 }), nullable };
    expectPlausible(chiSquarePValue(countsOf(definition, [null, 0]), [rate, 1 - rate]));
  });
});

describe('values are equally likely', () => {
  it.each<[string, Json, number[]]>([
    ['a die', { min: 1, max: 6 }, range(1, 6)],
    ['a range around values that are left out', { min: -5, max: 14, except: [0, 1, 2, 7, 14, 99] }, [-5, -4, -3, -2, -1, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13]], // prettier-ignore
    ['a thousand values', { min: 0, max: 999 }, range(0, 999)],
  ])('[2.9.2/8] int_between: %s', (_, params, cells) => {
    expectPlausible(chiSquarePValue(countsOf(svc('int_between', params), cells), even(cells.length)));
  });

  it('int_between: the parts of a range near 2^53', () => {
    const counts = new Float64Array(64);
    eachRecord({ it: svc('int_between', { min: -(2 ** 52), max: 2 ** 52 - 1 }) }, ([value]) => {
      const part = Math.floor((Number(value) + 2 ** 52) / 2 ** 47);
      counts[part] = (counts[part] ?? 0) + 1;
    });
    expectPlausible(chiSquarePValue(counts, even(64)));
  });

  it.each([
    [3, false],
    [18, true],
    [9, true],
  ])('digits: every position of %d, strict %s', (digits, strict) => {
    const counts = range(1, digits).map(() => new Float64Array(10));
    eachRecord({ it: svc('digits', { digits, strict, leading_zero: true }) }, ([value]) => {
      for (let place = 0; place < digits; place += 1) {
        const digit = String(value).charCodeAt(place) - 48;
        const ofPlace = counts[place] as Float64Array;
        ofPlace[digit] = (ofPlace[digit] ?? 0) + 1;
      }
    });
    counts.forEach((ofPlace, place) => {
      const first = strict && place === 0;
      if (first) expect(ofPlace[0]).toBe(0);
      expectPlausible(chiSquarePValue(first ? ofPlace.slice(1) : ofPlace, even(first ? 9 : 10)));
    });
  });

  it('nanoid: every symbol at every position', () => {
    const places = 21;
    const symbols = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';
    const counts = range(1, places).map(() => new Float64Array(64));
    eachRecord({ it: svc('nanoid') }, ([value]) => {
      for (let place = 0; place < places; place += 1) {
        const symbol = symbols.indexOf(String(value).charAt(place));
        const ofPlace = counts[place] as Float64Array;
        ofPlace[symbol] = (ofPlace[symbol] ?? 0) + 1;
      }
    });
    for (const ofPlace of counts) expectPlausible(chiSquarePValue(ofPlace, even(64)));
  });

  it.each(['datetime_between', 'date_between'])('%s: every day of a leap year', (algorithm) => {
    const days = 366;
    const counts = new Float64Array(days);
    const end = algorithm === 'date_between' ? '2024-12-31' : '2024-12-31T23:59:59.999Z';
    const start = Date.UTC(2024, 0, 1);
    eachRecord({ it: svc(algorithm, { start: '2024-01-01', end }) }, ([value]) => {
      const day = Math.floor((Date.parse(String(value)) - start) / 86_400_000);
      counts[day] = (counts[day] ?? 0) + 1;
    });
    expectPlausible(chiSquarePValue(counts, even(days)));
  });

  it('repeat: the items, and their number', () => {
    const sizes = new Float64Array(5);
    const items = new Float64Array(10);
    eachRecord(
      { it: { repeat: { count: '0-4', of: svc('digits') } } },
      ([value]) => {
        const list = value as number[];
        sizes[list.length] = (sizes[list.length] ?? 0) + 1;
        for (const item of list) items[item] = (items[item] ?? 0) + 1;
      },
      { count: N },
    );
    expectPlausible(chiSquarePValue(sizes, even(5)));
    expectPlausible(chiSquarePValue(items, even(10)));
  });
});
