import fc from 'fast-check';
import { ByteSink } from '@understudy/bytes';
import { CopyRewriter, writeNullField, writeTextField } from '@understudy/copy-format';
import { RandomStream } from '@understudy/random';
import {
  type ColumnMask,
  columnKeyOf,
  consistentKeyOf,
  type HeadField,
  type JobKeyMaterial,
  MaskingError,
  MaskingRuleError,
  MAX_ATTEMPTS,
  originalKeyOf,
  rowKeyOf,
  TextTableMask,
} from '../../src/index.js';

const JOB: JobKeyMaterial = { maskingKey: new Uint8Array(32).fill(7), seed: 1, referenceInstantMs: 0 };
const random = new RandomStream();

type Produce = (random: number, bindings: readonly unknown[]) => unknown;

function mask(
  name: string,
  produce: Produce,
  options: Partial<ColumnMask> & { maxLength?: number; job?: JobKeyMaterial; isBlankPadded?: boolean } = {},
): ColumnMask {
  const rule = { kind: 'template', pattern: name } as const;
  return {
    column: {
      name,
      path: name,
      rule,
      isText: true,
      isBlankPadded: options.isBlankPadded ?? false,
      ...(options.isBlankPadded === true ? { canonical: 'padded' as const } : {}),
      ...(options.maxLength === undefined ? {} : { maxLength: options.maxLength }),
    },
    plan: {
      value: (key, hi, lo, attempt, bindings) =>
        produce(random.seekWords(key, hi, lo, attempt).below(1_000_000), bindings),
    },
    key: columnKeyOf(options.job ?? JOB, { table: 'public.t', name, rule, modelHashes: [] }),
    differs: options.differs ?? false,
    references: options.references ?? [],
    inspected: { bindings: [], ownValues: false },
    usesPrivateModel: false,
  };
}

const field = (item: ColumnMask): HeadField => ({ kind: 'mask', mask: item });

