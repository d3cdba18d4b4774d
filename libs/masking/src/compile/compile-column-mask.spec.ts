import type { ColumnRule, ProducingRule } from '@understudy/column-rule';
import { CORE_REGISTRY, withCompositions } from '@understudy/generator';
import { NgramTrainer, readModel } from '@understudy/ngram';
import type { MaskedColumn } from './column-mask.js';
import { compileColumnMask, type MaskingContext } from './compile-column-mask.js';

const ORIGINALS = [
  'anna',
  'annabel',
  'bella',
  'belinda',
  'linda',
  'isabella',
  'nina',
  'lina',
  'dana',
  'dina',
];

function trained(): MaskingContext['models'] {
  const trainer = new NgramTrainer({ order: 2, name: 'n', locale: 'xx' });
  for (const value of ORIGINALS) trainer.add(value);
  const model = readModel(trainer.finish());
  return (id) => (id === 'private/n' || id === 'xx/n' ? { model, hash: 'h1' } : undefined);
}

const context: MaskingContext = {
  job: { maskingKey: new Uint8Array(32), seed: 1, referenceInstantMs: 0 },
  table: 'public.t',
  models: trained(),
};

function column(
  rule: Exclude<ColumnRule, { kind: 'preserve' }> & ProducingRule,
  more: Partial<MaskedColumn> = {},
): MaskedColumn {
  return { name: 'c', path: 'p', rule, isText: true, isBlankPadded: false, ...more };
}

function generate(masked: MaskedColumn, count = 500): string[] {
  const { plan, key } = compileColumnMask(masked, ['c'], context);
  return Array.from({ length: count }, (_, row) => String(plan.value(key, 0, row, 0, [null])));
}

