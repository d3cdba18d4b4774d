import { definitionOfRule, parseColumnRule, type ColumnRule } from './index.js';

const AT = 'tables[0].columns.email';
const NAME = { generator: 'en_US/first_names' };

function ruleOf(value: unknown): ColumnRule {
  const parsed = parseColumnRule(value, AT);
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems));
  return parsed.rule;
}

function problemsOf(value: unknown): readonly { path: string; message: string }[] {
  const parsed = parseColumnRule(value, AT);
  return 'problems' in parsed ? parsed.problems : [];
}

describe('parseColumnRule', () => {
  it('parses the three forms of the reference', () => {
    expect(ruleOf({ preserve: true })).toEqual({ kind: 'preserve' });
    expect(ruleOf({ generator: 'en_US/first_names' })).toEqual({
      kind: 'model',
      modelId: 'en_US/first_names',
    });
    expect(ruleOf({ generator: 'template', pattern: 'u-{{uuid}}' })).toEqual({
      kind: 'template',
      pattern: 'u-{{uuid}}',
    });
  });

  it('parses a generator definition instead of a model id and moves its modifiers to the rule', () => {
    const expected = {
      kind: 'definition',
      definition: { type: 'svc', algorithm: 'digits', params: { digits: 4 } },
      nullable: 0.1,
    };
    expect(ruleOf({ type: 'svc', algorithm: 'digits', params: { digits: 4 }, nullable: true })).toEqual(
      expected,
    );
    expect(
      ruleOf({ generator: { type: 'svc', algorithm: 'digits', params: { digits: 4 } }, nullable: true }),
    ).toEqual(expected);
  });

  it('adds the defaults of training options', () => {
    expect(ruleOf({ generator: 'private/names', train: {} })).toEqual({
      kind: 'model',
      modelId: 'private/names',
      train: { order: 4, minValues: 5 },
    });
    expect(ruleOf({ generator: 'private/names', train: { order: 3, min_values: 9 } })).toMatchObject({
      train: { order: 3, minValues: 9 },
    });
  });

  it('parses modifiers', () => {
    expect(
      ruleOf({
        generator: 'en_US/first_names',
        nullable: 0.25,
        transform: 'uppercase(value)',
        constraints: { starts_with: 'A' },
        differs: false,
      }),
    ).toEqual({
      kind: 'model',
      modelId: 'en_US/first_names',
      nullable: 0.25,
      transform: 'uppercase(value)',
      constraints: { starts_with: 'A' },
      differs: false,
    });
  });

  it.each<[string, unknown, string]>([
    ['a string', 'preserve', AT],
    ['no form', {}, AT],
    ['two forms', { preserve: true, generator: 'template' }, AT],
    ['preserve: false', { preserve: false }, `${AT}.preserve`],
    ['preserve with a modifier', { preserve: true, nullable: 0.5 }, `${AT}.nullable`],
    ['a template without a pattern', { generator: 'template' }, `${AT}.pattern`],
    ['a number as pattern', { generator: 'template', pattern: 5 }, `${AT}.pattern`],
    ['an empty pattern', { generator: 'template', pattern: '' }, `${AT}.pattern`],
    ['a pattern past 4 KiB', { generator: 'template', pattern: 'x'.repeat(4097) }, `${AT}.pattern`],
    ['a bad model id', { generator: 'first names' }, `${AT}.generator`],
    ['a path as model id', { generator: 'a/b/../c' }, `${AT}.generator`],
    ['an unknown key', { generator: 'en_US/first_names', patern: 'x' }, `${AT}.patern`],
    ['training a built-in', { generator: 'en_US/first_names', train: {} }, `${AT}.train`],
    ['an order of 9', { generator: 'private/x', train: { order: 9 } }, `${AT}.train.order`],
    ['an order as text', { generator: 'private/x', train: { order: '4' } }, `${AT}.train.order`],
    ['nullable as text', { generator: 'en_US/first_names', nullable: '0.5' }, `${AT}.nullable`],
    ['nullable of 1.5', { generator: 'en_US/first_names', nullable: 1.5 }, `${AT}.nullable`],
    ['consistent as text', { generator: 'en_US/first_names', consistent: 'yes' }, `${AT}.consistent`],
    ['unique as text', { generator: 'en_US/first_names', unique: 'yes' }, `${AT}.unique`],
    [
      'unique as text inside a definition',
      { generator: { type: 'list', values: ['a'], unique: 1 } },
      `${AT}.generator.unique`,
    ],
    ['unique at a path', { json: { a: { ...NAME, unique: true } } }, `${AT}.json.a.unique`],
    ['json beside another form', { json: { a: NAME }, type: 'list' }, AT],
    ['json with a modifier', { json: { a: NAME }, nullable: true }, `${AT}.nullable`],
    ['json as a list', { json: ['a'] }, `${AT}.json`],
    ['json without a path', { json: {} }, `${AT}.json`],
    [
      '101 paths',
      { json: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`k${i}`, NAME])) },
      `${AT}.json`,
    ],
    ['preserve at a path', { json: { a: { preserve: true } } }, `${AT}.json.a`],
    ['json inside json', { json: { a: { json: { b: NAME } } } }, `${AT}.json.a.json`],
    ['training at a path', { json: { a: { generator: 'private/x', train: {} } } }, `${AT}.json.a.train`],
    ['a wrong rule at a path', { json: { 'a.b': { generator: 'x' } } }, `${AT}.json["a.b"].generator`],
    ['a path inside another', { json: { a: NAME, 'a.b': NAME } }, `${AT}.json["a.b"]`],
    ['an element inside all of them', { json: { 'a[*]': NAME, 'a[0].b': NAME } }, `${AT}.json["a[0].b"]`],
    ['one path in two spellings', { json: { a: NAME, '"a"': NAME } }, `${AT}.json["\\"a\\""]`],
    ...[
      '',
      '.a',
      'a.',
      'a..b',
      'a[',
      'a[-1]',
      'a[01]',
      'a.[0]',
      'a b',
      '"a',
      'a"b"',
      '[*]x',
      '$.a',
      '$[0]',
      '@.a',
      'a.*',
      '*',
      'a.*.b',
      'a.0',
      '0',
      'a\\.b',
      '#/a',
      'a,b',
      'a|b',
      'a::text',
      "a.'b'",
      '/a/b',
      '{a,b}',
      '#.a',
      'a.?(@)',
      'a->b',
      "a->>'b'",
      'a'.repeat(501),
    ].map((path): [string, unknown, string] => [
      `the path ${path.slice(0, 10)}`,
      { json: { [path]: NAME } },
      `${AT}.json`,
    ]),
  ])('rejects %s and reports the path', (_, value, path) => {
    const paths = problemsOf(value).map((problem) => problem.path);
    expect(paths.filter((at) => at === path || at.startsWith(`${path}[`))).toHaveLength(1);
  });

  it('parses paths into a document, each with its own rule', () => {
    const rule = { generator: 'template', pattern: 'x' };
    const paths = {
      'contact.email': rule,
      'phones[*].no': rule,
      '[0]."odd.\\u0041"[12]': rule,
      größe: rule,
      '"*"."$".$ref': rule,
    };
    expect(ruleOf({ json: paths })).toMatchObject({
      kind: 'json',
      paths: [
        {
          steps: ['contact', 'email'],
          rule: { kind: 'template', pattern: 'x' },
          path: `${AT}.json["contact.email"]`,
        },
        { steps: ['phones', null, 'no'] },
        { steps: [0, 'odd.A', 12] },
        { steps: ['größe'] },
        { steps: ['*', '$', '$ref'] },
      ],
    });
  });

  it('rejects deeply nested rules without a stack overflow', () => {
    let rule: unknown = NAME;
    for (let i = 0; i < 100_000; i++) rule = { json: { a: rule } };
    expect(problemsOf(rule)).toHaveLength(1);
  });

  it('treats consistent: false as an absent modifier', () => {
    expect(ruleOf({ ...NAME, consistent: true })).toMatchObject({ consistent: true });
    expect(ruleOf({ ...NAME, consistent: false })).toEqual(ruleOf(NAME));
  });

  it('parses unique in a rule and in its generator definition', () => {
    const list = { type: 'list', values: ['a'] };
    const expected = { kind: 'definition', definition: list, unique: true };
    expect(ruleOf({ ...list, unique: true })).toEqual(expected);
    expect(ruleOf({ generator: { ...list, unique: true } })).toEqual(expected);
    expect(ruleOf({ generator: list, unique: true })).toEqual(expected);
    expect(ruleOf({ generator: 'template', pattern: 'x', unique: true })).toMatchObject({ unique: true });
    expect(ruleOf({ ...NAME, unique: false })).toEqual(ruleOf(NAME));
  });

  it('reports every problem in one call', () => {
    expect(problemsOf({ generator: 'en_US/first_names', nullable: 2, unique: 1, colour: 1 })).toHaveLength(3);
  });

  it('reports the length of a pattern but never its text', () => {
    const [problem] = problemsOf({ generator: 'template', pattern: 'topsecret'.repeat(1000) });
    expect(problem?.message).toContain('9000 characters');
    expect(JSON.stringify(problemsOf({ generator: 'topsecret value' }))).not.toContain('topsecret');
  });

  it('rejects __proto__ as an unknown key instead of reading it as a prototype', () => {
    const rule: unknown = JSON.parse('{"generator":"en_US/first_names","__proto__":{"nullable":1}}');
    expect(problemsOf(rule).map((problem) => problem.path)).toEqual([`${AT}.__proto__`]);
  });
});

describe('definitionOfRule', () => {
  it('returns a definition that includes the modifiers', () => {
    const rule = ruleOf({ generator: 'en_US/first_names', nullable: 0.5, constraints: { max_length: 5 } });
    expect(rule.kind === 'model' && definitionOfRule(rule)).toEqual({
      type: 'model',
      source: 'en_US/first_names',
      nullable: 0.5,
      constraints: { max_length: 5 },
    });
  });
});
