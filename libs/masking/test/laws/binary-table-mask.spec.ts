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
import { parseColumnRule } from '@understudy/column-rule';
import { NgramTrainer, readModel } from '@understudy/ngram';
import { RandomStream } from '@understudy/random';
import fc from 'fast-check';
import {
  type BinaryHeadField,
  BinaryTableMask,
  compileColumnMask,
  type ColumnMask,
  columnKeyOf,
  isBinaryMask,
  MaskingError,
  rowKeyOf,
  TextTableMask,
} from '../../src/index.js';

const JOB = { maskingKey: new Uint8Array(32).fill(7), seed: 1, referenceInstantMs: 0 };
const TEXT = 25;
const HEADER = [...Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), ...new Array<number>(8).fill(0)];
const random = new RandomStream();

function mask(
  name: string,
  produce: (random: number, bindings: readonly unknown[]) => unknown,
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
    inspected: { bindings: [], ownValues: false },
    usesPrivateModel: false,
    ...more,
  };
}

/**
 * One mask refers to a column on its right, one produces NULL, one requires a value that differs from the
 * original, and one generates values that are too long. `HEAD` consists of two key columns, the masked
 * columns and a column that becomes NULL.
 */
const MASKS = [
  mask('far', (_, bindings) => `${String(bindings[1])}-\t\\é😀`, { references: ['near'] }),
  mask('near', (random) => (random % 5 === 0 ? null : `n${random}`)),
  mask('other', (random) => `o${random}`, { differs: true, isBlankPadded: true }),
  mask('cut', (random) => `0123456789${random}`, { maxLength: 11 }),
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
  const table = new TextTableMask(HEAD, 2, rowKeyOf(JOB), NAMES);
  const out = new ByteSink();
  new CopyRewriter(HEAD.length, table.rewrite).push(input.take(), out);
  const lines = Buffer.from(out.take()).toString('latin1').split('\n').slice(0, -1);
  const decode = (part: string) => {
    const bytes = Buffer.from(part, 'latin1');
    return readTextField(bytes, 0, bytes.length);
  };
  return { rows: lines.map((line) => line.split('\t').map(decode)), truncated: [...table.truncated] };
}

function asBinary(
  rows: readonly Row[],
  head: readonly BinaryHeadField[] = HEAD,
  names: readonly string[] = NAMES,
): { rows: Row[]; truncated: string[] } {
  const textKey = textOfBinary(TEXT);
  if (textKey === undefined) throw new Error('expected a text form of the type text');
  const table = new BinaryTableMask(head, [textKey, textKey], rowKeyOf(JOB), names);
  const rewriter = new BinaryRewriter(head.length, table.rewrite);
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

const RULES: readonly (readonly [name: string, rule: object, maxLength?: number])[] = [
  // Refers to a column on the right, and to a column whose value is generated as text.
  ['far', { generator: 'template', pattern: '{{lowercase(name)}}-{{title(name)}}' }, 7],
  ['mail', { generator: 'template', pattern: '{{lowercase(name)}}.{{uppercase(made)}}@example.test' }],
  ['name', { generator: 'xx/names', differs: true }],
  ['made', { generator: 'template', pattern: "{{if(length(name) > 3, 'é', 'Z')}}{{name}}" }],
  ['phone', { generator: 'template', pattern: '+1 {{substring(uuid, 0, 4)}}' }],
  ['short', { generator: 'template', pattern: '{{name}}{{name}}' }, 5],
  ['lost', { generator: 'template', pattern: '{{name}}', nullable: 0.5 }],
  ['after', { generator: 'template', pattern: '[{{lost}}{{lowercase(lost)}}]' }],
];
const COMPILED_NAMES = RULES.map(([name]) => name);

function compiled(): readonly ColumnMask[] {
  const trainer = new NgramTrainer({ order: 2, name: 'names', locale: 'xx', originals: 'none' });
  for (const value of ['Ada', 'Éva', 'Bo', 'Adam', 'Ole', '李雷']) trainer.add(value);
  const model = readModel(trainer.finish());
  const context = { job: JOB, table: 'public.t', models: () => ({ model, hash: 'h' }) };
  return RULES.map(([name, rule, maxLength]) => {
    const parsed = parseColumnRule(rule, name);
    if (!('rule' in parsed) || parsed.rule.kind === 'json' || parsed.rule.kind === 'preserve')
      throw new Error(name);
    const column = { name, path: name, rule: parsed.rule, isText: true, isBlankPadded: false };
    return compileColumnMask({ ...column, ...(maxLength && { maxLength }) }, COMPILED_NAMES, context);
  });
}

function compiledHead(columns: readonly ColumnMask[]): readonly BinaryHeadField[] {
  return [
    { kind: 'keep' },
    { kind: 'keep' },
    ...columns.map((item) => ({ kind: 'mask', mask: item }) as const),
  ];
}

/**
 * Every masked column is NULL in some rows. In the other rows, column `name` contains a name that the model
 * may generate.
 */
const SAMPLE: readonly Row[] = Array.from({ length: 400 }, (_, row) => [
  `k${row}`,
  '',
  ...COMPILED_NAMES.map((name, column) =>
    (row + column) % 11 === 0 ? null : name === 'name' ? (['Ada', 'Bo'][row % 2] ?? '') : 'old',
  ),
]);

const text = fc.string({ unit: 'grapheme', maxLength: 8 });
const cell = fc.oneof(text, fc.constantFrom('o1', 'o1  ', '\t\\\n', ''), fc.constant(null));
const row = fc.tuple(cell, text, cell, cell, cell, cell, cell, cell);

describe('BinaryTableMask', () => {
  it('produces the same rows as TextTableMask does in the text format', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 20 }), (rows) => {
        expect(asBinary(rows)).toEqual(asText(rows));
      }),
    );
  });

  it('fails if a rule has no other value, or one that PostgreSQL cannot store', () => {
    const key = textOfBinary(TEXT);
    const failing = (item: ColumnMask) => () => {
      const head = [{ kind: 'keep' }, { kind: 'mask', mask: item }] as const;
      const table = new BinaryTableMask(head, key === undefined ? [] : [key], rowKeyOf(JOB), ['v']);
      table.rewrite(Uint8Array.of(0x6b, 0x76), Int32Array.of(0, 1, 1, 2), new ByteSink());
    };
    expect(failing(mask('v', () => 'v', { differs: true }))).toThrow(MaskingError);
    expect(failing(mask('v', () => 'a\0'))).toThrow(MaskingError);
  });

  it('writes the same rows if plans write values directly or return them', () => {
    const make = (columns: readonly ColumnMask[]) => asBinary(SAMPLE, compiledHead(columns), COMPILED_NAMES);
    const columns = compiled();
    const made = columns.map(({ plan, ...more }) => {
      const value: typeof plan.value = (...cell) => plan.value(...cell);
      return { ...more, plan: { value } };
    });
    expect(columns.filter(({ plan }) => plan.write !== undefined)).toHaveLength(5);
    const written = make(columns);
    expect(written).toEqual(make(made));
    expect(written.truncated.sort()).toEqual(['far', 'short']);
  });

  it('accepts only masks that do not read the original value', () => {
    const plain = mask('v', () => 'v');
    expect(isBinaryMask(plain)).toBe(true);
    expect(isBinaryMask({ ...plain, originalKey: plain.key })).toBe(false);
    expect(isBinaryMask({ ...plain, plan: { ...plain.plan, countsRows: true } })).toBe(false);
  });
});
