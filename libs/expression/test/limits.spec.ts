import { compileExpression } from '../src/compile/expression.js';
import { compileTemplate } from '../src/compile/template.js';
import { EvaluationError } from '../src/errors.js';
import { FUNCTIONS } from '../src/functions/function-table.js';
import { LIMITS } from '../src/limits.js';
import { evaluate, testDraws } from './evaluate.js';

const overLimit = expect.objectContaining({ overLimit: true });
const LONG = 'a'.repeat(LIMITS.textBytes);

/** Returns an array that is nested `levels` levels deep. */
function nested(levels: number): unknown {
  let value: unknown = [];
  for (let level = 1; level < levels; level += 1) value = [value];
  return value;
}

describe('a template', () => {
  const compile = (source: string): unknown => compileTemplate(source, new Map([['x', 0]]));

  test('may have 10,000 parts and no more', () => {
    expect(compile('{{x}}'.repeat(10_000))).toBeDefined();
    expect(() => compile('{{x}}'.repeat(10_001))).toThrow(overLimit);
    const sum = `{{${'x+'.repeat(499)}x}}`; // 999 parts
    expect(compile(`${sum.repeat(10)}${'{{x}}'.repeat(10)}`)).toBeDefined();
    expect(() => compile(`${sum.repeat(10)}${'{{x}}'.repeat(11)}`)).toThrow(overLimit);
  });

  test('may contain expressions of 4 KiB and no longer ones', () => {
    expect(compile(`{{${' '.repeat(4095)}1}}`)).toBeDefined();
    expect(() => compile(`{{${' '.repeat(4096)}1}}`)).toThrow(overLimit);
    expect(() => compile(`{{'${'é'.repeat(2048)}'}}`)).toThrow(overLimit);
    expect(() => compile(`{{1${' '.repeat(60_000)}}}`)).toThrow(overLimit);
  });

  test('stops rendering at 64 KiB, even if it repeats a long text very often', () => {
    // 640 MiB in total; no engine supports texts of that length.
    const template = compileTemplate('{{x}}'.repeat(10_000), new Map([['x', 0]]));
    expect(() => template.render([LONG], testDraws())).toThrow(overLimit);
  });

  test('may be 64 KiB long and no longer', () => {
    expect(compile(LONG)).toBeDefined();
    expect(() => compile(`${LONG}a`)).toThrow(overLimit);
  });
});

describe('a text that a function produces', () => {
  const x = 'x'.repeat(65_535);

  test.each([
    ["pad_start(x, 65536, 'y')", 'yx'],
    ["pad_end(x, 65536, 'y')", 'xy'],
    ["x + 'y'", 'xy'],
    ["concat(x, 'y')", 'xy'],
    ["join([x, 'y'], '')", 'xy'],
    ["replace(x + 'z', 'z', 'y')", 'xy'],
    ["trim(x + 'y')", 'xy'],
    ["lowercase(x + 'Y')", 'xy'],
  ])('%s has exactly 64 KiB', (source, ends) => {
    const made = String(evaluate(source, { x }));
    expect(made).toHaveLength(LIMITS.textBytes);
    expect(made.replace(/x+/, 'x')).toBe(ends);
  });

  test.each([
    ["pad_start(x, 65536, 'é')"],
    ['pad_end(x, 65537)'],
    ["x + 'yz'"],
    ["concat(x, 'yz')"],
    ["join([x, 'y'])"],
    ["replace(x + 'z', 'z', 'yy')"],
    ["uppercase(x + 'ŉ')"],
    ['lowercase(i)'],
    ['uppercase(s)'],
    ['lowercase(input)'],
    ['trim(input)'],
    ['title(input)'],
    ['capitalize(input)'],
    ['slug(input)'],
    ['ascii(input)'],
    ['substring(input, 1)'],
    ["replace(input, 'q', '')"],
    ["date_format('2024-01-01', pad_start('', 64000, 'd'))"],
    ["format(1, 'currency', input)"],
    ['concat([x, x])'],
  ])('%s fails, because the text would be longer', (source) => {
    const input = `${x}xyz`;
    const i = 'İ'.repeat(32_768); // two characters and three bytes in lower case
    const s = 'ŉ'.repeat(32_768);
    expect(() => evaluate(source, { x, input, i, s })).toThrow(EvaluationError);
    expect(() => evaluate(source, { x, input, i, s })).toThrow(overLimit);
  });
});

describe('an array that an expression creates', () => {
  test('may contain 100,000 values and no more', () => {
    const input = ' '.repeat(99_999);
    expect(evaluate("length(split(input, ' '))", { input })).toBe(100_000);
    expect(() => evaluate("split(input, ' ')", { input: `${input} ` })).toThrow(overLimit);
  });

  test('counts a shared array once per occurrence', () => {
    const half = Array<number>(49_999).fill(1);
    expect(evaluate('[half, half]', { half })).toEqual([half, half]);
    expect(() => evaluate('[half, half, 1]', { half })).toThrow(overLimit);
    let shared: unknown = ['x'];
    for (let i = 0; i < 40; i += 1) shared = [shared, shared];
    expect(() => evaluate('[shared]', { shared })).toThrow(overLimit);
    expect(() => evaluate('[shared]', { shared: { a: shared } })).toThrow(overLimit);
  });

  test('may be 256 levels deep and no deeper, for any number of expressions', () => {
    expect(evaluate('[x]', { x: nested(255) })).toEqual(nested(256));
    expect(() => evaluate('[x]', { x: nested(256) })).toThrow(overLimit);
    expect(() => evaluate('[x]', { x: { a: nested(255) } })).toThrow(overLimit);
  });
});

