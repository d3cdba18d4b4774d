import { compileExpression } from '../src/compile/expression.js';
import { compileTemplate } from '../src/compile/template.js';
import { EvaluationError, ExpressionError } from '../src/errors.js';
import { evaluate, testDraws } from './evaluate.js';

const VALUES = {
  item: JSON.parse('{"name":"Ada","tags":["x","y"]}') as object,
  value: 'text',
  list: ['a', 'b', 'c'],
  n: 1,
};
const overLimit = expect.objectContaining({ overLimit: true });

describe('escape attempts that are refused before they run', () => {
  test.each<[attempt: string, reason: string, why: string]>([
    [
      "constructor.constructor('return process')()",
      'expected an operator or the end',
      'what is called is a name of the table, never a value',
    ],
    [
      "''['constructor']['constructor']('return process')()",
      'expected an operator or the end',
      'what is called is a name of the table, never a value',
    ],
    ['value.toString()', 'expected an operator or the end', 'there are no methods'],
    ['[].map(x)', 'expected an operator or the end', 'there are no methods'],
    ["item['constructor']('x')", 'expected an operator or the end', 'there are no methods'],
    ['(lowercase)(value)', 'expected an operator or the end', 'a function is no value'],
    ['[lowercase][0]', 'it is a function and needs arguments', 'a function is no value'],
    ["`lowercase`('X')", 'expected an operator or the end', 'a name in back-quotes is never called'],
    ['constructor.constructor', 'unknown name', 'the scope is a Map'],
    ["hasOwnProperty('x')", 'unknown function', 'the table is a Map of its own'],
    ["__proto__('x')", 'unknown function', 'the table is a Map of its own'],
    ['__proto__', 'unknown name', 'the scope is a Map'],
    ['this', 'unknown name', 'there is no receiver'],
    ['this.constructor', 'unknown name', 'there is no receiver'],
    ['globalThis', 'unknown name', 'globals are not in scope'],
    ['window', 'unknown name', 'globals are not in scope'],
    ['process.env', 'unknown name', 'globals are not in scope'],
    ["require('fs')", 'unknown function', 'globals are not in scope'],
    ["import('fs')", 'unknown function', 'the words of JavaScript mean nothing'],
    ["eval('1')", 'unknown function', 'globals are not in scope'],
    ["Function('return 1')()", 'expected an operator or the end', 'globals are not in scope'],
    ['arguments', 'unknown name', 'there is no function around'],
    ['undefined', 'unknown name', 'null is the one value that is none'],
    ['NaN', 'unknown name', 'numbers are finite'],
    ['`${process}`', 'unknown name', 'back-quotes hold a name, no template literal'],
    ['`a${1}`', 'unknown name', 'back-quotes hold a name, no template literal'],
    ['n = 2', 'must not contain this character', 'there is no assignment'],
    ['n += 2', 'must not contain this character', 'there is no assignment'],
    ['n++', 'expected a value', 'there is no assignment'],
    ['item.name = 2', 'must not contain this character', 'there is no assignment'],
    ['(x) => x', 'must not contain this character', 'there are no functions to write'],
    ['function() {}', 'must not contain this character', 'there are no functions to write'],
    ['{}', 'must not contain this character', 'there are no objects to write'],
    ["{['__proto__']: 1}", 'must not contain this character', 'there are no objects to write'],
    ['new Date', 'expected an operator or the end', 'there is nothing to construct'],
    ["new('Date')", 'unknown function', 'there is nothing to construct'],
    ['[...list]', 'expected a value before "."', 'there is no spreading'],
    ['concat(...list)', 'expected a value before "."', 'there is no spreading'],
    ['[1,,2]', 'expected a value before ","', 'arrays have no holes'],
    ['/a+/', 'expected a value before "/"', 'there are no patterns to write'],
    ["/(a+)+$/['test'](value)", 'expected a value before "/"', 'there are no patterns to write'],
    ['1 /* x */', 'expected a value before "*"', 'there are no comments'],
    ['1 // x', 'expected a value before "/"', 'there are no comments'],
    ['<!-- 1', 'expected a value before "<"', 'there are no comments'],
    ['1; 2', 'must not contain this character', 'an expression is one'],
    ['1, 2', 'expected an operator or the end', 'an expression is one'],
    ['item?.name', 'expected a value before "."', 'members of null are null anyway'],
    ['item ?? 1', 'expected a value before "?"', 'coalesce does that'],
    ['typeof n', 'expected an operator or the end', 'the words of JavaScript mean nothing'],
    ['void 0', 'expected an operator or the end', 'the words of JavaScript mean nothing'],
    ["'a' in item", 'expected an operator or the end', 'the words of JavaScript mean nothing'],
    ['item instanceof item', 'expected an operator or the end', 'the words of JavaScript mean nothing'],
    ['n ** 2', 'expected a value before "*"', 'there is no such operator'],
    ['n & 1', 'must not contain this character', 'there is no such operator'],
    ['~n', 'must not contain this character', 'there is no such operator'],
    ['\\u0063onstructor', 'must not contain this character', 'a name has no escapes'],
    ['item.\\u0063onstructor', 'must not contain this character', 'a name has no escapes'],
    ['item.#name', 'must not contain this character', 'there are no private members'],
    ['@item', 'must not contain this character', 'there are no decorators'],
    ['1e999', 'the number is too large', 'numbers are finite'],
    ['0x10', 'a name must not begin with a digit', 'numbers are decimal'],
    ['1_000', 'a name must not begin with a digit', 'numbers have no separators'],
    ['1n', 'a name must not begin with a digit', 'numbers have no suffix'],
    ['n\0', 'must not contain this character', 'NUL is no white space'],
    ['\ud800', 'must not contain this character', 'half a character is no letter'],
    ['n\ud800', 'must not contain this character', 'half a character is no letter'],
    ['ｎ', 'unknown name', 'letters that look alike are others'],
    ["'\ud800", 'is not closed', 'a text ends where it began'],
    ['a'.repeat(4096), 'unknown name', 'a name may be long, and is cut in messages'],
  ])('%j: %s, since %s', (attempt, reason) => {
    const compile = (): unknown => evaluate(attempt, VALUES);
    expect(compile).toThrow(ExpressionError);
    expect(compile).toThrow(
      expect.objectContaining({ reason: expect.stringContaining(reason), overLimit: false }),
    );
    expect(compile).toThrow(expect.objectContaining({ message: expect.not.stringMatching(/.{300}/) }));
  });
});