describe('compileColumnMask', () => {
  it('generates words that fit the column', () => {
    const words = generate(column({ kind: 'model', modelId: 'xx/n' }, { maxLength: 3 }));
    expect(Math.max(...words.map((word) => word.length))).toBeLessThanOrEqual(3);
  });

  it('never returns a training value of a private model, even if the rule permits it', () => {
    const words = generate(
      column({ kind: 'model', modelId: 'private/n', constraints: { exclude_originals: false } }),
    );
    expect(words.filter((word) => ORIGINALS.includes(word))).toEqual([]);
  });

  it('never returns a training value from inside a composition', () => {
    const definition = { let: { x: { type: 'model', source: 'private/n' } }, body: '{{x}}' };
    const words = generate(column({ kind: 'definition', definition }));
    expect(words.filter((word) => ORIGINALS.includes(word))).toEqual([]);
  });

  it('never returns a training value for a model id that a composition computes from its params', () => {
    const definition = {
      params: { m: { type: 'string', default: 'private/n' } },
      let: { x: { type: 'model', source: '{{m}}' } },
      body: '{{x}}',
    };
    const words = generate(column({ kind: 'definition', definition }), 2_000);
    expect(words.filter((word) => ORIGINALS.includes(word))).toEqual([]);
  });

  it('resolves a model id that names a list or a composition', () => {
    const made: MaskingContext = {
      ...context,
      models: (id) =>
        id === 'xx/list'
          ? { model: { kind: 'list', values: ['Ann', 'Isabella'] }, hash: 'l1' }
          : id === 'xx/made'
            ? { model: { kind: 'composition', use: '@t/t:made' }, hash: 'c1' }
            : context.models(id),
      registry: withCompositions(CORE_REGISTRY, {
        names: () => [],
        read: (name) => ({ name, let: { n: { type: 'model', source: 'xx/list' } }, body: 'Dr {{n}}' }),
      }),
      assets: (name) => (name === 'xx/list' ? ['Ann'] : undefined),
    };
    const distinct = (masked: MaskedColumn): Set<string> => {
      const { plan, key } = compileColumnMask(masked, ['c'], made);
      return new Set(Array.from({ length: 50 }, (_, row) => String(plan.value(key, 0, row, 0, [null]))));
    };
    expect(distinct(column({ kind: 'model', modelId: 'xx/list' }, { maxLength: 3 }))).toEqual(
      new Set(['Ann']),
    );
    // A composition's text is generated in full. It is cut to the column's length later, like that of any
    // definition.
    expect(distinct(column({ kind: 'model', modelId: 'xx/made' }, { maxLength: 3 }))).toEqual(
      new Set(['Dr Ann', 'Dr Isabella']),
    );
    const list = { type: 'list', source: 'xx/list' };
    expect(distinct(column({ kind: 'definition', definition: list }))).toEqual(new Set(['Ann']));
    const use = { use: '@t/t:made' };
    expect(distinct(column({ kind: 'definition', definition: use })).size).toBe(2);
  });

  it('makes model rules on text differ from the old value by default, but not other rules', () => {
    const differs = (masked: MaskedColumn) => compileColumnMask(masked, ['c'], context).differs;
    expect(differs(column({ kind: 'model', modelId: 'xx/n' }))).toBe(true);
    expect(differs(column({ kind: 'model', modelId: 'xx/n' }, { isText: false }))).toBe(false);
    expect(differs(column({ kind: 'model', modelId: 'xx/n', differs: false }))).toBe(false);
    expect(differs(column({ kind: 'template', pattern: 'x' }))).toBe(false);
  });

  it('derives another key for another rule, column, table or model file', () => {
    const key = (masked: MaskedColumn, other: Partial<MaskingContext> = {}) =>
      JSON.stringify(compileColumnMask(masked, ['c'], { ...context, ...other }).key);
    const rule = { kind: 'model', modelId: 'xx/n' } as const;
    const found = context.models('xx/n');
    const keys = [
      key(column(rule)),
      key(column({ ...rule, nullable: 0.5 })),
      key(column(rule, { name: 'd' })),
      key(column(rule), { table: 'public.u' }),
      key(column(rule), { models: () => found && { ...found, hash: 'h2' } }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(key(column({ modelId: 'xx/n', kind: 'model' }))).toBe(keys[0]);
  });

  it('derives the same key for a consistent rule in every column, table, job and notation', () => {
    const rule = { kind: 'model', modelId: 'xx/n', consistent: true } as const;
    const job = { ...context.job, seed: 9, referenceInstantMs: 9 };
    const key = (masked: MaskedColumn, other: Partial<MaskingContext> = {}) => {
      const mask = compileColumnMask(masked, ['c', 'd'], { ...context, ...other });
      return JSON.stringify([mask.key, mask.originalKey]);
    };
    const own = key(column(rule));
    expect(key(column(rule, { name: 'd', maxLength: 3 }), { table: 'public.u', job })).toBe(own);
    const definition = { type: 'model', source: 'xx/n' };
    expect(key(column({ kind: 'definition', definition, consistent: true }))).toBe(own);
    const found = context.models('xx/n');
    const others = [
      key(column({ ...rule, nullable: 0.5 })),
      key(column(rule), { models: () => found && { ...found, hash: 'h2' } }),
      key(column(rule), { job: { ...job, maskingKey: new Uint8Array(32).fill(1) } }),
    ];
    expect(new Set([own, ...others]).size).toBe(4);
  });

  it('generates the same consistent word for columns of different lengths', () => {
    const rule = { kind: 'model', modelId: 'xx/n', consistent: true } as const;
    expect(generate(column(rule, { maxLength: 3 }))).toEqual(generate(column(rule)));
  });

  it('refuses a consistent rule that reads another column', () => {
    const rule = { kind: 'template', pattern: '{{d}}', consistent: true } as const;
    expect(() => compileColumnMask(column(rule), ['c', 'd'], context)).toThrow(
      expect.objectContaining({
        code: 'rule_depends_on_row',
        problems: [{ path: 'p.consistent', message: expect.any(String) as string }],
      }),
    );
  });

  it.each([
    ['model_not_found', { kind: 'model', modelId: 'xx/gone' }],
    ['rule_invalid', { kind: 'template', pattern: '{{other}}' }],
    ['rules_in_cycle', { kind: 'template', pattern: '{{c}}' }],
    ['model_exhausted', { kind: 'model', modelId: 'xx/n', constraints: { min_length: 9, max_length: 2 } }],
    ['rule_invalid', { kind: 'model', modelId: 'private/n', generation: { mode: 'real_word' } }],
  ] as const)('reports %s before any row for the rule %j', (code, rule) => {
    expect(() => compileColumnMask(column(rule), ['c'], context)).toThrow(
      expect.objectContaining({ code, column: 'c' }),
    );
  });
});
