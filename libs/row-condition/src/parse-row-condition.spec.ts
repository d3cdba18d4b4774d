import fc from 'fast-check';

import { isLiteralOf } from './literal-text.js';
import { parseRowCondition } from './parse-row-condition.js';
import type { LiteralType } from './row-condition.js';

async function conditionOf(text: string): Promise<unknown> {
  const parsed = await parseRowCondition(text);
  if ('problem' in parsed) throw new Error(`${text}: ${JSON.stringify(parsed.problem)}`);
  return parsed.condition;
}

async function problemOf(text: string): Promise<{ position?: number; message: string }> {
  const parsed = await parseRowCondition(text);
  if ('condition' in parsed) throw new Error(`accepted: ${JSON.stringify(parsed.condition)}`);
  return parsed.problem;
}

const column = (name: string) => ({ kind: 'column', name });
const text = (value: string, castTo?: LiteralType) => ({
  kind: 'literal',
  form: 'text',
  text: value,
  ...(castTo ? { castTo } : {}),
});
const number = (value: string, castTo?: LiteralType) => ({ ...text(value, castTo), form: 'number' });
const compare = (left: object, operator: string, right: object) => ({
  kind: 'compare',
  operator,
  left,
  right,
});

describe('parseRowCondition', () => {
  it.each([
    ["country = 'CZ'", compare(column('country'), '=', text('CZ'))],
    ['id != 5', compare(column('id'), '<>', number('5'))],
    ['-5 <= "Total"', compare(number('-5'), '<=', column('Total'))],
    ['a > b', compare(column('a'), '>', column('b'))],
    ['A < 0', compare(column('a'), '<', number('0'))],
    ['n = 12345678901234567890.5', compare(column('n'), '=', number('12345678901234567890.5'))],
    ['open = true', compare(column('open'), '=', { ...text('true'), form: 'boolean' })],
    ["open = 'no'::boolean", compare(column('open'), '=', text('false', 'bool'))],
    ["name = 'O''Brien \\ $1 -- /* '", compare(column('name'), '=', text("O'Brien \\ $1 -- /* "))],
    ["at >= DATE '2024-02-29'", compare(column('at'), '>=', text('2024-02-29', 'date'))],
    [
      "at >= CAST('2024-02-29T10:00:00Z' AS timestamptz)",
      compare(column('at'), '>=', text('2024-02-29T10:00:00Z', 'timestamptz')),
    ],
    ["id = '7'::bigint", compare(column('id'), '=', text('7', 'int8'))],
    ['id = 7::pg_catalog.int4', compare(column('id'), '=', number('7', 'int4'))],
    [
      'id IN (1, 2)',
      { kind: 'in', isNegated: false, column: column('id'), values: [number('1'), number('2')] },
    ],
    ["s NOT IN ('x')", { kind: 'in', isNegated: true, column: column('s'), values: [text('x')] }],
    [
      'n BETWEEN -1 AND 2',
      { kind: 'between', isNegated: false, operand: column('n'), low: number('-1'), high: number('2') },
    ],
    [
      '5 NOT BETWEEN a AND b',
      { kind: 'between', isNegated: true, operand: number('5'), low: column('a'), high: column('b') },
    ],
    [
      "s LIKE 'a%'",
      { kind: 'like', isNegated: false, ignoresCase: false, column: column('s'), pattern: 'a%' },
    ],
    [
      "s NOT ILIKE '%\\_x'",
      { kind: 'like', isNegated: true, ignoresCase: true, column: column('s'), pattern: '%\\_x' },
    ],
    ['s IS NULL', { kind: 'is-null', isNegated: false, column: column('s') }],
    ['"select" IS NOT NULL', { kind: 'is-null', isNegated: true, column: column('select') }],
    ['NOT a = 1', { kind: 'not', term: compare(column('a'), '=', number('1')) }],
    [
      'a = 1 AND (b = 2 OR c = 3)',
      {
        kind: 'and',
        terms: [
          compare(column('a'), '=', number('1')),
          {
            kind: 'or',
            terms: [compare(column('b'), '=', number('2')), compare(column('c'), '=', number('3'))],
          },
        ],
      },
    ],
    ['name = 1 AND value = 2 AND date = 3', expect.objectContaining({ kind: 'and' })],
  ])('parses %s', async (written, expected) => {
    expect(await conditionOf(written)).toEqual(expected);
  });

  it.each([
    ['a function', 'pg_sleep(10) = 1', 1],
    ['a function of a value', "a = lower('X')", 5],
    ['a session function', 'a = current_user', 5],
    ['now()', 'at > now()', 6],
    ['the literal now', "at > 'now'::timestamptz", 6],
    ['the literal yesterday', "at > date 'yesterday'", 11],
    ['an impossible date', "at > date '2023-02-29'", 11],
    ['a subquery', 'a IN (SELECT 1)', 7],
    ['EXISTS', 'EXISTS (TABLE pg_class)', 9],
    ['another table', 'public.t.a = 1', 1],
    ['a qualified column', 't.a = 1', 1],
    ['a whole row', 't.* = 1', 3],
    ['a text search operator', "a @@ 'x'", 3],
    ['a regular expression', "a ~ 'x'", 3],
    ['a named operator', 'a OPERATOR(pg_catalog.=) 1', 3],
    ['concatenation', "a = 'x' || 'y'", 9],
    ['arithmetic', 'a = 1 + 1', 7],
    ['arithmetic on a column', 'a - 1 = 1', 3],
    ['a plus sign', 'a = +1', 5],
    ['two signs', 'a = - -1', 5],
    ['a line comment', 'a = 1 -- rest', 7],
    ['a block comment', 'a = 1 /* x */', 7],
    ['dollar quotes', 'a = $$x$$', 5],
    ['tagged dollar quotes', 'a = $q$x$q$', 5],
    ['a parameter', 'a = $1', 5],
    ['an escape string', "a = E'\\x41'", 5],
    ['a Unicode text', "a = U&'d\\0061t'", 5],
    ['a Unicode name', 'U&"a" = 1', 1],
    ['a bit string', "a = b'101'", 5],
    ['a national text', "a = N'x'", 5],
    ['a cast to regclass', "a = 'pg_class'::regclass", 17],
    ['a cast to xml', "a = '<x/>'::xml", 13],
    ['a cast to a type of a user', "a = '1'::public.int4", 10],
    ['a cast to an array', "a = '{1}'::int[]", 15],
    ['a cast with a length', "a = '1'::varchar(3)", 10],
    ['a cast of a column', "a::text = '1'", 2],
    ['a cast of a cast', "a = '1'::int::text", 13],
    ['a cast of a comparison', '(a = 1)::text = true', 4],
    ['a cast of text to a number', "a = 'x'::int", 5],
    ['a number out of range', "a = '3000000000'::int4", 5],
    ['NULL compared', 'a = NULL', 5],
    ['NULL in a list', 'a IN (1, NULL)', 10],
    ['a column without a comparison', 'active', 1],
    ['a comparison of literals', '1 = 1', 3],
    ['a constant', 'true', 1],
    ['IS TRUE', 'a IS TRUE', 3],
    ['IS DISTINCT FROM', 'a IS DISTINCT FROM 1', 6],
    ['a row', '(a, b) = (1, 2)', 1],
    ['CASE', 'CASE WHEN a = 1 THEN true END', 1],
    ['COLLATE', `a = 'x' COLLATE "C"`, 9],
    ['a quantified list', 'a = ANY (ARRAY[1])', 5],
    ['BETWEEN SYMMETRIC', 'a BETWEEN SYMMETRIC 1 AND 2', 11],
    ['SIMILAR TO', "a SIMILAR TO 'x'", 3],
    ['LIKE with ESCAPE', "a LIKE 'x' ESCAPE '!'", 3],
    ['LIKE of a column', 'a LIKE b', 8],
    ['a pattern that ends too early', "a LIKE 'x\\'", 8],
    ['a second statement', 'a = 1; DROP TABLE t', 6],
    ['a union', 'a = 1 UNION SELECT 1', 7],
    ['an unmatched closing parenthesis', 'a = 1) OR (b = 2', 6],
    ['ORDER BY', 'a = 1 ORDER BY a', 7],
    ['FOR UPDATE', 'a = 1 FOR UPDATE', 7],
    ['an open text', "a = 'x", 5],
    ['an open name', '"x', 1],
    ['half a condition', 'a =', 4],
    ['nothing', ' \n ', undefined],
    ['NUL', "a = '\0'", 6],
    ['half of a pair', "a = '\ud800'", 6],
    ['an escape character', 'a = 1\u001b', 6],
  ])('rejects %s at its position', async (_what, written, position) => {
    const problem = await problemOf(written);
    expect(problem.position).toBe(position);
  });

  it.each([
    'hunter2(a) = 1',
    "a = 'hunter2'::date",
    "a = 'hunter2'::hunter2",
    'a @@ hunter2',
    'hunter2 hunter2',
    "a = 'hunter2",
    "a = 'hunter2\u0000'",
    'a = $hunter2$ hunter2 $hunter2$',
    'a = 1 -- hunter2',
    "a LIKE 'hunter2\\'",
    `a = '${'hunter2'.repeat(1_000)}'`,
    'hunter2.hunter2 = 1',
    'a = hunter2 + 1',
  ])('rejects %s without quoting it', async (written) => {
    expect((await problemOf(written)).message).not.toContain('hunter2');
  });

  it('counts the position in characters, also for text outside ASCII', async () => {
    expect((await problemOf("é = '🎭' AND (ü = $1)")).position).toBe("é = '🎭' AND (ü = ".length + 1);
    expect((await problemOf("é = '🎭' AND ü = f(1)")).position).toBe("é = '🎭' AND ü = ".length + 1);
    expect((await problemOf("é = '🎭' AND ü ü")).position).toBeGreaterThan("é = '🎭' AND ".length);
  });
});