describe('escape attempts that are harmless when they run', () => {
  test.each<[attempt: string, result: unknown, why: string]>([
    ["''['constructor']", null, 'text has no members'],
    ['value.constructor', null, 'text has no members'],
    ['value.length', null, 'text has no members'],
    ['value[0]', null, 'text has no members'],
    ['n.constructor.constructor', null, 'numbers have no members, nor has null'],
    ['true.constructor', null, 'booleans have no members'],
    ['null.constructor', null, 'null has no members'],
    ['item.constructor', null, 'members are own members'],
    ["item['con' + 'structor']", null, 'a computed name is a name'],
    ["item[join(['con', 'structor'], '')]", null, 'a computed name is a name'],
    ["at(item, 'constructor')", null, 'so is an argument'],
    ["item['\\u0063onstructor']", null, 'there is no such escape in a text either'],
    ['item.__proto__', null, 'members are own members'],
    ["item['__proto__']", null, 'members are own members'],
    ["item[['__proto__']]", null, 'a key is text and nothing becomes it'],
    ['item.hasOwnProperty', null, 'members are own members'],
    ['item.__defineGetter__', null, 'members are own members'],
    ['item.`toString`', null, 'members are own members'],
    ['list.length', null, 'an array has only elements'],
    ["list['length']", null, 'an array has only elements'],
    ['list.map', null, 'an array has only elements'],
    ['[].map', null, 'an array has only elements'],
    ["list['constructor']", null, 'an array has only elements'],
    ["list['0']", null, 'an index is a number'],
    ['list[-0]', 'a', '-0 is 0'],
    ['list[-1]', null, 'an index counts from the start'],
    ['list[0.5]', null, 'an index is a whole number'],
    ['list[1e308]', null, 'an index lies in the array'],
    ['list[4294967295]', null, 'an index lies in the array'],
    ['list[null]', null, 'an index is a number'],
    ['list[true]', null, 'an index is a number'],
    ['list[list]', null, 'an index is a number'],
    ['at(list, 1e308)', null, 'an index lies in the array'],
    ["split('__proto__,polluted', ',')", ['__proto__', 'polluted'], 'text is text'],
    ["join(['__proto__', 'polluted'], '.')", '__proto__.polluted', 'text is text'],
    ["replace('x', 'x', '$&$1$`')", '$&$1$`', 'what replaces is no pattern'],
    ["replace('a.b', '.', '$$')", 'a$$b', 'what is searched is no pattern'],
    ["split('a.b', '.')", ['a', 'b'], 'what separates is no pattern'],
    ["contains('aaa', 'a+')", false, 'what is searched is no pattern'],
    ["date_format('2024-01-01', '[' + '__proto__')", '[__proto__', 'what is no token stands for itself'],
    ["'{{process}}'", '{{process}}', 'a result is not read again'],
    ["'\\x41\\u{41}'", 'x41u{41}', 'a backslash is left out'],
    ["length('\ud800')", 1, 'half a character is one'],
    ["'\0'", '\0', 'text may hold NUL'],
  ])('%j gives %j, because %s', (attempt, result) => {
    expect(evaluate(attempt, VALUES)).toEqual(result);
  });

  test.each<[attempt: string, values: Record<string, unknown>]>([
    ['n * 1e308', { n: 1e308 }],
    ['n - m', { n: Infinity, m: Infinity }],
    ['n / 0', { n: 1 }],
    ['n % 0', { n: 1 }],
    ['sum(n)', { n: [1e308, 1e308] }],
    ["format(n, 'percent')", { n: 1e308 }],
    ['n + n', { n: 1e308 }],
  ])('%s with %p is refused, because it is not a number', (attempt, values) => {
    expect(() => evaluate(attempt, values)).toThrow(EvaluationError);
  });

  test('a member with the name of a built-in member returns the given data', () => {
    const item: unknown = JSON.parse(
      '{"__proto__":{"a":1},"constructor":{"constructor":"b"},"toString":null}',
    );
    expect(evaluate('item.__proto__.a', { item })).toBe(1);
    expect(evaluate('item.constructor.constructor', { item })).toBe('b');
    expect(evaluate('concat(item)', { item })).toBe(JSON.stringify(item));
    expect(evaluate('__proto__ + constructor', { ['__proto__']: 0, constructor: 1 })).toBe(1);
    expect(evaluate('`__proto__`', JSON.parse('{"__proto__":5}'))).toBe(5);
  });
});

