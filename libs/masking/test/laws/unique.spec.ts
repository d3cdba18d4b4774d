import fc from 'fast-check';
import { ByteSink } from '@understudy/bytes';
import { parseColumnRule, type ProducingRule } from '@understudy/column-rule';
import { CopyRewriter, writeNullField, writeTextField } from '@understudy/copy-format';
import {
  cannotRepeat,
  type ColumnMask,
  compileColumnMask,
  type HeadField,
  keepUnique,
  type MaskedColumn,
  type MaskingContext,
  needsRowOrder,
  OriginalAttemptsBuilder,
  permuteOriginals,
  rowKeyOf,
  TextTableMask,
  TooManyOriginalsError,
} from '../../src/index.js';

const context: MaskingContext = {
  job: { maskingKey: new Uint8Array(32).fill(7), seed: 1, referenceInstantMs: 0 },
  table: 'public.t',
  models: () => undefined,
};

const svc = (algorithm: string, params?: object) => ({ type: 'svc', algorithm, ...(params && { params }) });
const UUID = { generator: 'template', pattern: '{{uuid}}@x.org' };

function compile(rule: unknown, more: Partial<MaskedColumn> = {}, produced = ['v', 'w']): ColumnMask {
  const parsed = parseColumnRule(rule, 'p');
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems));
  return compileColumnMask(
    {
      name: 'v',
      path: 'p',
      rule: parsed.rule as ProducingRule,
      isText: false,
      isBlankPadded: false,
      ...more,
    },
    produced,
    context,
  );
}

type Row = readonly (string | null)[];

