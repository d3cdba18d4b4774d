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

type Produce = (draw: number, bindings: readonly unknown[]) => unknown;

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

const simple: readonly HeadField[] = [{ kind: 'keep' }, field(mask('v', (draw) => `v${draw}`))];
const value = fc.oneof(
  fc.string({ maxLength: 10 }).map((s) => s.replaceAll('\0', '')),
  fc.constant(null),
);
const rows = fc
  .uniqueArray(fc.tuple(fc.nat(), value, value), { selector: ([key]) => key, maxLength: 30 })
  .map((list) => list.map(([key, a, b]) => [String(key), a, b]));

describe('TextTableMask', () => {
  it('gives the same bytes for the same rows, whatever the chunks', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 50 }), (list, chunk) => {
        expect(run(simple, ['v'], list, chunk)).toEqual(run(simple, ['v'], list));
      }),
    );
  });

  it('gives a row the same cells, whatever the other rows', () => {
    fc.assert(
      fc.property(rows, (list) => {
        const together = run(simple, ['v'], list);
        expect(list.flatMap((row) => run(simple, ['v'], [row]))).toEqual(together);
        expect(run(simple, ['v'], [...list].reverse()).reverse()).toEqual(together);
      }),
    );
  });

  it('keeps NULL and passes the fields after the head through', () => {
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
  ])('gives other values under another %s', (_, job) => {
    const one = ['1', 'x', null];
    const other = [{ kind: 'keep' } as const, field(mask('v', (draw) => `v${draw}`, { job }))];
    expect(run(other, ['v'], [one], 99, job)).not.toEqual(run(simple, ['v'], [one]));
  });

  it('draws again until the value is not the old one', () => {
    const head = [
      { kind: 'keep' } as const,
      field(mask('v', (draw) => (draw % 2 === 0 ? 'a' : 'b'), { differs: true })),
    ];
    const list = Array.from({ length: 200 }, (_, i) => [String(i), i % 2 === 0 ? 'a' : 'b', null]);
    run(head, ['v'], list).forEach((line, i) => {
      expect(line.split('\t')[1]).toBe(i % 2 === 0 ? 'b' : 'a');
    });
  });

  it('takes the blanks of char(n) for no difference', () => {
    const head = [
      { kind: 'keep' } as const,
      field(mask('v', () => 'a', { differs: true, isBlankPadded: true })),
    ];
    expect(() => run(head, ['v'], [['1', 'a   ', null]])).toThrow(MaskingError);
  });

  it(`gives up after ${MAX_ATTEMPTS} draws, without a value in the message`, () => {
    let draws = 0;
    const produce = () => {
      draws++;
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
    expect(draws).toBe(MAX_ATTEMPTS);
  });

  it('cuts by code points and tells', () => {
    const head = [{ kind: 'keep' } as const, field(mask('v', () => '😀😀é\tx', { maxLength: 4 }))];
    const table = new TextTableMask(head, 1, rowKeyOf(JOB), ['v']);
    const out = new ByteSink();
    new CopyRewriter(2, table.rewrite).push(encode([['1', 'x', 'y']]), out);
    expect(Buffer.from(out.take()).toString('utf8')).toBe('1\t😀😀é\\t\ty\n');
    expect([...table.truncated]).toEqual(['v']);
  });

  it('lets a column read what other columns produced, in any order, never the originals', () => {
    const greeting = mask('greeting', (_, [first]) => `Hello ${String(first)}`, { references: ['first'] });
    const head = [{ kind: 'keep' } as const, field(greeting), field(mask('first', () => 'Ann'))];
    expect(run(head, ['first', 'greeting'], [['1', 'old greeting', 'old name']])).toEqual([
      '1\tHello Ann\tAnn',
    ]);
  });

  it('refuses columns that refer to each other in a circle', () => {
    const a = mask('a', () => '', { references: ['b'] });
    const b = mask('b', () => '', { references: ['a'] });
    expect(() => run([{ kind: 'keep' }, field(a), field(b)], ['a', 'b'], [])).toThrow(MaskingRuleError);
  });

  it('writes other types by their text form, and refuses U+0000', () => {
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
      ...mask(name, (draw) => `v${draw}`, options),
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

    it('takes the blanks of char(n) for no part of the original', () => {
      const padded = run(
        [{ kind: 'keep' }, field(consistent('v', { isBlankPadded: true }))],
        ['v'],
        [['1', 'Ann    ', null]],
      );
      expect(padded.map((line) => line.split('\t')[1])).toEqual(produced('v', [['1', 'Ann', null]]));
    });

    it('draws again in the same order for the same original', () => {
      const coin = {
        ...mask('v', (draw) => (draw % 2 === 0 ? 'a' : 'b'), { differs: true }),
        key,
        originalKey: originalKeyOf(key),
      };
      const list = Array.from({ length: 40 }, (_, i) => [String(i), i % 2 === 0 ? 'a' : 'b', null]);
      run([{ kind: 'keep' }, field(coin)], ['v'], list).forEach((line, i) => {
        expect(line.split('\t')[1]).toBe(i % 2 === 0 ? 'b' : 'a');
      });
    });
  });

  it('drops and empties fields as told', () => {
    const head: readonly HeadField[] = [{ kind: 'drop' }, { kind: 'null' }, { kind: 'keep' }];
    expect(run(head, [], [['1', 'x', 'y']])).toEqual(['\\N\ty']);
  });
});
