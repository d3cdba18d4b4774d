import { parseColumnRule } from '@understudy/column-rule';
import { CORE_REGISTRY, withCompositions } from '@understudy/generator';
import { NgramTrainer, readModel } from '@understudy/ngram';
import type { CellMask } from './cell-mask.js';
import { compileColumnMask, type MaskingContext } from './compile-column-mask.js';
import { compileJsonMask } from '../rows/json-mask.js';
import { MaskingRuleError } from './masking-errors.js';
import { columnsWithModelText, insertOnly } from './model-text.js';

const NAMES = ['anna', 'annabel', 'bella', 'belinda', 'linda', 'isabella', 'nina', 'lina', 'dana', 'dina'];
const trainer = new NgramTrainer({ order: 2, name: 'n', locale: 'xx' });
for (const name of NAMES) trainer.add(name);
const trained = { model: readModel(trainer.finish()), hash: 'h1' };
const COMPOSITIONS: Readonly<Record<string, object>> = {
  '@me/x:private': {
    params: { m: { type: 'string', default: 'private/n' } },
    let: { v: { type: 'model', source: '{{m}}' } },
    body: '{{v}}',
  },
  '@me/x:compares': {
    params: { given: { type: 'string' }, wanted: { type: 'string', default: 'a' } },
    body: '{{given == wanted}}',
  },
  '@me/x:picks': {
    params: { kind: { type: 'string' } },
    let: { v: { type: 'model', source: 'private/n' } },
    body: "{{v}}{{kind == 'a'}}",
  },
};
const context: MaskingContext = {
  job: { maskingKey: new Uint8Array(32), seed: 1, referenceInstantMs: 0 },
  table: 'public.t',
  models: (id) => (id === 'private/n' || id === 'xx/n' ? trained : undefined),
  registry: withCompositions(CORE_REGISTRY, {
    names: () => Object.keys(COMPOSITIONS),
    read: (name) => {
      const found = COMPOSITIONS[name];
      return found && { name, ...found };
    },
  }),
};

type Rules = Readonly<Record<string, object>>;

/** Returns the columns whose rules are refused. */
function refused(rules: Rules, isProtected = true): string[] {
  const bindings = Object.keys(rules);
  const masks = new Map<string, CellMask>();
  for (const [name, given] of Object.entries(rules)) {
    const parsed = parseColumnRule(given, name);
    if ('problems' in parsed || parsed.rule.kind === 'preserve')
      throw new Error(`expected a rule that produces, got ${JSON.stringify(parsed)}`);
    const { rule } = parsed;
    const column = { name, path: name, isText: name !== 'number', isBlankPadded: false };
    masks.set(
      name,
      rule.kind === 'json'
        ? compileJsonMask({ name, path: name, rule }, bindings, context, () => () => undefined)
        : compileColumnMask({ ...column, rule }, bindings, context),
    );
  }
  const modelColumns = columnsWithModelText(masks.values());
  return [...masks].flatMap(([name, mask]) => {
    try {
      insertOnly(mask, { modelColumns, isProtected });
      return [];
    } catch (error) {
      expect(error).toMatchObject({ code: 'model_text_refused' });
      expect(error).toBeInstanceOf(MaskingRuleError);
      return [name];
    }
  });
}

const model = { generator: 'private/n' };
const inside = { type: 'model', source: 'private/n' };
const some = (...values: unknown[]) => ({ type: 'list', values });
const template = (pattern: string) => ({ generator: 'template', pattern });
const composed = (output: object, steps: object = {}) => ({
  generator: { let: { m: inside, ...steps }, ...output },
});

describe('a rule that inserts text of a private model', () => {
  it.each<[string, Rules]>([
    ['unchanged', { c: model }],
    ['in a template', { c: model, d: template('<{{c}}>, {{c}}') }],
    ['in a composition', { c: composed({ body: '{{m}}@example.test' }) }],
    ['in an object', { c: composed({ output: { name: '{{m}}' } }) }],
    ['by joining', { c: { ...model, transform: "'a' + concat('b', value) + uuid()" } }],
    ['in another case', { c: { ...model, transform: 'title(slug(trim(value)))', nullable: 0.5 } }],
    [
      'beside a comparison of other columns',
      { a: some('x', 'y'), c: model, d: template("{{c}}{{a == 'x' ? 1 : 2}}") },
    ],
    ['beside a constant param', { c: { use: '@me/x:private' }, d: template('{{c}}') }],
    ['at a JSON path', { c: model, d: { json: { a: template('{{c}}'), b: model } } }],
  ])('is accepted: %s', (_, rules) => {
    expect(refused(rules)).toEqual([]);
  });
});

