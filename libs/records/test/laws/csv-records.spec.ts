import { parse } from 'csv-parse/sync';
import fc from 'fast-check';

import { ByteSink } from '@understudy/bytes';

import { csvHeader, csvRecordWriter } from '../../src/index.js';
import { awkwardText, leaf, records, value } from './arbitrary-records.js';

/** An RFC 4180 reader that is not ours, told to guess nothing. */
function read(bytes: Uint8Array): string[][] {
  return parse(bytes, { record_delimiter: '\r\n', bom: false, relax_column_count: false });
}

function written(columns: readonly string[], rows: readonly (readonly unknown[])[]): Uint8Array {
  const sink = new ByteSink(0);
  csvHeader(columns, sink);
  const writer = csvRecordWriter(columns);
  for (const row of rows) writer.write(row, sink);
  return sink.take();
}

function line(...values: unknown[]): string {
  const sink = new ByteSink(0);
  csvRecordWriter(values.map((_, i) => String(i))).write(values, sink);
  return new TextDecoder('utf-8', { fatal: true }).decode(sink.take());
}

/** With U+FFFD for each surrogate without its pair, as every encoder to UTF-8 puts it. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

/** The text that a cell's reader gets. */
function cellText(item: unknown): string {
  if (item === null) return '';
  return typeof item === 'string' ? wellFormed(item) : String(item);
}

it('is read back by an RFC 4180 reader', () => {
  fc.assert(
    fc.property(records(leaf), ({ columns, rows }) => {
      expect(read(written(columns, rows))).toEqual([
        columns.map((name) => wellFormed(name)),
        ...rows.map((row) => row.map(cellText)),
      ]);
    }),
    { numRuns: 1_000 },
  );
});

it('holds arrays and objects as JSON in one cell', () => {
  const nested = fc.oneof(
    fc.array(fc.jsonValue({ stringUnit: 'binary' })),
    fc.dictionary(awkwardText, fc.jsonValue()),
  );
  fc.assert(
    fc.property(fc.array(nested, { minLength: 1 }), (cells) => {
      const names = cells.map((_, i) => `c${i}`);
      expect(read(written(names, [cells]))[1]).toEqual(cells.map((cell) => JSON.stringify(cell)));
    }),
  );
});

it('quotes a field only where it must, and then exactly one way', () => {
  const bare = /^[^",\r\n]+$/;
  const quoted = /^"(?:[^"]|"")*"$/;
  fc.assert(
    fc.property(fc.oneof(awkwardText, value), (item) => {
      const field = line(item).slice(0, -2);
      if (item === null) expect(field).toBe('');
      else if (typeof item === 'string') expect(field).toMatch(/[",\r\n]|^$/.test(item) ? quoted : bare);
      else expect(bare.test(field) || quoted.test(field)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

it.each([
  [[null, '', 'a'], ',"",a\r\n'],
  [['a,b', 'say "hi"', 'two\r\nlines', 'é,€'], '"a,b","say ""hi""","two\r\nlines","é,€"\r\n'],
  [[12345678901234567890n, -0, 1.5, true, false], '12345678901234567890,0,1.5,true,false\r\n'],
  [[Number.NaN, undefined, 1], ',,1\r\n'],
  [[[], {}, [1], [1, 'x'], [5n]], '[],{},[1],"[1,""x""]",[5]\r\n'],
  [['=1+1', '+1', '-1', '@a'], '=1+1,+1,-1,@a\r\n'],
  [[null], '\r\n'],
])('writes %p as %j', (values, expected) => {
  expect(line(...values)).toBe(expected);
});
