import { parse } from 'csv-parse/sync';
import fc from 'fast-check';

import { ByteSink } from '@understudy/bytes';

import { csvHeader, csvRecordWriter } from '../../src/index.js';
import { awkwardText, leaf, records, value } from './arbitrary-records.js';

/**
 * Reads CSV with an independent RFC 4180 parser. Its options allow only CR LF as a line end, and keep a byte
 * order mark as text.
 */
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

/** Replaces unpaired surrogates with U+FFFD, as encoders to UTF-8 do. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

/** Returns the text that a CSV parser reads from the cell of a value. */
function cellText(item: unknown): string {
  if (item === null) return '';
  return typeof item === 'string' ? wellFormed(item) : String(item);
}

it('writes CSV that an RFC 4180 parser reads back', () => {
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

it('writes arrays and objects as JSON in one cell', () => {
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

it('writes no empty line, which readers skip', () => {
  fc.assert(
    fc.property(records(leaf), ({ columns, rows }) => {
      for (const row of rows) expect(line(...row.slice(0, columns.length))).not.toBe('\r\n');
    }),
  );
});

it('quotes a field only if necessary', () => {
  const bare = /^[^",\r\n]+$/;
  const quoted = /^"(?:[^"]|"")*"$/;
  fc.assert(
    fc.property(fc.oneof(awkwardText, value), (item) => {
      const field = line(item).slice(0, -2);
      if (item === null) expect(field).toBe('""');
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
  [[null], '""\r\n'],
  [[undefined], '""\r\n'],
  [[''], '""\r\n'],
])('writes %p as %j', (values, expected) => {
  expect(line(...values)).toBe(expected);
});
