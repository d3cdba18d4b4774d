import { ByteSink } from '@understudy/bytes';
import {
  BinaryRewriter,
  CopyRewriter,
  readTextField,
  textOfBinary,
  writeBinaryNull,
  writeBinaryText,
  writeNullField,
  writeTextField,
} from '@understudy/copy-format';
import { RandomStream } from '@understudy/random';
import fc from 'fast-check';
import {
  type BinaryHeadField,
  BinaryTableMask,
  type ColumnMask,
  columnKeyOf,
  isBinaryMask,
  MaskingError,
  rowKeyOf,
  TableMask,
} from '../../src/index.js';

const JOB = { maskingKey: new Uint8Array(32).fill(7), seed: 1, referenceInstantMs: 0 };
const TEXT = 25;
const HEADER = [...Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), ...new Array<number>(8).fill(0)];
const random = new RandomStream();

function mask(
  name: string,
  produce: (draw: number, bindings: readonly unknown[]) => unknown,
  options: Partial<ColumnMask> & { maxLength?: number; isBlankPadded?: boolean } = {},
): ColumnMask {
  const rule = { kind: 'template', pattern: name } as const;
  const { maxLength, isBlankPadded = false, ...more } = options;
  return {
    column: { name, path: name, rule, isText: true, isBlankPadded, ...(maxLength && { maxLength }) },
    plan: {
      value: (key, hi, lo, attempt, bindings) =>
        produce(random.seekWords(key, hi, lo, attempt).below(40), bindings),
    },
    key: columnKeyOf(JOB, { table: 'public.t', name, rule, modelHashes: [] }),
    differs: false,
    references: [],
    ...more,
  };
}

/** A key of two texts, a kept column, one that becomes NULL, and masks that refer to right and left, differ, are cut and are NULL. */
const MASKS = [
  mask('far', (_, bindings) => `${String(bindings[1])}-\t\\é😀`, { references: ['near'] }),
  mask('near', (draw) => (draw % 5 === 0 ? null : `n${draw}`)),
  mask('other', (draw) => `o${draw}`, { differs: true, isBlankPadded: true }),
  mask('cut', (draw) => `0123456789${draw}`, { maxLength: 11 }),
] as const;
const NAMES = MASKS.map(({ column }) => column.name);
const HEAD: readonly BinaryHeadField[] = [
  { kind: 'keep' },
  { kind: 'keep' },
  ...MASKS.map((item) => ({ kind: 'mask', mask: item }) as const),
  { kind: 'null' },
];

type Row = readonly (string | null)[];

function asText(rows: readonly Row[]): { rows: Row[]; truncated: string[] } {
  const input = new ByteSink();
  for (const row of rows) {
    row.forEach((value, i) => {
      if (i > 0) input.writeByte(9);
      if (value === null) writeNullField(input);
      else writeTextField(input, value);
    });
    input.writeByte(10);
  }
  const table = new TableMask(HEAD, 2, rowKeyOf(JOB), NAMES);
  const out = new ByteSink();
  new CopyRewriter(HEAD.length, table.rewrite).push(input.take(), out);
  const lines = Buffer.from(out.take()).toString('latin1').split('\n').slice(0, -1);
  const decode = (part: string) => {
    const bytes = Buffer.from(part, 'latin1');
    return readTextField(bytes, 0, bytes.length);
  };
  return { rows: lines.map((line) => line.split('\t').map(decode)), truncated: [...table.truncated] };
}

function asBinary(rows: readonly Row[]): { rows: Row[]; truncated: string[] } {
  const textKey = textOfBinary(TEXT);
  if (textKey === undefined) throw new Error('texts have a text');
  const table = new BinaryTableMask(HEAD, [textKey, textKey], rowKeyOf(JOB), NAMES);
  const rewriter = new BinaryRewriter(HEAD.length, table.rewrite);
  const out = new ByteSink();
  const message = new ByteSink();
  const send = () => {
    const bytes = message.take();
    rewriter.take(bytes, 0, bytes.length, true, out);
  };
  for (const byte of HEADER) message.writeByte(byte);
  for (const row of rows) {
    message.writeByte(0);
    message.writeByte(row.length);
    for (const value of row) {
      if (value === null) writeBinaryNull(message);
      else writeBinaryText(message, value);
    }
    send();
  }
  message.writeByte(0xff);
  message.writeByte(0xff);
  send();
  rewriter.finish();
  const bytes = Buffer.from(out.take());
  let at = HEADER.length;
  const found = rows.map(() => {
    const count = bytes.readInt16BE(at);
    at += 2;
    return Array.from({ length: count }, () => {
      const length = bytes.readInt32BE(at);
      at += 4 + Math.max(0, length);
      return length === -1 ? null : bytes.toString('utf8', at - length, at);
    });
  });
  return { rows: found, truncated: [...table.truncated] };
}

const text = fc.string({ unit: 'grapheme', maxLength: 8 });
const cell = fc.oneof(text, fc.constantFrom('o1', 'o1  ', '\t\\\n', ''), fc.constant(null));
const row = fc.tuple(cell, text, cell, cell, cell, cell, cell, cell);

describe('BinaryTableMask', () => {
  it('makes of every row what TableMask makes of it in the text format', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 20 }), (rows) => {
        expect(asBinary(rows)).toEqual(asText(rows));
      }),
    );
  });

  it('fails where TableMask fails: no other value, or one that PostgreSQL cannot store', () => {
    const key = textOfBinary(TEXT);
    const failing = (item: ColumnMask) => () => {
      const head = [{ kind: 'keep' }, { kind: 'mask', mask: item }] as const;
      const table = new BinaryTableMask(head, key === undefined ? [] : [key], rowKeyOf(JOB), ['v']);
      table.rewrite(Uint8Array.of(0x6b, 0x76), Int32Array.of(0, 1, 1, 2), new ByteSink());
    };
    expect(failing(mask('v', () => 'v', { differs: true }))).toThrow(MaskingError);
    expect(failing(mask('v', () => 'a\0'))).toThrow(MaskingError);
  });

  it('is for masks that need nothing of the original but whether it is NULL', () => {
    const plain = mask('v', () => 'v');
    expect(isBinaryMask(plain)).toBe(true);
    expect(isBinaryMask({ ...plain, originalKey: plain.key })).toBe(false);
    expect(isBinaryMask({ ...plain, plan: { ...plain.plan, countsRows: true } })).toBe(false);
  });
});
