import fc from 'fast-check';

import { ByteSink } from '@understudy/bytes';

import {
  copyHead,
  copyRecordWriter,
  isNullField,
  NulCharacterError,
  readTextField,
} from '../../src/index.js';

const text = fc.string({ unit: 'binary', maxLength: 20 }).map((s) => s.replaceAll('\0', ''));
const awkward = fc.constantFrom('', '\\N', '\\', '\\.', '\t', '\n', '\r\n', "'", '"', 'é', '😀');
const value = fc.oneof(
  text,
  awkward,
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.bigInt(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.array(fc.jsonValue({ stringUnit: 'binary' })),
  fc.dictionary(fc.oneof(text, awkward), fc.jsonValue()),
);

function fieldsOf(values: readonly unknown[]): (string | null)[] {
  const sink = new ByteSink(0);
  copyRecordWriter(values.map((_, i) => `c${i}`)).write(values, sink);
  const bytes = sink.take();
  expect(bytes.indexOf(0x0a)).toBe(bytes.length - 1);
  const fields: (string | null)[] = [];
  for (let from = 0; from < bytes.length;) {
    const tab = bytes.indexOf(0x09, from);
    const end = tab < 0 ? bytes.length - 1 : tab;
    fields.push(isNullField(bytes, from, end) ? null : readTextField(bytes, from, end));
    from = end + 1;
  }
  return fields;
}

it('writes rows with one field for each column, which contains the text of the value', () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 6 }), (values) => {
      const expected = values.map((item) => {
        if (item === null) return null;
        if (typeof item === 'string') return Buffer.from(item).toString();
        return typeof item === 'object' ? JSON.stringify(item) : Object.is(item, -0) ? '0' : String(item);
      });
      expect(fieldsOf(values)).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

it('writes NaN, infinity and undefined as NULL, and rejects U+0000', () => {
  expect(fieldsOf([Number.NaN, Number.POSITIVE_INFINITY, undefined])).toEqual([null, null, null]);
  expect(() => fieldsOf(['a\0'])).toThrow(NulCharacterError);
});

it('writes the names of table and columns in quotes', () => {
  const sink = new ByteSink(0);
  copyHead(['s', 'T "x"'], ['a', 'B'], sink);
  expect(new TextDecoder().decode(sink.take())).toBe('COPY "s"."T ""x""" ("a", "B") FROM stdin;\n');
});
