import { FEWEST_DIFFERING_VALUES, parseColumnRule } from '@understudy/column-rule';
import { CORE_REGISTRY } from '@understudy/generator';
import { NgramTrainer, readModel } from '@understudy/ngram';
import type { CellMask } from './cell-mask.js';
import { compileColumnMask, type MaskingContext } from './compile-column-mask.js';
import { compileJsonMask } from '../rows/json-mask.js';
import { resolveDiffers } from './resolve-differs.js';

const NAMES = ['anna', 'annabel', 'bella', 'belinda', 'linda', 'isabella', 'nina', 'lina', 'dana', 'dina'];
const trainer = new NgramTrainer({ order: 2, name: 'n', locale: 'xx' });
for (const name of NAMES) trainer.add(name);
const model = readModel(trainer.finish());
const values = (count: number): string[] => Array.from({ length: count }, (_, i) => `value ${i}`);
const MODELS: Readonly<Record<string, ReturnType<MaskingContext['models']>>> = {
  'xx/names': { model, hash: 'h1' },
  'private/names': { model, hash: 'h1' },
  'custom/few': { model: { kind: 'list', values: values(19) }, hash: 'h2' },
};
const context: MaskingContext = {
  job: { maskingKey: new Uint8Array(32), seed: 1, referenceInstantMs: 0 },
  table: 'public.t',
  models: (id) => MODELS[id],
  registry: CORE_REGISTRY,
};

/** Resolves the rules and returns `differs` of the mask of column `c`. */
function differs(
  rules: Readonly<Record<string, unknown>>,
  { isProtected = false, maxLength }: { isProtected?: boolean; maxLength?: number } = {},
): boolean {
  const bindings = Object.keys(rules);
  const masks = new Map<string, CellMask>();
  for (const [name, given] of Object.entries(rules)) {
    const parsed = parseColumnRule(given, name);
    if ('problems' in parsed || parsed.rule.kind === 'preserve')
      throw new Error('expected a rule that produces');
    const { rule } = parsed;
    const column = { name, path: name, isText: true, isBlankPadded: false, ...(maxLength && { maxLength }) };
    masks.set(
      name,
      rule.kind === 'json'
        ? compileJsonMask({ name, path: name, rule }, bindings, context, () => () => undefined)
        : compileColumnMask({ ...column, rule }, bindings, context),
    );
  }
  const resolved = resolveDiffers(masks.get('c') as CellMask, { masks, bindings, isProtected });
  return 'leaves' in resolved ? resolved.leaves.every(({ mask }) => mask.differs) : resolved.differs;
}

const list = (count: number) => ({ type: 'list', values: values(count) });
const integers = (count: number) => ({
  type: 'svc',
  algorithm: 'int_between',
  params: { min: 1, max: count },
});
const composed = (count: number) => ({ let: { x: list(count) }, body: 'a {{x}}' });

describe('a rule with differs: true', () => {
  it.each([
    ['a list', list],
    ['a range of integers', integers],
    ['a composition', (count: number) => ({ generator: composed(count) })],
    ['a list with an expression', (count: number) => ({ ...list(count), transform: 'uppercase(value)' })],
    [
      'a list with a very rare value',
      (count: number) => ({
        type: 'list',
        values: [...values(count).map((value) => ({ value, weight: 1 })), { value: 'rare', weight: 1e-9 }],
      }),
    ],
  ])('refuses 19 distinct values of %s and accepts 20', (_, rule) => {
    expect(FEWEST_DIFFERING_VALUES).toBe(20);
    expect(() => differs({ c: { ...rule(19), differs: true } })).toThrow(
      'c.differs: true needs a rule with at least 20 distinct values, got 19',
    );
    expect(differs({ c: { ...rule(20), differs: true } })).toBe(true);
  });

  it.each([
    ['true and false', { type: 'svc', algorithm: 'boolean' }],
    ['one constant', { generator: 'template', pattern: 'same' }],
    ['a list whose expression makes all values equal', { ...list(15), transform: '"x"' }],
    [
      'a model with constraints that permit few words',
      { generator: 'xx/names', constraints: { starts_with: 'dan', max_length: 5 } },
    ],
    ['the list behind a model id', { generator: 'custom/few' }],
    ['one of two lists', { type: 'list', values: [...values(10), ...values(10)] }],
  ])('is refused for %s with too few distinct values', (_, rule) => {
    expect(() => differs({ c: { ...rule, differs: true } })).toThrow(
      'c.differs: true needs a rule with at least 20 distinct values',
    );
  });

  it('counts the distinct values that remain after they are cut to the column', () => {
    const rule = { type: 'list', values: values(100), differs: true };
    expect(differs({ c: rule })).toBe(true);
    expect(() => differs({ c: rule }, { maxLength: 7 })).toThrow('got 10');
  });

  it('counts the distinct values that a template makes from the columns that it reads', () => {
    const rule = { generator: 'template', pattern: '{{word}}@example.com', differs: true };
    expect(differs({ word: { generator: 'xx/names' }, c: rule })).toBe(true);
    expect(() => differs({ word: list(2), c: rule })).toThrow('got 2');
    expect(() =>
      differs({ deep: list(3), word: { generator: 'template', pattern: '{{deep}}' }, c: rule }),
    ).toThrow('got 3');
  });

  it('is refused for a value in a document as for a column', () => {
    expect(() => differs({ c: { json: { a: { ...list(19), differs: true } } } })).toThrow(
      'c.json.a.differs: true',
    );
    expect(differs({ c: { json: { a: { ...list(20), differs: true } } } })).toBe(true);
  });
});

describe('a model rule without differs', () => {
  it('produces a value other than the old one if the model has enough words', () => {
    expect(differs({ c: { generator: 'xx/names' } })).toBe(true);
    expect(differs({ c: { generator: 'private/names' } })).toBe(true);
  });

  it.each([
    ['few values', { generator: 'custom/few' }, false],
    [
      'few words under its constraints',
      { generator: 'xx/names', constraints: { starts_with: 'dan', max_length: 5 } },
      false,
    ],
    ['any number of words on a protected column', { generator: 'xx/names' }, true],
  ])('may keep the old value if the model has %s', (_, rule, isProtected) => {
    expect(differs({ c: rule }, { isProtected })).toBe(false);
  });
});
