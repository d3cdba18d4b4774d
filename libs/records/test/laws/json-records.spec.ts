import fc from 'fast-check';

import { ByteSink } from '@understudy/bytes';

import { jsonRecordWriter, ndjsonRecordWriter } from '../../src/index.js';
import { awkwardText, leaf, records, value } from './arbitrary-records.js';

const text = new TextDecoder('utf-8', { fatal: true });

function written(columns: readonly string[], values: readonly unknown[]): string {
  const sink = new ByteSink(0);
  jsonRecordWriter(columns).write(values, sink);
  return text.decode(sink.take());
}

/** Returns the result of JSON.stringify. Writes bigints, which JSON.stringify rejects, as integers. */
function asStringifyWould(item: unknown): string {
  if (typeof item === 'bigint') return item.toString();
  if (Array.isArray(item)) return `[${item.map(asStringifyWould).join(',')}]`;
  if (typeof item !== 'object' || item === null) return JSON.stringify(item);
  const members = Object.entries(item).map(
    ([key, inner]) => `${JSON.stringify(key)}:${asStringifyWould(inner)}`,
  );
  return `{${members.join(',')}}`;
}

it('writes every member as JSON.stringify does, in the order of the columns', () => {
  fc.assert(
    fc.property(records(value), ({ columns, rows }) => {
      for (const row of rows) {
        const members = columns.map((name, i) => `${JSON.stringify(name)}:${asStringifyWould(row[i])}`);
        expect(written(columns, row)).toBe(`{${members.join(',')}}`);
      }
    }),
    { numRuns: 1_000 },
  );
});

it('writes the same object as JSON.stringify if it has no bigints and no integer-like names', () => {
  const name = awkwardText.filter((key) => !/^\d+$/.test(key));
  const anyObject = fc.dictionary(name, fc.jsonValue({ stringUnit: 'binary' }), { noNullPrototype: true });
  fc.assert(
    fc.property(anyObject, (object) => {
      expect(written(Object.keys(object), Object.values(object))).toBe(JSON.stringify(object));
    }),
    { numRuns: 1_000 },
  );
});

it('writes every number as JSON.stringify does', () => {
  const around = fc
    .tuple(fc.integer({ min: 0, max: 15 }), fc.integer({ min: -2, max: 2 }), fc.constantFrom(1, -1))
    .map(([power, offset, sign]) => sign * (10 ** power + offset));
  const aroundBillions = fc
    .tuple(fc.integer({ min: -9_007_199, max: 9_007_199 }), fc.integer({ min: -2, max: 2 }))
    .map(([billions, offset]) => billions * 1e9 + offset);
  const number = fc.oneof(aroundBillions, fc.maxSafeInteger(), fc.integer(), around, fc.double());
  fc.assert(
    fc.property(number, (n) => {
      expect(written(['n'], [n])).toBe(JSON.stringify({ n }));
    }),
    { numRuns: 20_000 },
  );
});

it.each([
  [-0, '0'],
  [Number.NaN, 'null'],
  [Number.NEGATIVE_INFINITY, 'null'],
  [Number.MAX_SAFE_INTEGER, '9007199254740991'],
  [Number.MIN_SAFE_INTEGER, '-9007199254740991'],
  [1e21, '1e+21'],
  [123456789012345678901n, '123456789012345678901'],
  [-(10n ** 18n), '-1000000000000000000'],
  [undefined, 'null'],
  [[undefined, null], '[null,null]'],
  [{ a: undefined, b: 1 }, '{"b":1}'],
  ['\u0000\u001f\u007f"\\/\b\f\n\r\t', '"\\u0000\\u001f\u007f\\"\\\\/\\b\\f\\n\\r\\t"'],
  ['\ud800x\udfff', '"\\ud800x\\udfff"'],
])('writes %p as %s', (item, expected) => {
  expect(written(['v'], [item])).toBe(`{"v":${expected}}`);
});

it('keeps hostile and integer-like names in the given order', () => {
  const columns = ['b', '10', '__proto__', '2', 'constructor', '', 'a"b'];
  expect(written(columns, [1, 2, 3, 4, 5, 6, 7])).toBe(
    '{"b":1,"10":2,"__proto__":3,"2":4,"constructor":5,"":6,"a\\"b":7}',
  );
});

it('writes the own members of a nested object, including __proto__', () => {
  const nested: unknown = JSON.parse('{"__proto__":{"x":1},"7":"seven"}');
  expect(written(['v'], [nested])).toBe(`{"v":${JSON.stringify(nested)}}`);
});

it('writes a record without columns as an empty object', () => {
  expect(written([], [])).toBe('{}');
});

it('ends each record of NDJSON with a line feed and writes no other line feed', () => {
  fc.assert(
    fc.property(records(leaf), ({ columns, rows }) => {
      const sink = new ByteSink(0);
      const writer = ndjsonRecordWriter(columns);
      for (const row of rows) writer.write(row, sink);
      expect(text.decode(sink.take())).toBe(rows.map((row) => `${written(columns, row)}\n`).join(''));
    }),
  );
});
