import { compileExpression } from '../src/compile/expression.js';
import { compileTemplate } from '../src/compile/template.js';
import { ExpressionError } from '../src/errors.js';
import fc from 'fast-check';
import { evaluate, testDraws } from './evaluate.js';

const quoted = (name: string): string => `\`${name.replace(/[`\\]/g, '\\$&')}\``;
const compile = (source: string, ...names: string[]): unknown =>
  compileExpression(source, new Map(names.map((name, slot) => [name, slot])));
const render = (template: string, values: Record<string, unknown>): string => {
  const names = new Map(Object.keys(values).map((name, slot) => [name, slot]));
  return compileTemplate(template, names).render(Object.values(values), testDraws());
};

test('back-quotes can refer to any name', () => {
  const name = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('`', '\\', '}', '{', 'a') }),
  );
  fc.assert(
    fc.property(name, (any) => {
      const { evaluate: run, references } = compileExpression(`[${quoted(any)}]`, new Map([[any, 0]]));
      expect(references).toEqual([any]);
      expect(run(['value'], testDraws())).toEqual(['value']);
      expect(render(`{{${quoted(any)}}}!`, { [`_${any}`]: 'wrong', [any]: 'value' })).toBe('value!');
    }),
  );
});

test.each([
  ['{{`first-name`}} {{`2nd`}}', { 'first-name': 'Ada', '2nd': 'Byron' }, 'Ada Byron'],
  ['{{größe}}{{`größe`}}{{имя}}{{名前}}{{ℼ·1}}', { größe: 1, имя: 2, 名前: 3, ℼ·1: 4 }, '11234'],
  ['{{`a b` + `🎉`}}', { 'a b': 1, '🎉': 2 }, '3'],
  ['{{`}}`}}', { '}}': 'x' }, 'x'],
  ['{{`true`}} {{true}} {{`null`}}.', { true: 'x', null: 'y' }, 'x true y.'],
  ['{{`uuid`}}', { uuid: 'mine' }, 'mine'],
  [
    '{{item.`first-name`}} {{item["first-name"]}} {{`it-em`.x}}',
    { item: { 'first-name': 'Ada' }, 'it-em': { x: 1 } },
    'Ada Ada 1',
  ],
])('%s', (template, values, expected) => {
  expect(render(template, values)).toBe(expected);
});

test.each<[source: string, names: string[], message: string]>([
  // Without back-quotes, the grammar does not read these sources as one name. The message suggests the name.
  ['first-name', ['first-name'], 'unknown name "first"; did you mean `first-name`? (at character 1)'],
  ['user-name', ['user-name', 'uber'], 'unknown name "user"; did you mean `user-name`? (at character 1)'],
  ['user-name', ['user', 'user-name'], 'unknown name "name"; did you mean `user-name`? (at character 6)'],
  ['1 + a-b-c', ['a-b', 'a-b-c'], 'unknown name "a"; did you mean `a-b-c`? (at character 5)'],
  ['2nd', ['2nd'], 'a name must not begin with a digit; did you mean `2nd`? (at character 1)'],
  [
    'x + a b',
    ['x', 'a', 'a b'],
    'expected an operator or the end here; did you mean `a b`? (at character 7)',
  ],
  ['🎉', ['🎉'], 'an expression must not contain this character; did you mean `🎉`? (at character 1)'],
  ["it's", ["it's"], "the string opened here is not closed; did you mean `it's`? (at character 3)"],
  ['x(1)', ['x(1)'], 'unknown function "x"; did you mean `x(1)`? (at character 1)'],
  ['firstname', ['first-name'], 'unknown name "firstname"; did you mean `first-name`? (at character 1)'],
  ['`first_name`', ['first-name'], 'unknown name "first_name"; did you mean `first-name`? (at character 1)'],
  ['`fist-name`', ['first-name'], 'unknown name `fist-name`; did you mean `first-name`? (at character 1)'],
  ['a.b', ['c'], 'unknown name "a" (at character 1)'],
  // A back-quoted name is always a name.
  ['`uuid`', [], 'unknown name "uuid"; it is a function and must not be in back-quotes (at character 1)'],
  ['`lowercase`(x)', ['x'], 'expected an operator or the end here (at character 12)'],
  ['`true`', [], 'unknown name `true` (at character 1)'],
  ['`a\nb`', [], 'unknown name of 3 characters in back-quotes (at character 1)'],
  ['``', [], 'unknown name `` (at character 1)'],
  ['"x" + `it\'s mine`', [], 'unknown name of 9 characters in back-quotes (at character 7)'],
  ['a\nb', ['a\nb', 'a'], 'expected an operator or the end here; did you mean `a\ufffdb`? (at character 3)'],
  ['n'.repeat(70), [], `unknown name "${'n'.repeat(64)}…" (at character 1)`],
  ['`open', [], 'the name opened here is not closed by a back-quote (at character 1)'],
  ['`open\\`', [], 'the name opened here is not closed by a back-quote (at character 1)'],
  ['`a\\nb`', [], 'after a backslash, a name in back-quotes may contain only \\` or \\\\ (at character 3)'],
  [`\`${'n-'.repeat(35)}\``, [], 'unknown name of 70 characters in back-quotes (at character 1)'],
])('%s with names %j is refused with a hint', (source, names, message) => {
  expect(() => compile(source, ...names)).toThrow(ExpressionError);
  expect(() => compile(source, ...names)).toThrow(
    new ExpressionError(message.replace(/ \(at.*/, ''), Number(/\d+(?=\)$)/.exec(message)) - 1),
  );
});

test('an unknown name in a template gets a hint too', () => {
  expect(() => compileTemplate('Dear {{last-name}}', new Map([['last-name', 0]]))).toThrow(
    'did you mean `last-name`? (at character 8)',
  );
});

test('a quoted name may be as long as an expression and no longer', () => {
  const fits = 'n'.repeat(4094);
  expect(evaluate(`\`${fits}\``, { [fits]: 1 })).toBe(1);
  expect(() => compile(`\`${fits}n\``, `${fits}n`)).toThrow(expect.objectContaining({ overLimit: true }));
});
