import { readBuiltinExpression } from './builtin-expression.js';

describe('readBuiltinExpression', () => {
  it.each([
    ['(age >= 0)', ['age'], []],
    [
      "((status)::text = ANY ((ARRAY['a'::character varying, 'b'::character varying])::text[]))",
      ['status'],
      [],
    ],
    ['(length(name) > 3)', ['name'], [['length', 1]]],
    ["((mail)::text ~~ '%@%'::text)", ['mail'], []],
    ['(("from" < "To") AND (("To" - "from") < 10))', ['from', 'To'], []],
    [
      "((price > (0)::numeric) OR (price IS NULL) OR (COALESCE(kind, 'x'::text) <> ''::text))",
      ['price', 'kind'],
      [],
    ],
    ['CASE WHEN a THEN (b > 0) ELSE (NOT (c IS TRUE)) END', ['a', 'b', 'c'], []],
    ["(pg_catalog.lower(x) = 'x'::text)", ['x'], [['lower', 1]]],
    ['(doc @> \'{"a": 1}\'::jsonb)', ['doc'], []],
    ['((n)::numeric(5,2) = GREATEST(a, b))', ['n', 'a', 'b'], []],
    ['(num_nonnulls(a, b) = 1)', ['a', 'b'], [['num_nonnulls', 2]]],
    ['"lower(x)"', ['lower(x)'], []],
  ])('returns the columns and functions of %s', async (text, columns, functions) => {
    const read = await readBuiltinExpression(text);
    expect(read?.columns).toEqual(columns);
    expect(read?.functions.map(({ name, args }) => [name, args])).toEqual(functions);
  });

  it.each([
    'public.f(x)', '(x OPERATOR(public.=) 1)', "(x = 'a'::public.mood)", '(SELECT true)', 'EXISTS (SELECT FROM t)', '(x = CURRENT_USER)',
    '(d < CURRENT_DATE)', 'x = ANY (SELECT 1)', 't.x = 1', "('t'::regclass = x)", 'count(*) > 1', 'sum(x) FILTER (WHERE true) > 1',
    'row_number() OVER () = 1', 'true; DROP TABLE t', 'true LIMIT 1', 'true FOR UPDATE', 'true UNION SELECT', 'x = $1', '((x).a = 1)', '(x)[1] = 1',
    'f(VARIADIC x)', 'f(a => 1)', 'XMLSERIALIZE(CONTENT x AS text) = $$a$$', '(x COLLATE "C") = $$a$$', 'ROW(x, y) = z', '', ')', "'", '/*', '\0',
  ])('rejects %j', async (text) => {
    expect(await readBuiltinExpression(text)).toBeUndefined();
  }); // prettier-ignore

  it('limits the length, the depth and the number of nodes', async () => {
    expect(await readBuiltinExpression(`${'('.repeat(20_000)}x`)).toBeUndefined();
    expect(await readBuiltinExpression(`${'('.repeat(100)}x = 1${')'.repeat(100)}`)).toBeUndefined();
    expect(await readBuiltinExpression(`${'NOT '.repeat(3_000)}x`)).toBeUndefined();
    expect(await readBuiltinExpression(Array(2_000).fill('x=1').join(' OR '))).toBeUndefined();
    expect(await readBuiltinExpression(`${'('.repeat(40)}x = 1${')'.repeat(40)}`)).toBeDefined();
  });
});