describe('inputs that are more than plain data', () => {
  const forbidden = (): never => {
    throw new Error('must not run');
  };

  test('no getter runs, neither for a member nor for a text', () => {
    const item = Object.defineProperty({ b: 1 }, 'a', { enumerable: true, get: forbidden, set: forbidden });
    expect(evaluate('item.a', { item })).toBe(null);
    expect(evaluate("at(item, 'a')", { item })).toBe(null);
    expect(evaluate('concat(item)', { item })).toBe('{"b":1,"a":null}');
    expect(evaluate('[item]', { item })).toEqual([item]);
  });

  test('no method of an object runs', () => {
    const item = {
      toJSON: forbidden,
      toString: forbidden,
      valueOf: forbidden,
      [Symbol.toPrimitive]: forbidden,
    };
    expect(evaluate('item == item && item != 1 && !(item == "x")', { item })).toBe(true);
    for (const attempt of [
      'item + 1',
      'item < 1',
      '-item',
      'round(item)',
      "item < 'a'",
      "date_add(item, 1, 'day')",
    ]) {
      expect(() => evaluate(attempt, { item })).toThrow(EvaluationError);
    }
    expect(evaluate('list[item] == null && item[item] == null', { item, list: [1] })).toBe(true);
  });

  test('members of a prototype are not visible', () => {
    const item: unknown = Object.create({ inherited: 1 });
    expect(evaluate('item.inherited', { item })).toBe(null);
    expect(evaluate('concat(item)', { item })).toBe('{}');
  });

  test('holes of an array are null', () => {
    const list = [1];
    list[3] = 4;
    expect(evaluate('[list[1], list[2], list[3], list[4], concat(list)]', { list })).toEqual([
      null,
      null,
      4,
      null,
      '[1,null,null,4]',
    ]);
    const endless: unknown[] = [];
    endless.length = 2 ** 32 - 1;
    for (const attempt of ['concat(list)', '[list]', "join(list, '')", 'contains(list, 1)', 'sum(list)']) {
      expect(() => evaluate(attempt, { list: endless })).toThrow(overLimit);
    }
  });

  test('indexes that are not whole numbers find nothing', () => {
    for (const i of [NaN, Infinity, -Infinity, 2 ** 53, -1, 1n])
      expect(evaluate('list[i]', { list: [1, 2], i })).toBe(null);
  });
});