describe('the limits of a condition', () => {
  it('permit 4,096 bytes and no more', async () => {
    const filled = (bytes: number) => `a = '${'ü'.repeat((bytes - 6) / 2)}'`;
    expect(Buffer.byteLength(filled(4_096))).toBe(4_096);
    await conditionOf(filled(4_096));
    expect(await problemOf(`${filled(4_096)} `)).toEqual({ message: 'expected at most 4096 bytes' });
  });

  it('permit 64 levels and no more', async () => {
    const nested = (levels: number) => `${'('.repeat(levels)}a = 1${')'.repeat(levels)}`;
    await conditionOf(nested(64));
    expect((await problemOf(nested(65))).message).toContain('deeper than 64');
    expect((await problemOf(nested(1_000))).message).toContain('deeper than 64');
    expect((await problemOf(`${'NOT '.repeat(1_000)}a = 1`)).message).toContain('deeper than 64');
    expect((await problemOf(`${'NOT('.repeat(800)}a = 1${')'.repeat(800)}`)).message).toContain(
      'deeper than 64',
    );
    await conditionOf(`${'a = 1 AND (b = 2 OR ('.repeat(31)}c = 3${'))'.repeat(31)}`);
  });

  it('permit 1,000 parts and no more', async () => {
    const list = (values: number) => `a IN (${Array.from({ length: values }, () => '1').join(',')})`;
    await conditionOf(list(998));
    expect((await problemOf(list(999))).message).toContain('more than 1000 parts');
  });
});

