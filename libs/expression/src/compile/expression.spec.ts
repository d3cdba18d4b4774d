import { deriveKey, RandomStream, rootKey } from '@understudy/random';
import { compileExpression, compileTemplate, EvaluationError, ExpressionError, FUNCTIONS } from '../index.js';

const NAMES = new Map([
  ['first', 0],
  ['price', 1],
  ['user', 2],
  ['none', 3],
]);
const USER: unknown = JSON.parse('{"name":"Ada","tags":["x","y"],"__proto__":{"polluted":1}}');
const SLOTS = ['Zoë', 12.5, USER, null];
const random = new RandomStream();
const KEY = rootKey('expression', 1);
const draws = { stream: (site: number) => random.seek(deriveKey(KEY, String(site)), 0) };

function value(source: string): unknown {
  return compileExpression(source, NAMES).evaluate(SLOTS, draws);
}

describe('operators', () => {
  it.each<[string, unknown]>([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['10 - 4 - 3', 3],
    ['7 % 4 / 2', 1.5],
    ['-price', -12.5],
    ['2 - -3', 5],
    ['1e3 + .5', 1000.5],
    ["'a' + 'b' + first", 'abZoë'],
    ['1 < 2 && 2 <= 2 && 3 > 2 && 3 >= 3', true],
    ["'b' > 'a'", true],
    ['price == 12.5', true],
    ["price == '12.5'", false],
    ['price !== 12.5', false],
    ['none == null', true],
    ['!none', true],
    ["none || 'x'", 'x'],
    ['none && first', null],
    ["price > 10 ? 'dear' : 'cheap'", 'dear'],
    ['false ? 1 : false ? 2 : 3', 3],
    ['[1, 2, 3][1]', 2],
    ['"it\\"s\\n"', 'it"s\n'],
  ])('%s', (source, expected) => {
    expect(value(source)).toEqual(expected);
  });

  it.each([['first * 2'], ['1 / 0'], ['none + 1'], ['1e308 * 10'], ["1 < 'a'"], ['-first']])(
    '%s fails when it is evaluated',
    (source) => {
      expect(() => value(source)).toThrow(EvaluationError);
    },
  );

  it('never quotes a value in an error', () => {
    expect(() => value('first * 2')).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('Zoë') }),
    );
  });
});

describe('members', () => {
  it.each<[string, unknown]>([
    ['user.name', 'Ada'],
    ["user['name']", 'Ada'],
    ['user.tags[1]', 'y'],
    ['user.missing', null],
    ['user.missing.deeper', null],
    ['user.constructor', null],
    ['user.toString', null],
    ['user.__proto__.polluted', 1], // ordinary data of that name, given by the user
    ['user.tags.length', null],
    ['user.tags.map', null],
    ["user.tags['constructor']", null],
    ['first.length', null],
    ['first.constructor', null],
  ])('%s reads own members only', (source, expected) => {
    expect(value(source)).toEqual(expected);
  });
});

describe('static checks', () => {
  it.each([
    ['frist', 'unknown name "frist"; did you mean "first"? (at character 1)'],
    ['1 + pirce', 'unknown name "pirce"; did you mean "price"? (at character 5)'],
    ['lowercse(first)', 'unknown function "lowercse"; did you mean "lowercase"? (at character 1)'],
    ['lowercase()', '"lowercase" takes 1 argument, got 0 (at character 1)'],
    ['round(1, 2, 3)', '"round" takes 1 to 2 arguments, got 3 (at character 1)'],
    ['lowercase', 'unknown name "lowercase"; it is a function and needs arguments (at character 1)'],
    ['constructor', 'unknown name "constructor" (at character 1)'],
    ['hasOwnProperty(1)', 'unknown function "hasOwnProperty" (at character 1)'],
    ['1 +', 'expected a value here (at character 4)'],
    ['first price', 'expected an operator or the end here (at character 7)'],
    ['price ? 1', 'expected ":" here (at character 10)'],
    ["'open", 'the string opened here is not closed (at character 1)'],
    ['a = 1', 'an expression must not contain this character (at character 3)'],
    ['12abc', 'a name must not begin with a digit (at character 1)'],
    ['', 'expected a value here (at character 1)'],
  ])('%s', (source, message) => {
    expect(() => compileExpression(source, NAMES)).toThrow(ExpressionError);
    expect(() => compileExpression(source, NAMES)).toThrow(message);
  });

  it('lists the names that it reads', () => {
    expect(compileExpression('first + user.name + first + uuid()', NAMES).references).toEqual([
      'first',
      'user',
    ]);
  });
});