describe('a value that becomes text', () => {
  test('may be 256 levels deep and no deeper', () => {
    expect(evaluate('concat(x)', { x: nested(256) })).toBe('['.repeat(256) + ']'.repeat(256));
    expect(() => evaluate('concat(x)', { x: nested(257) })).toThrow(overLimit);
  });

  test('fails without harm if it refers to itself or is nested without end', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    for (const x of [cycle, nested(100_000)]) {
      for (const source of ['concat(x)', 'length(concat([x]))', 'uppercase(x)', '[x]', "join([1, x], '')"]) {
        expect(() => evaluate(source, { x })).toThrow(overLimit);
      }
    }
  });
});

describe('the work of one evaluation', () => {
  test('has one budget for all its calls, and every evaluation starts with a full budget', () => {
    const half = 'a'.repeat(LIMITS.textBytes / 2);
    const fits = LIMITS.work / half.length;
    const calls = (count: number): string => Array<string>(count).fill('length(x)').join('+');
    const run = compileExpression(calls(fits), new Map([['x', 0]])).evaluate;
    for (let i = 0; i < 3; i += 1) expect(run([half], testDraws())).toBe(fits * half.length);
    expect(() => evaluate(`${calls(fits)}+length('a')`, { x: half })).toThrow(overLimit);
    const template = compileTemplate(`{{${calls(fits)}}}{{length('a')}}`, new Map([['x', 0]]));
    expect(() => template.render([half], testDraws())).toThrow(overLimit);
  });

  /**
   * Calls with the largest texts and arrays that one call can have. There is one call for each function and
   * each argument that can be large.
   */
  const BOMBS = [
    ...[
      'lowercase',
      'uppercase',
      'capitalize',
      'title',
      'trim',
      'slug',
      'ascii',
      'length',
      'first',
      'last',
      'concat',
    ],
    ...[
      'substring(x,1)',
      "replace(x,'a','b')",
      "replace('',x,'')",
      "replace('a','b',x)",
      "split(x,'a')",
      "split('',x)",
    ],
    ...[
      "join(y,'')",
      "join([''],x)",
      "pad_start('',9,x)",
      'pad_end(x,9)',
      'contains(x,w)',
      'contains(y,1)',
      "contains('',x)",
    ],
    ...[
      "starts_with(x,'a')",
      "ends_with('',x)",
      'at(x,1)',
      'min(z)',
      'max(z)',
      'sum(z)',
      '[y]',
      "x+''",
      'concat(v)',
    ],
    ...["date_format('2024-01-01',x)", "format('2024-01-01',d)", "format(1,'currency',x)"],
  ].map((call) => (call.includes('(') || /\W/.test(call) ? call : `${call}(x)`));
  /** Functions whose cost does not depend on the sizes of their arguments, or that reject long arguments. */
  const CONSTANT = 'round floor ceil abs date_add date_diff year month day if coalesce pick uuid'.split(' ');

  test('every function is tested', () => {
    const tried = new Set(BOMBS.map((call) => /^\w+(?=\()/.exec(call)?.[0] ?? ''));
    expect([...FUNCTIONS.keys()].filter((name) => !tried.has(name) && !CONSTANT.includes(name))).toEqual([]);
  });

  test.each(BOMBS)('%s on the longest texts, repeated many times, is refused in time', (call) => {
    const values = {
      x: LONG.slice(5),
      w: `ab${'a'.repeat(20_000)}`,
      y: Array<string>(60_000).fill(''),
      z: Array<number>(60_000).fill(0),
      v: Array<number>(30_000).fill(0),
      d: `YYYY${'['.repeat(60_000)}`,
    };
    expect(evaluate(`[${call}]`, values)).toBeDefined();
    const source = `[${Array<string>(90).fill(`length([${call}])`).join(',')}]`;
    const counter = countCharacters();
    try {
      expect(() => evaluate(source, values)).toThrow(overLimit);
    } finally {
      counter.stop();
    }
    // Built-in methods process at most a few times as many characters as the budget counts.
    expect(counter.characters()).toBeLessThan(8 * LIMITS.work);
  });
});

/** Counts the characters and elements of each text and array on which a built-in method is called. */
function countCharacters(): { characters(): number; stop(): void } {
  let characters = 0;
  const restore: (() => void)[] = [];
  const short = new Set<PropertyKey>([
    'constructor',
    'charAt',
    'charCodeAt',
    'codePointAt',
    'at',
    'push',
    'startsWith',
    'endsWith',
    'toString',
    'valueOf',
  ]);
  for (const prototype of [String.prototype, Array.prototype]) {
    for (const name of Reflect.ownKeys(prototype)) {
      const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
      const method: unknown = descriptor?.value;
      if (typeof method !== 'function' || !descriptor || short.has(name)) continue;
      const counted = function (this: { length: number }, ...args: unknown[]): unknown {
        // Destructuring would call an array method that is counted.
        const part = args[0];

        // A search may take time proportional to the product of both lengths. So each 129 characters of the
        // argument count as one more pass.
        characters += this.length * (typeof part === 'string' ? Math.ceil((part.length + 1) / 129) : 1);
        return Reflect.apply(method, this, args);
      };
      Object.defineProperty(prototype, name, { ...descriptor, value: counted });
      restore.push(() => Object.defineProperty(prototype, name, descriptor));
    }
  }
  return { characters: () => characters, stop: () => restore.forEach((undo) => undo()) };
}
