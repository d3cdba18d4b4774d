import type { InlinePart } from '../catalog/inline-parts.js';
import { isCommentOf, withoutInlineParts } from './without-inline-parts.js';

const ON_T = { schema: 'public', table: 't', is_local: true };
const CHECK: InlinePart = {
  ...ON_T,
  address: '1 1',
  name: 'c',
  prefixes: null,
  clause: 'CHECK (public.ok(v))',
};
const DEFAULT: InlinePart = {
  ...{ ...ON_T, address: '2 2', name: 'v', clause: 'DEFAULT public.f(1)' },
  prefixes: ['text', 'text COLLATE pg_catalog."C"'],
};

/** Returns the items of a statement without the parts, and the addresses of the removed parts. */
function edit(items: readonly string[], parts: readonly InlinePart[] = [CHECK, DEFAULT], name = 'public.t') {
  const statement = (some: readonly string[]) => `CREATE TABLE ${name} (\n    ${some.join(',\n    ')}\n);\n`;
  const { sql, removed } = withoutInlineParts(`SET x = ''';';\n${statement(items)}`, parts);
  const from = sql.indexOf('(') + 1;
  const kept = sql.slice(from, sql.lastIndexOf(')')).trim();
  return { kept, removed: [...removed] };
}

describe('withoutInlineParts', () => {
  it.each([
    ['v text DEFAULT public.f(1)', 'v text'],
    ['"v" text DEFAULT public.f(1) NOT NULL', '"v" text NOT NULL'],
    ['v text DEFAULT public.f(1) COLLATE pg_catalog."C" NOT NULL', 'v text COLLATE pg_catalog."C" NOT NULL'],
    ['v text COLLATE pg_catalog."C" DEFAULT public.f(1)', 'v text COLLATE pg_catalog."C"'],
    ['v text DEFAULT public.f(1) CONSTRAINT named NOT NULL', 'v text CONSTRAINT named NOT NULL'],
  ])('removes the default of the column %s', (item, kept) => {
    expect(edit([item])).toEqual({ kept, removed: ['2 2'] });
  });

  it.each([
    'v text DEFAULT public.f(1) + 2',
    'v text DEFAULT public.f(10)',
    'v integer DEFAULT public.f(1)',
    'w text DEFAULT public.f(1)',
    'CONSTRAINT c CHECK (public.ok(v)) NO INHERIT',
    'CONSTRAINT c CHECK (public.ok(w))',
    "w text DEFAULT ', CONSTRAINT c CHECK (public.ok(v)), v text DEFAULT public.f(1)'::text",
    'w text DEFAULT f(\', \', "CONSTRAINT c CHECK (public.ok(v))")',
    '"w, v text DEFAULT public.f(1)" text',
    'w text CHECK ((SELECT 1, CONSTRAINT c CHECK (public.ok(v))))',
  ])('keeps %s', (item) => {
    expect(edit([item])).toEqual({ kept: item, removed: [] });
  });

  it('removes nothing from another table, a table of a type, or a text that looks like the table', () => {
    const items = ['v text DEFAULT public.f(1)', 'CONSTRAINT c CHECK (public.ok(v))'];
    for (const name of ['public.u', 'other.t', 'public.t OF public.type', '"public.t"'])
      expect(edit(items, [CHECK, DEFAULT], name).removed).toEqual([]);
    const table = `CREATE TABLE public.t (\n    ${items.join(',\n    ')}\n);\n`;
    for (const text of [
      `COMMENT ON TABLE x IS '\n${table}';`,
      `CREATE FUNCTION f() AS $_$\n${table}$_$;`,
      `("\n${table}");`,
    ])
      expect(withoutInlineParts(text, [CHECK, DEFAULT])).toEqual({ sql: text, removed: new Set() });
  });

  it('creates a table without columns and constraints if all its items are removed', () => {
    expect(edit(['CONSTRAINT c CHECK (public.ok(v))'])).toEqual({ kept: '', removed: ['1 1'] });
  });
});

it('recognizes the comments of constraints, also with line breaks in names', () => {
  const part = { ...CHECK, name: 'a\nb', table: 'T' };
  const line = (text: string) => `12; 0 0 COMMENT ${text} postgres`;
  expect(isCommentOf(line('public CONSTRAINT "a b" ON "T"'), [part])).toBe(true);
  expect(isCommentOf(line('public CONSTRAINT c ON t'), [CHECK])).toBe(true);
  for (const other of [
    'public CONSTRAINT d ON t',
    'public CONSTRAINT c ON tt',
    'public CONSTRAINT c ON DOMAIN t',
    'public COLUMN t.c',
  ])
    expect(isCommentOf(line(other), [CHECK])).toBe(false);
});