describe('limits', () => {
  const overLimit = expect.objectContaining({ overLimit: true });

  it('accepts 4 KiB of source and refuses one more byte', () => {
    expect(value(`${' '.repeat(4095)}1`)).toBe(1);
    expect(() => value(`${' '.repeat(4096)}1`)).toThrow(overLimit);
    expect(() => value(`'${'é'.repeat(2048)}'`)).toThrow(overLimit);
  });

  it('accepts 1000 parts and refuses one more', () => {
    expect(value(`${'1+'.repeat(499)}-1`)).toBeDefined();
    expect(() => value(`${'1+'.repeat(500)}1`)).toThrow(overLimit);
  });

  it('accepts 64 levels and refuses one more', () => {
    expect(value(`${'('.repeat(63)}1${')'.repeat(63)}`)).toBe(1);
    expect(() => value(`${'('.repeat(64)}1${')'.repeat(64)}`)).toThrow(overLimit);
  });

  it.each([
    ["pad_start('', 65536) + 'x'"],
    ["pad_end('', 1000000000)"],
    ["replace(pad_start('', 60000, 'a'), 'a', 'bb')"],
    ["join([pad_start('', 60000), pad_start('', 60000)], '')"],
    ["concat(pad_start('', 60000), pad_start('', 60000))"],
    ["pad_start('', 21846, '€')"],
  ])('%s fails because its text exceeds 64 KiB', (source) => {
    expect(() => value(source)).toThrow(overLimit);
  });

  it('renders 64 KiB and refuses one more byte', () => {
    const render = (source: string): number => compileTemplate(source, NAMES).render(SLOTS, draws).length;
    expect(render("x{{pad_start('', 65535)}}")).toBe(65_536);
    expect(() => render("xy{{pad_start('', 65535)}}")).toThrow(overLimit);
    expect(() => render("{{pad_start('', 65536)}}{{pad_start('', 65536)}}{{1}}")).toThrow(overLimit);
  });

  it('stops rendering a value whose shared parts make its text exponentially long', () => {
    let shared: unknown = ['x'];
    for (let i = 0; i < 40; i += 1) shared = [shared, shared];
    const template = compileTemplate('{{user}}!', NAMES);
    expect(() => template.render(['', 0, shared], draws)).toThrow(overLimit);
  });
});

describe('templates', () => {
  const evaluate = (source: string): unknown => compileTemplate(source, NAMES).evaluate(SLOTS, draws);

  it.each<[string, unknown]>([
    ['plain', 'plain'],
    ['', ''],
    ['{{price}}', 12.5],
    ['{{ price }}', 12.5],
    [' {{price}}', ' 12.5'],
    ['{{first}} costs {{price * 2}}!', 'Zoë costs 25!'],
    ['\\{{price}}', '{{price}}'],
    ['a }} b { c', 'a }} b { c'],
    ["{{'}}'}}", '}}'],
    ['{{none}}', null],
    ['[{{none}}]', '[]'],
    ['{{user}}.', '{"name":"Ada","tags":["x","y"],"__proto__":{"polluted":1}}.'],
  ])('%j', (source, expected) => {
    expect(evaluate(source)).toEqual(expected);
  });

  it.each([
    ['{{', 'not closed by "}}" (at character 1)'],
    ['ab {{first', 'not closed by "}}" (at character 4)'],
    ['x{{}}', 'expected a value here (at character 4)'],
    ['x{{first}}{{nope}}', '(at character 13)'],
  ])('%j is refused with its position', (source, message) => {
    expect(() => compileTemplate(source, NAMES)).toThrow(ExpressionError);
    expect(() => compileTemplate(source, NAMES)).toThrow(message);
  });

  it('calls a function without arguments and parentheses, unless a name hides it', () => {
    expect(evaluate('{{uuid}}')).toMatch(/^[0-9a-f-]{36}$/);
    const shadowed = compileTemplate('{{uuid}}', new Map([['uuid', 0]]));
    expect(shadowed.evaluate(['mine'], draws)).toBe('mine');
  });

  it('gives each drawing call a stream that depends on its position', () => {
    const template = compileTemplate('{{uuid}} {{uuid}}', NAMES);
    expect(template.sites).toEqual([2, 11]);
    const [one, two] = template.render(SLOTS, draws).split(' ');
    expect(one).not.toBe(two);
    expect(template.render(SLOTS, draws)).toBe(`${one ?? ''} ${two ?? ''}`);
  });
});

describe('the names that an expression inspects', () => {
  it.each<[string, readonly string[]]>([
    ['first', []],
    ["'a' + concat(first, slug(user)) + uuid()", []],
    ['price == 1 ? first : none', ['price', 'first', 'none']],
    ['lowercase(substring(first, 0, 3))', ['first']],
    ['concat(first, [user][0])', ['user']],
    ['user.name', ['user']],
    ["'a' + -price", ['price']],
    ['pick(first)', ['first']],
  ])('are those that it does more with than insert them into a text: %s', (source, inspected) => {
    expect(compileExpression(source, NAMES).inspected).toEqual(inspected);
  });

  it('include every known function that is not a known way to insert a text', () => {
    const inserting = [...FUNCTIONS].filter(([name, { min, max }]) => {
      const args = Array.from({ length: Math.max(min, 1) }, () => 'first').join(', ');
      return max > 0 && compileExpression(`${name}(${args})`, NAMES).inspected.length === 0;
    });
    expect(inserting.map(([name]) => name).sort()).toEqual([
      ...['ascii', 'capitalize', 'concat', 'lowercase', 'slug', 'title', 'trim', 'uppercase'],
    ]);
  });

  it('include those of all expressions of a template', () => {
    expect(compileTemplate('{{first}} {{price > 1}} {{length(first)}}', NAMES).inspected).toEqual([
      ...['price', 'first'],
    ]);
  });
});