describe('parseRowCondition with random text', () => {
  const words = fc.constantFrom(
    ...`a "b" c 'x' 1 2.5 -1 ( ) , = <> < >= AND OR NOT IN BETWEEN LIKE IS NULL TRUE :: int date '2024-01-01' CAST AS
       SELECT -- /* */ $$ $1 ; . * + || @> [ ] f( U&'x' E'x' CASE WHEN END ARRAY ROW`.split(/\s+/),
  );

  it('returns a condition or a problem and never throws', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(words).map((all) => all.join(' ')),
        ),
        async (written) => {
          const parsed = await parseRowCondition(written);
          if ('condition' in parsed) return;
          const { position } = parsed.problem;
          expect(position === undefined || (position >= 1 && position <= written.length + 1)).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('isLiteralOf', () => {
  it.each<[LiteralType, readonly string[], readonly string[]]>([
    [
      'date',
      ['2024-02-29', '0001-01-01', 'infinity'],
      ['2023-02-29', '24-1-1', 'today', '2024-13-01', '0000-01-01', '2024-01-01 BC'],
    ],
    [
      'timestamp',
      ['2024-01-01', '2024-01-01 23:59', '2024-01-01T23:59:59.123456'],
      ['now', '2024-01-01 24:00', '2024-01-01T10:00:00Z', '2024-01-01 10'],
    ],
    [
      'timestamptz',
      ['2024-01-01', '2024-01-01 10:00+02', '2024-01-01T10:00:00.5-05:30', '2024-01-01T10:00Z'],
      ['2024-01-01Z', '2024-01-01 10:00 Europe/Prague'],
    ],
    ['time', ['00:00', '23:59:59.9'], ['24:00', 'allballs', '1:00']],
    ['timetz', ['10:00Z', '10:00:00+01:00'], ['10:00', 'Z']],
    ['uuid', ['123E4567-e89b-12d3-a456-426614174000'], ['{123e4567-e89b-12d3-a456-426614174000}', '']],
    ['int2', ['32767', '-32768', '+1'], ['32768', '-32769', '1.0', '', '1e2']],
    ['int8', ['9223372036854775807'], ['9223372036854775808']],
    ['numeric', ['1', '-1.5', '.5', '5.', '1e-3'], ['NaN', '1e1000', '.', '', '0x10']],
    ['float4', ['1e38', '-0.0'], ['1e39', '1e-60', 'Infinity']],
    ['float8', ['1e308'], ['1e309', '1e-400']],
    ['bool', ['true', 'false'], ['t', 'TRUE', '']],
    ['text', ['', 'anything'], []],
  ])('accepts and rejects texts for the type %s', (type, literals, others) => {
    for (const written of literals) expect([written, isLiteralOf(type, written)]).toEqual([written, true]);
    for (const written of others) expect([written, isLiteralOf(type, written)]).toEqual([written, false]);
  });
});
