import { ByteSink } from '@understudy/bytes';
import fc from 'fast-check';
import {
  BinaryRewriter,
  HeadTooLongError,
  NulCharacterError,
  textOfBinary,
  writeBinaryField,
  writeBinaryNull,
  writeBinaryText,
  writeTextField,
} from '../../src/index.js';

const text = fc.string({ unit: 'binary', maxLength: 20 }).map((s) => s.replaceAll('\0', ''));
const field = fc.oneof(text, fc.constantFrom('', '\\N', '\t', '\n', 'é', '😀'), fc.constant(null));
const table = fc
  .integer({ min: 1, max: 6 })
  .chain((width) =>
    fc.array(fc.array(field, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 20 }),
  );

const SIGNATURE = [...Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), ...new Array<number>(8).fill(0)];

/** Returns the messages that a server sends: the first one begins with the header, the last one is only the trailer. */
function messages(rows: readonly (readonly (string | null)[])[]): Uint8Array[] {
  const out = new ByteSink();
  for (const byte of SIGNATURE) out.writeByte(byte);
  const found = rows.map((row) => {
    out.writeByte(row.length >> 8);
    out.writeByte(row.length & 0xff);
    for (const value of row) {
      if (value === null) writeBinaryNull(out);
      else writeBinaryText(out, value);
    }
    return out.take();
  });
  out.writeByte(0xff);
  out.writeByte(0xff);
  return [...found, out.take()];
}

/** Splits each message at the offsets, passes the parts to the rewriter, and returns the output. */
function feed(rewriter: BinaryRewriter, list: readonly Uint8Array[], offsets: readonly number[]): Buffer {
  const out = new ByteSink();
  for (const message of list) {
    const inside = offsets.map((offset) => offset % (message.length + 1)).sort((a, b) => a - b);
    const ends = [...new Set([...inside, message.length])].filter((end) => end > 0);
    let start = 0;
    for (const end of ends) {
      // The part is inside a larger buffer, as after a read from a socket.
      const read = new Uint8Array(end - start + 7);
      read.set(message.subarray(start, end), 5);
      rewriter.take(read, 5, 5 + end - start, end === message.length, out);
      start = end;
    }
  }
  rewriter.finish();
  return Buffer.from(out.take());
}

function passHead(fields: number): BinaryRewriter {
  return new BinaryRewriter(fields, (bytes, bounds, out) => {
    for (let i = 0; i < fields; i++) writeBinaryField(out, bytes, bounds[2 * i] ?? 0, bounds[2 * i + 1] ?? 0);
  });
}

describe('BinaryRewriter', () => {
  it('returns the same stream if the head is not changed, for any split of the messages', () => {
    fc.assert(
      fc.property(table, fc.nat(), fc.array(fc.nat(), { maxLength: 6 }), (rows, head, offsets) => {
        const list = messages(rows);
        const rewriter = passHead((head % (rows[0]?.length ?? 1)) + 1);
        expect(feed(rewriter, list, offsets)).toEqual(Buffer.concat(list));
        expect(rewriter.rows).toBe(rows.length);
      }),
    );
  });

  it('accepts a table without rows, whose only message contains header and trailer', () => {
    const only = Buffer.concat([Buffer.from(SIGNATURE), Buffer.from([0xff, 0xff])]);
    const rewriter = passHead(2);
    expect(feed(rewriter, [only], [3])).toEqual(only);
    expect(rewriter.rows).toBe(0);
  });

  it('rejects a stream without its end, a row with too few fields, and a head of more than 64 MiB', () => {
    const [first = new Uint8Array()] = messages([['a', 'b']]);
    const out = new ByteSink();
    const cut = passHead(1);
    cut.take(first, 0, first.length, true, out);
    expect(() => {
      cut.finish();
    }).toThrow('inside a row');
    expect(() => {
      passHead(3).take(first, 0, first.length, true, out);
    }).toThrow('too few fields');
    const endless = passHead(2);
    const huge = Buffer.concat([
      Buffer.from(SIGNATURE),
      Buffer.from([0, 2, 0, 0, 0, 1, 0x61, 0x7f, 0xff, 0xff, 0xff]),
    ]);
    endless.take(huge, 0, huge.length, false, out);
    const more = new Uint8Array(16 * 1024 * 1024);
    expect(() => {
      for (let i = 0; i < 6; i++) endless.take(more, 0, more.length, false, out);
    }).toThrow(new HeadTooLongError(1));
  });
});

describe('textOfBinary', () => {
  function textOf(type: number, bytes: Uint8Array): string {
    const out = new ByteSink(4);
    textOfBinary(type)?.(out, bytes, 0, bytes.length);
    return Buffer.from(out.take()).toString();
  }

  it('writes integers of every size in the form of the server', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        const bytes = Buffer.alloc(8);
        bytes.writeBigInt64BE(value);
        expect(textOf(20, bytes)).toBe(String(value));
        expect(textOf(23, bytes.subarray(4))).toBe(String(bytes.readInt32BE(4)));
        expect(textOf(21, bytes.subarray(6))).toBe(String(bytes.readInt16BE(6)));
      }),
      { examples: [[2n ** 53n - 1n], [-(2n ** 53n)], [2n ** 53n + 1n], [-1n], [0n], [-(2n ** 63n)]] },
    );
  });

  it('escapes texts like COPY, and writes UUIDs', () => {
    fc.assert(
      fc.property(text, (value) => {
        const out = new ByteSink();
        writeTextField(out, value);
        const bytes = Buffer.from(value);
        expect(textOf(25, bytes)).toBe(Buffer.from(out.take()).toString());
      }),
    );
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        expect(textOf(2950, Buffer.from(uuid.replaceAll('-', ''), 'hex'))).toBe(uuid);
      }),
    );
  });

  it('returns undefined for other types', () => {
    expect([16, 1700, 1184, 3802, 0].map(textOfBinary)).toEqual(new Array(5).fill(undefined));
  });
});

it('rejects a value with U+0000 and writes nothing of it', () => {
  const out = new ByteSink();
  expect(() => {
    writeBinaryText(out, 'a\0');
  }).toThrow(NulCharacterError);
  expect(out.length).toBe(0);
});
