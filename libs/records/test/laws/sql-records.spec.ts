import fc from 'fast-check';

import { ByteSink } from '@understudy/bytes';

import { NulCharacterError, sqlInsertHead, sqlRecordWriter } from '../../src/index.js';
import { awkwardText, records, storableValue, value } from './arbitrary-records.js';

const text = new TextDecoder('utf-8', { fatal: true });

function list(...values: readonly unknown[]): string {
  const sink = new ByteSink(0);
  sqlRecordWriter(values.map((_, i) => String(i))).write(values, sink);
  return text.decode(sink.take());
}

const wellFormed = (value: string): string => Buffer.from(value).toString();

/** Reads a list of VALUES by the rules of the PostgreSQL docs (4.1.2.1 and 4.1.2.2). Returns texts as strings. */
function read(source: string): readonly (string | { readonly word: string })[] {
  const items: (string | { readonly word: string })[] = [];
  let rest = source.slice(1, -1);
  expect([source[0], source.at(-1)]).toEqual(['(', ')']);
  for (;;) {
    const quoted = /^(E?)'((?:[^']|'')*)'/.exec(rest);
    const whole = quoted?.[0] ?? /^[A-Za-z0-9.+-]+/.exec(rest)?.[0] ?? '';
    const inner = (quoted?.[2] ?? '').replaceAll("''", "'");
    items.push(
      quoted === null ? { word: whole } : quoted[1] === 'E' ? inner.replaceAll('\\\\', '\\') : inner,
    );
    // Without E, the meaning of a backslash would depend on standard_conforming_strings.
    if (quoted?.[1] === '') expect(inner).not.toContain('\\');
    if (quoted?.[1] === 'E') expect(inner.replaceAll('\\\\', '')).not.toContain('\\');
    rest = rest.slice(whole.length);
    if (rest === '') return items;
    expect(rest.slice(0, 2)).toBe(', ');
    rest = rest.slice(2);
  }
}

it('writes lists that are read back with either setting of standard_conforming_strings', () => {
  fc.assert(
    fc.property(records(storableValue), ({ rows }) => {
      for (const row of rows) {
        expect(read(list(...row))).toEqual(
          row.map((item) => {
            if (typeof item === 'string') return wellFormed(item);
            if (item === null) return { word: 'NULL' };
            if (typeof item !== 'object') return { word: Object.is(item, -0) ? '0' : String(item) };
            return expect.any(String);
          }),
        );
      }
    }),
    { numRuns: 500 },
  );
});

it('writes arrays and objects as JSON text', () => {
  const nested = fc.oneof(
    fc.array(fc.jsonValue({ stringUnit: 'binary' })),
    fc.dictionary(awkwardText, value),
  );
  fc.assert(
    fc.property(nested, (item) => {
      const [json] = read(list(item));
      const plain: unknown = JSON.parse(
        JSON.stringify(item, (_, inner: unknown) => (typeof inner === 'bigint' ? Number(inner) : inner)),
      );
      expect(JSON.parse(json as string)).toEqual(plain);
    }),
  );
});

it('quotes names with upper-case letters and quotes', () => {
  const sink = new ByteSink(0);
  sqlInsertHead(['My "schema"', 't'], ['a', 'B"; DROP TABLE x; --', 'é'], sink);
  expect(text.decode(sink.take())).toBe(
    'INSERT INTO "My ""schema"""."t" ("a", "B""; DROP TABLE x; --", "é") VALUES\n',
  );
});

it.each(['\0', 'a\0b', '\\\0'])('rejects %j', (value) => {
  expect(() => list(value)).toThrow(NulCharacterError);
});