function encode(rows: readonly (readonly (string | null)[])[]): Uint8Array {
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

function run(
  head: readonly HeadField[],
  names: readonly string[],
  rows: readonly (readonly (string | null)[])[],
  chunk = 1 << 16,
  job = JOB,
): string[] {
  const table = new TextTableMask(head, 1, rowKeyOf(job), names);
  const rewriter = new CopyRewriter(table.headFields, table.rewrite);
  const bytes = encode(rows);
  let text = '';
  for (let at = 0; at < bytes.length; at += chunk) {
    const out = new ByteSink();
    rewriter.push(bytes.slice(at, at + chunk), out);
    text += Buffer.from(out.take()).toString('latin1');
  }
  rewriter.finish();
  return text.split('\n').slice(0, -1);
}

const simple: readonly HeadField[] = [{ kind: 'keep' }, field(mask('v', (random) => `v${random}`))];
const value = fc.oneof(
  fc.string({ maxLength: 10 }).map((s) => s.replaceAll('\0', '')),
  fc.constant(null),
);
const rows = fc
  .uniqueArray(fc.tuple(fc.nat(), value, value), { selector: ([key]) => key, maxLength: 30 })
  .map((list) => list.map(([key, a, b]) => [String(key), a, b]));

describe('TextTableMask', () => {
  it('writes the same bytes for the same rows if they arrive in other chunks', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 50 }), (list, chunk) => {
        expect(run(simple, ['v'], list, chunk)).toEqual(run(simple, ['v'], list));
      }),
    );
  });

  it('gives a row the same cells if the other rows change', () => {
    fc.assert(
      fc.property(rows, (list) => {
        const together = run(simple, ['v'], list);
        expect(list.flatMap((row) => run(simple, ['v'], [row]))).toEqual(together);
        expect(run(simple, ['v'], [...list].reverse()).reverse()).toEqual(together);
      }),
    );
  });

  it('keeps NULL and copies the fields after the head unchanged', () => {
    fc.assert(
      fc.property(rows, (list) => {
        run(simple, ['v'], list).forEach((line, i) => {
          const [key, produced] = line.split('\t');
          expect(key).toBe(list[i]?.[0]);
          expect(produced === '\\N').toBe(list[i]?.[1] === null);
          const rest = Buffer.from(encode([[list[i]?.[2] ?? null]]))
            .toString('latin1')
            .slice(0, -1);
          expect(line.split('\t').slice(2).join('\t')).toBe(rest);
        });
      }),
    );
  });

  it.each([
    ['masking key', { ...JOB, maskingKey: new Uint8Array(32).fill(8) }],
    ['second half of the masking key', { ...JOB, maskingKey: new Uint8Array(32).fill(7).fill(8, 31) }],
    ['seed', { ...JOB, seed: 2 }],
    ['reference instant', { ...JOB, referenceInstantMs: 1 }],
  ])('produces other values with another %s', (_, job) => {
    const one = ['1', 'x', null];
    const other = [{ kind: 'keep' } as const, field(mask('v', (random) => `v${random}`, { job }))];
    expect(run(other, ['v'], [one], 99, job)).not.toEqual(run(simple, ['v'], [one]));
  });

  it('generates values until one differs from the old one', () => {
    const head = [
      { kind: 'keep' } as const,
      field(mask('v', (random) => (random % 2 === 0 ? 'a' : 'b'), { differs: true })),
    ];
    const list = Array.from({ length: 200 }, (_, i) => [String(i), i % 2 === 0 ? 'a' : 'b', null]);
    run(head, ['v'], list).forEach((line, i) => {
      expect(line.split('\t')[1]).toBe(i % 2 === 0 ? 'b' : 'a');
    });
  });

  it('ignores the trailing blanks of char(n) when it compares values', () => {
    const head = [
      { kind: 'keep' } as const,
      field(mask('v', () => 'a', { differs: true, isBlankPadded: true })),
    ];
    expect(() => run(head, ['v'], [['1', 'a   ', null]])).toThrow(MaskingError);
  });

  it(`fails after ${MAX_ATTEMPTS} attempts, without a value in the message`, () => {
    let attempts = 0;
    const produce = () => {
      attempts++;
      return 'secret';
    };
    const head = [{ kind: 'keep' } as const, field(mask('v', produce, { differs: true }))];
    expect(() => run(head, ['v'], [['1', 'secret', null]])).toThrow(
      expect.objectContaining({
        code: 'generation_failed',
        column: 'v',
        message: expect.not.stringContaining('secret'),
      }),
    );
    expect(attempts).toBe(MAX_ATTEMPTS);
  });

  it('cuts a value by code points and reports the column', () => {
    const head = [{ kind: 'keep' } as const, field(mask('v', () => '😀😀é\tx', { maxLength: 4 }))];
    const table = new TextTableMask(head, 1, rowKeyOf(JOB), ['v']);
    const out = new ByteSink();
    new CopyRewriter(2, table.rewrite).push(encode([['1', 'x', 'y']]), out);
    expect(Buffer.from(out.take()).toString('utf8')).toBe('1\t😀😀é\\t\ty\n');
    expect([...table.truncated]).toEqual(['v']);
  });

  it('lets a column read the new values of other columns in any order, and never their originals', () => {
    const greeting = mask('greeting', (_, [first]) => `Hello ${String(first)}`, { references: ['first'] });
    const head = [{ kind: 'keep' } as const, field(greeting), field(mask('first', () => 'Ann'))];
    expect(run(head, ['first', 'greeting'], [['1', 'old greeting', 'old name']])).toEqual([
      '1\tHello Ann\tAnn',
    ]);
  });

  it('refuses columns that refer to each other in a cycle', () => {
    const a = mask('a', () => '', { references: ['b'] });
    const b = mask('b', () => '', { references: ['a'] });
    expect(() => run([{ kind: 'keep' }, field(a), field(b)], ['a', 'b'], [])).toThrow(MaskingRuleError);
  });

  it('writes values of other types in their text form and refuses U+0000', () => {
    const produced: readonly [unknown, string][] = [
      [1.5, '1.5'],
      [true, 'true'],
      [null, '\\N'],
      [{ a: ['x'] }, '{"a":["x"]}'],
      ['a\nb', 'a\\nb'],
    ];
    for (const [made, text] of produced) {
      const head = [{ kind: 'keep' } as const, field(mask('v', () => made))];
      expect(run(head, ['v'], [['1', 'x', 'y']])).toEqual([`1\t${text}\ty`]);
    }
    expect(() => run([{ kind: 'keep' }, field(mask('v', () => 'a\0'))], ['v'], [['1', 'x', 'y']])).toThrow(
      expect.objectContaining({ code: 'value_invalid' }),
    );
  });

  describe('with a consistent rule', () => {
    const key = consistentKeyOf(JOB, { pattern: 'v' }, []);
    const consistent = (name: string, options: Parameters<typeof mask>[2] = {}): ColumnMask => ({
      ...mask(name, (random) => `v${random}`, options),
      key,
      originalKey: originalKeyOf(key),
    });
    const produced = (name: string, list: readonly (readonly (string | null)[])[], job = JOB) =>
      run([{ kind: 'keep' }, field(consistent(name))], [name], list, 1 << 16, job).map(
        (line) => line.split('\t')[1],
      );

    it('gives an original the same value in every row, column and job, and keeps NULL', () => {
      fc.assert(
        fc.property(rows, (list) => {
          const values = produced('v', list);
          const moved = list.map(([id, a, b]) => [`other ${String(id)}`, a ?? null, b ?? null]).reverse();
          expect(produced('w', moved, { ...JOB, seed: 5, referenceInstantMs: 5 }).reverse()).toEqual(values);
          values.forEach((made, i) => {
            const first = list.findIndex((row) => row[1] === list[i]?.[1]);
            expect(made).toBe(values[first]);
            expect(made === '\\N').toBe(list[i]?.[1] === null);
          });
        }),
      );
    });

    it('gives different originals values that do not depend on each other', () => {
      const list = Array.from({ length: 2_000 }, (_, i) => ['1', `value ${i}`, null]);
      expect(new Set(produced('v', list)).size).toBeGreaterThan(1_980);
    });

    it('ignores the trailing blanks of char(n) in the original', () => {
      const padded = run(
        [{ kind: 'keep' }, field(consistent('v', { isBlankPadded: true }))],
        ['v'],
        [['1', 'Ann    ', null]],
      );
      expect(padded.map((line) => line.split('\t')[1])).toEqual(produced('v', [['1', 'Ann', null]]));
    });

    it('generates attempts in the same order for the same original', () => {
      const coin = {
        ...mask('v', (random) => (random % 2 === 0 ? 'a' : 'b'), { differs: true }),
        key,
        originalKey: originalKeyOf(key),
      };
      const list = Array.from({ length: 40 }, (_, i) => [String(i), i % 2 === 0 ? 'a' : 'b', null]);
      run([{ kind: 'keep' }, field(coin)], ['v'], list).forEach((line, i) => {
        expect(line.split('\t')[1]).toBe(i % 2 === 0 ? 'b' : 'a');
      });
    });
  });

  it('drops the fields of kind drop and writes NULL for those of kind null', () => {
    const head: readonly HeadField[] = [{ kind: 'drop' }, { kind: 'null' }, { kind: 'keep' }];
    expect(run(head, [], [['1', 'x', 'y']])).toEqual(['\\N\ty']);
  });
});