describe('unlimited nesting exceeds the limit without a stack overflow', () => {
  const count = 20_000;

  test.each([
    ['parentheses', `${'('.repeat(count)}1${')'.repeat(count)}`],
    ['open parentheses', '('.repeat(count)],
    ['brackets', `${'['.repeat(count)}${']'.repeat(count)}`],
    ['indexes', `n${'[n'.repeat(count)}${']'.repeat(count)}`],
    ['minus signs', `${'- '.repeat(count)}1`],
    ['exclamation marks', `${'!'.repeat(count)}1`],
    ['calls', `${'abs('.repeat(count)}1${')'.repeat(count)}`],
    ['choices', `${'n ? 1 : '.repeat(count)}1`],
    ['sums', `${'1+'.repeat(count)}1`],
    ['members', `n${'.a'.repeat(count)}`],
    ['elements', `[${'1,'.repeat(count)}1]`],
    ['characters of a name', 'n'.repeat(count)],
  ])('20,000 %s', (_kind, source) => {
    const names = new Map([['n', 0]]);
    for (const length of [4096, 4096 - 1]) {
      const part = source.slice(0, length);
      const compile = (): unknown => compileExpression(part, names);
      if (!part.startsWith('nn')) expect(compile).toThrow(overLimit);
      expect(compile).toThrow(ExpressionError);
      expect(() => compileTemplate(`x {{${part}}}`, names)).toThrow(ExpressionError);
    }
    expect(() => compileExpression(source, names)).toThrow(overLimit);
    expect(() => compileTemplate(`x {{${source.slice(0, 60_000)}}}`, names)).toThrow(overLimit);
    expect(() => compileTemplate(`x {{${source.slice(0, 60_000)}`, names)).toThrow(ExpressionError);
  });

  test.each([
    ['sums', `${'1+'.repeat(499)}1`, 500],
    ['members', `n${'.a'.repeat(499)}`, null],
    ['indexes of indexes', `${'n['.repeat(60)}0${']'.repeat(60)}`, null],
    [
      'arrays',
      `${'['.repeat(60)}1${']'.repeat(60)}[0][0]`,
      JSON.parse(`${'['.repeat(58)}1${']'.repeat(58)}`),
    ],
  ])('%s runs within the limits', (_kind, source, result) => {
    expect(evaluate(source, { n: 0 })).toEqual(result);
  });
});

describe('templates with very many braces', () => {
  const names = new Map([['n', 0]]);

  test.each([
    ['{{', '{{'.repeat(32_000)],
    ['}}', `{{${'}}'.repeat(30_000)}`],
    ['{{}}', '{{}}'.repeat(16_000)],
    ['{{{{ }}}}', '{{{{n}}}}'.repeat(6_000)],
    ["{{'", "{{'".repeat(20_000)],
    ['{{`', '{{`'.repeat(20_000)],
    ['{{n}}{{', `${'{{n}}'.repeat(9_000)}{{`],
  ])('%s is refused', (_kind, source) => {
    expect(() => compileTemplate(source, names)).toThrow(ExpressionError);
  });

  test('13,000 placeholders exceed the limit', () => {
    expect(() => compileTemplate('{{n}}'.repeat(13_000), names)).toThrow(overLimit);
    expect(() => compileTemplate('{{uuid}}'.repeat(8_000) + '{{n}}'.repeat(300), names)).not.toThrow();
  });

  test('64 KiB of escaped braces are text', () => {
    const template = compileTemplate('\\{{'.repeat(21_000), names);
    expect(template.render([], testDraws())).toBe('{{'.repeat(21_000));
  });
});