describe('a rule that does more with text of a private model', () => {
  it.each<[string, object]>([
    ['compares it', { ...model, transform: "value == 'a' || value" }],
    ['uses it as an element', { ...model, transform: "['a', value][0]" }],
    ['uses it as a key', { ...model, transform: "['a'][value]" }],
    ['replaces parts of it', { ...model, transform: "replace(value, 'an', 'x')" }],
    ['splits text that it is a part of', { ...model, transform: "split(concat(value, 'a'), 'b')" }],
    ['cuts it', { ...model, transform: 'substring(value, 0, 3)' }],
    ['chooses it', { ...model, transform: "if(true, value, 'a')" }],
    ['negates it', { ...model, transform: "{{!value ? 'a' : 'b'}}" }],
    ['uses it unless it is NULL', { ...model, nullable: 0.5, transform: "coalesce(value, 'a')" }],
    ['picks it', { ...model, transform: "pick(value, 'a')" }],
    ['formats it', { ...model, transform: "date_format(concat('2020-01-0', value), 'YYYY')" }],
    ['names it in back-quotes', { ...model, transform: '`value` == 1' }],
    [
      'calls the model by its full name',
      { use: '@svc/core:model', params: { source: 'private/n' }, transform: 'length(value)' },
    ],
    [
      'transforms it inside of a definition',
      composed({ body: '{{n}}' }, { n: { ...inside, transform: 'length(value)' } }),
    ],
    ['copies and compares it', composed({ computed: "copy == 'a'" }, { copy: { body: '{{m}}' } })],
    ['computes with an object of it', composed({ computed: 'o.name' }, { o: { output: { name: '{{m}}' } } })],
    ['has variants', composed({ variants: [{ pattern: '{{m}}' }, { pattern: 'a' }] })],
    ['has a list of it', composed({ body: '{{l}}' }, { l: some('{{m}}', 'a') })],
    [
      'has a list with a condition',
      composed({ body: '{{l}}' }, { l: { ...some('a', 'b'), where: 'item != m' } }),
    ],
    ['has it as a condition', composed({ body: '{{l}}' }, { l: { ...some('a'), where: 'm' } })],
    ['repeats different items', { generator: { repeat: { count: 2, of: inside, unique: true } } }],
    ['counts with it', composed({ repeat: { count: 'm', of: { body: 'a' } } })],
    [
      'passes it to a generator',
      composed(
        { body: '{{n}}' },
        { n: { type: 'model', source: 'xx/n', constraints: { starts_with: '{{m}}' } } },
      ),
    ],
    [
      'passes it to a composition',
      composed({ body: '{{n}}' }, { n: { use: '@me/x:compares', params: { given: '{{m}}' } } }),
    ],
    ['compares the text of a composition', { use: '@me/x:private', transform: "value == 'a'" }],
  ])('is refused: it %s', (_, rule) => {
    expect(refused({ c: rule })).toEqual(['c']);
  });

  it.each<[string, Rules, string[]]>([
    ['in a template', { c: model, d: template("{{c == 'a'}}") }, ['d']],
    ['in its transform', { c: model, d: { ...some('x'), transform: "c == 'a' ? value : 'b'" } }, ['d']],
    [
      'by way of a third column',
      { a: template("{{contains(d, 'a')}}"), c: model, d: template('{{c}}') },
      ['a'],
    ],
    [
      'after it inserted it',
      { c: model, d: { ...template('{{c}}{{c}}'), transform: 'at(value, 2)' } },
      ['d'],
    ],
    ['as a param', { c: model, d: { use: '@me/x:picks', params: { kind: '{{c}}' } } }, ['d']],
    ['in a column of numbers', { c: model, number: template('1{{c}}') }, ['number']],
    ['at a JSON path', { c: model, d: { json: { a: template("{{c == 'a'}}") } } }, ['d']],
    ['as a part of a document', { c: { json: { a: model } }, d: template("{{c == 'a'}}") }, ['d']],
    ['in a cycle', { c: template('{{d}}'), d: { ...model, transform: "concat(value, c == 'a')" } }, ['d']],
  ])('is refused if it reads another column and inspects it %s', (_, rules, columns) => {
    expect(refused(rules)).toEqual(columns);
  });

  it('is refused if it reads another column, and differs from originals that the policy does not protect', () => {
    const rules = { c: model, d: { ...template('{{c}}'), differs: true } };
    expect(refused(rules, false)).toEqual(['d']);
    const byDefault = { c: model, d: { generator: 'xx/n', transform: 'c' } };
    expect(refused(byDefault, false)).toEqual(['d']);
    expect(refused(byDefault)).toEqual([]);
  });

  it('is refused if it differs explicitly, because chosen texts can be among the values that are counted', () => {
    expect(refused({ c: { ...model, differs: true } }, false)).toEqual(['c']);
    expect(refused({ c: model }, false)).toEqual([]);
  });

  it('is accepted if the model is public', () => {
    expect(
      refused({ c: { generator: 'xx/n', transform: "value == 'a'" }, d: template("{{c == 'a'}}") }),
    ).toEqual([]);
  });
});

describe('a private model under a policy that protects columns', () => {
  const compile = (rule: object) => {
    const parsed = parseColumnRule({ ...model, ...rule }, 'c');
    if ('problems' in parsed || parsed.rule.kind !== 'model') throw new Error('expected a rule with a model');
    const column = { name: 'c', path: 'c', rule: parsed.rule, isText: true, isBlankPadded: false };
    return compileColumnMask(column, ['c'], { ...context, refusesChosenText: true });
  };

  it.each([
    [{ constraints: { starts_with: 'a' } }],
    [{ constraints: { ends_with: 'a' } }],
    [{ constraints: { contains: 'a' } }],
    [{ generation: { mode: 'text', params: { starts_with: 'a' } } }],
    [{ generation: { mode: 'acrostic', params: { initials: 'ab' } } }],
  ])('refuses text that the rule chooses: %j', (rule) => {
    expect(() => compile(rule)).toThrow(expect.objectContaining({ code: 'model_text_refused' }) as Error);
  });

  it('accepts constraints that choose no text', () => {
    expect(() => compile({ constraints: { starts_with: '', max_length: 9 } })).not.toThrow();
  });
});
