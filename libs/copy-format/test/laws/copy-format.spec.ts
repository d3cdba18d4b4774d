import fc from 'fast-check';
import { ByteSink } from '@understudy/bytes';
import {
  CopyRewriter,
  HeadTooLongError,
  NulCharacterError,
  readTextField,
  writeNullField,
  writeTextField,
} from '../../src/index.js';

const text = fc.string({ unit: 'binary', maxLength: 20 }).map((s) => s.replaceAll('\0', ''));
const awkward = fc.constantFrom('', '\\N', '\\', '\\.', '\t', '\n', '\r\n', '\b\f\v', 'é', '😀', 'N');
const field = fc.oneof(text, awkward, fc.constant(null));
const table = fc
  .integer({ min: 1, max: 6 })
  .chain((width) =>
    fc.array(fc.array(field, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 30 }),
  );
const cuts = fc.array(fc.nat(), { maxLength: 40 });

function encode(rows: readonly (readonly (string | null)[])[]): Uint8Array {
  const out = new ByteSink(16);
  for (const row of rows) {
    row.forEach((value, i) => {
      if (i > 0) out.writeByte(9);
      if (value === null) writeNullField(out);
      else writeTextField(out, value);
    });
    out.writeByte(10);
  }
  return out.take();
}

function split(bytes: Uint8Array, offsets: readonly number[]): Uint8Array[] {
  const sorted = [0, ...offsets.map((offset) => offset % (bytes.length + 1)), bytes.length].sort(
    (a, b) => a - b,
  );
  return sorted.slice(1).map((end, i) => bytes.slice(sorted[i], end));
}

function push(rewriter: CopyRewriter, chunk: Uint8Array): Uint8Array {
  const out = new ByteSink();
  rewriter.push(chunk, out);
  return out.take();
}

function run(rewriter: CopyRewriter, chunks: readonly Uint8Array[]): Buffer {
  const out = Buffer.concat(chunks.map((chunk) => push(rewriter, chunk)));
  rewriter.finish();
  return out;
}

function copyHead(fields: number) {
  return new CopyRewriter(fields, (bytes, bounds, out) => {
    for (let i = 0; i < fields; i++) {
      if (i > 0) out.writeByte(9);
      out.write(bytes, bounds[2 * i] ?? 0, bounds[2 * i + 1] ?? 0);
    }
  });
}

describe('COPY text format', () => {
  it('decodes an encoded field to the same text, for any text without U+0000', () => {
    fc.assert(
      fc.property(field, (value) => {
        const bytes = encode([[value]]);
        const wellFormed = value === null ? null : Buffer.from(value, 'utf8').toString('utf8');
        expect(readTextField(bytes, 0, bytes.length - 1)).toBe(wellFormed);
      }),
    );
  });

  it('never writes a raw tab or newline inside a field', () => {
    fc.assert(
      fc.property(
        text,
        (value) => encode([[value]]).filter((byte) => byte === 9 || byte === 10).length === 1,
      ),
    );
  });

  it('rejects U+0000 and appends nothing', () => {
    const out = new ByteSink();
    expect(() => {
      writeTextField(out, 'a\0b');
    }).toThrow(NulCharacterError);
    expect(out.length).toBe(0);
  });
});

it('reads fields that are longer than its buffer', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 5 }),
      fc.integer({ min: 4090, max: 4100 }),
      (s, n) => {
        const long = 'a'.repeat(n) + s.replaceAll('\0', '').repeat(2000);
        const out = new ByteSink();
        writeTextField(out, long);
        expect(readTextField(out.bytes, 0, out.length)).toBe(long);
      },
    ),
    { numRuns: 30 },
  );
});

describe('CopyRewriter', () => {
  it('returns the same stream if the head is not changed, for any rows and any chunks', () => {
    fc.assert(
      fc.property(table, fc.nat(), cuts, (rows, head, offsets) => {
        const bytes = encode(rows);
        const rewriter = copyHead(1 + (head % (rows[0]?.length ?? 1)));
        expect(run(rewriter, split(bytes, offsets)).equals(bytes)).toBe(true);
        expect(rewriter.rows).toBe(rows.length);
      }),
      { numRuns: 500 },
    );
  });

  it('returns the same stream from separate rows, for any split of the rows', () => {
    fc.assert(
      fc.property(table, fc.nat(), cuts, (rows, head, offsets) => {
        const rewriter = copyHead(1 + (head % (rows[0]?.length ?? 1)));
        const out = new ByteSink();
        for (const row of rows) {
          const parts = split(encode([row]), offsets.slice(0, 4)).filter(({ length }) => length > 0);
          parts.forEach((part, i) => {
            rewriter.take(Uint8Array.of(9, ...part, 10), 1, 1 + part.length, i === parts.length - 1, out);
          });
        }
        rewriter.finish();
        expect(Buffer.from(out.take()).equals(encode(rows))).toBe(true);
        expect(rewriter.rows).toBe(rows.length);
      }),
    );
    expect(() => {
      copyHead(2).take(Buffer.from('a\tb'), 0, 3, true, new ByteSink());
    }).toThrow('no end');
  });

  it('replaces only the head fields, for any chunks', () => {
    fc.assert(
      fc.property(table, fc.nat(), text, cuts, (rows, head, value, offsets) => {
        const fields = 1 + (head % (rows[0]?.length ?? 1));
        const rewriter = new CopyRewriter(fields, (bytes, bounds, out) => {
          writeTextField(out, value);
          for (let i = 1; i < fields; i++) {
            out.writeByte(9);
            out.write(bytes, bounds[2 * i] ?? 0, bounds[2 * i + 1] ?? 0);
          }
        });
        const expected = encode(rows.map((row) => [value, ...row.slice(1)]));
        expect(run(rewriter, split(encode(rows), offsets)).equals(expected)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('can write fewer fields than it reads', () => {
    const rewriter = new CopyRewriter(2, (bytes, bounds, out) => {
      out.write(bytes, bounds[2] ?? 0, bounds[3] ?? 0);
    });
    const rows = [
      ['(0,1)', 'a', 'x'],
      ['(0,2)', 'b', null],
    ];
    expect(run(rewriter, [encode(rows)])).toEqual(Buffer.from('a\tx\nb\t\\N\n'));
  });

  it('does not keep the rest of a row in memory while it waits for the end', () => {
    const rewriter = copyHead(1);
    const passed = push(rewriter, Buffer.from(`1\t${'x'.repeat(1000)}`));
    expect(passed.length).toBe(1002);
  });

  it('throws if a row is too short or the stream ends inside a row', () => {
    expect(() => push(copyHead(2), Buffer.from('1\n'))).toThrow('too few fields');
    const cut = copyHead(1);
    push(cut, Buffer.from('1'));
    expect(() => {
      cut.finish();
    }).toThrow('inside a row');
  });

  it('throws if the head of a row is longer than 64 MiB', () => {
    const rewriter = new CopyRewriter(2, () => undefined);
    const chunk = new Uint8Array(1 << 20).fill(0x61);
    const out = new ByteSink();
    rewriter.push(new TextEncoder().encode('1\t'), out);
    expect(() => {
      for (let i = 0; i < 500; i++) rewriter.push(chunk, out);
    }).toThrow(new HeadTooLongError(1));
  });
});