function encode(rows: readonly Row[]): Uint8Array {
  const out = new ByteSink();
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

function run(masks: readonly (ColumnMask | string)[], rows: readonly Row[]): string[][] {
  const head: HeadField[] = [
    { kind: 'keep' },
    ...masks.map((mask): HeadField =>
      typeof mask === 'string' ? { kind: 'keep', name: mask } : { kind: 'mask', mask },
    ),
  ];
  const table = new TextTableMask(head, 1, rowKeyOf(context.job), ['v', 'w']);
  const out = new ByteSink();
  new CopyRewriter(table.headFields, table.rewrite).push(encode(rows), out);
  const text = new TextDecoder().decode(out.take());
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t').slice(1));
}

const first = (rows: readonly (readonly string[])[]): string[] => rows.map(([value]) => value ?? '');
const many = (count: number): Row[] => Array.from({ length: count }, (_, i) => [String(i), `old ${i}`]);
const SINGLE_COLUMN = [{ others: [] }];

describe('a unique column', () => {
  it.each([
    ['a range as large as the table', svc('int_between', { min: 1, max: 500 })],
    ['a range with holes', svc('int_between', { min: 1, max: 502, except: [4, 9] })],
    ['padded digits', svc('digits', { digits: 3, leading_zero: true })],
    [
      'a list with more values than rows',
      { type: 'list', values: Array.from({ length: 5000 }, (_, i) => `v${i}`) },
    ],
    ['a sequence', svc('sequence', { start: 5 })],
    ['ulids', svc('ulid')],
    ['uuids', svc('uuid_v4')],
    ['a range under a transform', { ...svc('int_between', { max: 3000 }), transform: 'value * 2' }],
    ['some NULLs', { ...svc('int_between', { min: 1, max: 500 }), nullable: 0.3 }],
  ])('contains no repeated value except NULL, with %s', (_, rule) => {
    const rows = many(500);
    const made = first(run([keepUnique(compile(rule), SINGLE_COLUMN)], rows)).filter(
      (value) => value !== '\\N',
    );
    expect(new Set(made).size).toBe(made.length);
    expect(
      first(run([keepUnique(compile(rule), SINGLE_COLUMN)], rows)).filter((value) => value !== '\\N'),
    ).toEqual(made);
  });

  it('keeps NULLs and does not count them as repeated values', () => {
    const rows: Row[] = many(30).map(([key], i) => [key ?? '', i % 3 === 0 ? null : 'x']);
    const made = first(
      run([keepUnique(compile(svc('int_between', { min: 1, max: 20 })), SINGLE_COLUMN)], rows),
    );
    expect(made.filter((value) => value === '\\N')).toHaveLength(10);
    expect(new Set(made).size).toBe(21);
  });

  it('fails without a value in the message if the rule has too few values', () => {
    const mask = keepUnique(compile({ type: 'list', values: ['secret', 'other'] }), SINGLE_COLUMN);
    const failure = {
      code: 'unique_capacity',
      column: 'v',
      message: expect.not.stringContaining('secret'),
    };
    expect(() => run([mask], many(3))).toThrow(expect.objectContaining(failure));
    const numbered = keepUnique(compile(svc('int_between', { min: 1, max: 2 })), SINGLE_COLUMN);
    expect(() => run([numbered], many(3))).toThrow(expect.objectContaining({ code: 'unique_capacity' }));
  });

  it('compares values after case folding and after the cut to the column length', () => {
    const values = ['Ann', 'ann', 'Bob', 'ABCD1', 'ABCD2'];
    const folded = keepUnique(compile({ type: 'list', values }, { maxLength: 4 }), [
      { others: [], canonical: 'folded' },
    ]);
    const made = first(run([folded], many(3)));
    expect(new Set(made.map((value) => value.toLowerCase())).size).toBe(3);
    expect(() => run([folded], many(4))).toThrow(expect.objectContaining({ code: 'unique_capacity' }));
  });

  it('makes a key of several columns unique if only some of them are masked', () => {
    const small = { type: 'list', values: ['a', 'b', 'c', 'd'] };
    const mask = keepUnique(compile(small), [{ others: [{ name: 'g' }, { name: 'w' }] }]);
    const other = compile({ generator: 'template', pattern: 'w' }, { name: 'w', path: 'w' });
    const rows: Row[] = Array.from({ length: 40 }, (_, i) => [String(i), 'x', `g${Math.floor(i / 4)}`, 'x']);
    const made = run([mask, 'g', other], rows);
    expect(new Set(made.map((row) => row.join())).size).toBe(40);
    expect(made.map(([, g]) => g)).toEqual(rows.map(([, , g]) => g));
  });

  it('needs rows in order unless values cannot repeat or originals are permuted', () => {
    const int = svc('int_between', { min: 0, max: 1e6 });
    expect(needsRowOrder([keepUnique(compile(int), SINGLE_COLUMN)])).toBe(true);
    expect(needsRowOrder([compile(svc('sequence'))])).toBe(true);
    expect(needsRowOrder([compile(int)])).toBe(false);
    expect(needsRowOrder([keepUnique(compile(UUID), SINGLE_COLUMN)])).toBe(false);
    expect(needsRowOrder([keepUnique(compile(UUID, { maxLength: 42 }), SINGLE_COLUMN)])).toBe(false);
    expect(needsRowOrder([keepUnique(compile(UUID, { maxLength: 41 }), SINGLE_COLUMN)])).toBe(true);
    expect(cannotRepeat(compile({ ...UUID, transform: 'substring(value, 0, 9)' }))).toBe(false);
  });

  it('depends on the row only if the rule cannot repeat a value', () => {
    const mask = keepUnique(compile(UUID), SINGLE_COLUMN);
    const rows = many(50);
    const together = first(run([mask], rows));
    expect(rows.flatMap((row) => first(run([mask], [row])))).toEqual(together);
    expect(first(run([mask], [...rows].reverse())).reverse()).toEqual(together);
  });
});

describe('a column whose distinct originals stay distinct', () => {
  it('permutes the integers of its range independently of other rows', () => {
    const mask = permuteOriginals(compile(svc('int_between', { min: -50, max: 49 })));
    expect(mask).toBeDefined();
    if (mask === undefined) return;
    expect(needsRowOrder([mask])).toBe(false);
    const rows: Row[] = Array.from({ length: 100 }, (_, i) => ['same key', String(i - 50)]);
    const made = first(run([mask], rows));
    expect(new Set(made).size).toBe(100);
    expect(made.every((value) => Number(value) >= -50 && Number(value) <= 49)).toBe(true);
    fc.assert(
      fc.property(fc.shuffledSubarray(rows), (some) => {
        const expected = some.map(([, old]) => made[Number(old) + 50]);
        expect(first(run([mask], some))).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });

  it('does not permute values that are not a range of integers', () => {
    expect(permuteOriginals(compile(UUID))).toBeUndefined();
    expect(permuteOriginals(compile(svc('digits', { digits: 5, leading_zero: true })))).toBeUndefined();
    expect(permuteOriginals(compile({ ...svc('digits'), differs: true }))).toBeUndefined();
  });

  const key = { sharedKey: { table: 'public.t', name: 'v' } };
  const withOriginals = (mask: ColumnMask, originals: readonly string[], numbered = false): ColumnMask => {
    const builder = new OriginalAttemptsBuilder(mask, { numbered });
    for (const original of originals) {
      const bytes = encode([[original]]);
      builder.add(bytes, 0, bytes.length - 1);
    }
    return { ...mask, originalAttempts: builder.finish() };
  };
  const originals = Array.from({ length: 300 }, (_, i) => `value ${i}`);
  const words = { type: 'list', values: Array.from({ length: 400 }, (_, i) => `w${i}`) };

  it.each([
    ['attempts', { ...words, differs: true }, false],
    ['numbers', svc('int_between', { min: 1, max: 300 }), true],
    ['row counts', svc('sequence'), true],
  ])('gives each original one value of its own in every row and column, by %s', (_, rule, numbered) => {
    const mask = withOriginals(compile(rule, key), originals, numbered);
    expect(needsRowOrder([mask])).toBe(false);
    const rows: Row[] = originals.map((original, i) => [String(i), original]);
    const made = first(run([mask], rows));
    expect(new Set(made).size).toBe(300);
    const reference = { ...mask, column: { ...mask.column, name: 'w' } };
    const back = [...rows].reverse().map(([, original]): Row => ['other', original ?? null]);
    expect(first(run([reference], back)).reverse()).toEqual(made);
  });

  it('selects another value if the first one is the old value', () => {
    const mask = withOriginals(compile({ type: 'list', values: ['a', 'b', 'c'], differs: true }, key), [
      'a',
      'b',
    ]);
    const [a, b] = first(
      run(
        [mask],
        [
          ['1', 'a'],
          ['2', 'b'],
        ],
      ),
    );
    expect(a).not.toBe('a');
    expect(b).not.toBe('b');
    expect(a).not.toBe(b);
  });

  it('treats all forms of a number as one original', () => {
    const mask = withOriginals(compile(words, { ...key, canonical: 'number' }), ['5', '6.10']);
    const rows: Row[] = [
      ['1', '5'],
      ['2', '5.00'],
      ['3', '6.1'],
      ['4', '6.10'],
    ];
    const [a, b, c, d] = first(run([mask], rows));
    expect([b, d]).toEqual([a, c]);
  });

  it('reports that a key has more originals than the rule has values', () => {
    expect(() => withOriginals(compile({ type: 'list', values: ['a', 'b'] }, key), ['1', '2', '3'])).toThrow(
      TooManyOriginalsError,
    );
  });

  it('refuses a rule of a key if it reads other columns', () => {
    expect(() => compile({ generator: 'template', pattern: '{{w}}' }, key)).toThrow(
      expect.objectContaining({ code: 'rule_depends_on_row' }),
    );
  });

  it('refuses a consistent rule that counts rows', () => {
    expect(() => compile({ ...svc('sequence'), consistent: true })).toThrow(
      expect.objectContaining({ code: 'rule_depends_on_row' }),
    );
  });
});
