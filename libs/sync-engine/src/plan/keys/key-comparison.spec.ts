import type { ColumnType } from '@understudy/postgres';
import { keyComparison } from './key-comparison.js';

const type = (base: string, more: Partial<ColumnType> = {}): ColumnType => ({
  ...{ sql: base, base, baseSchema: 'pg_catalog', isEnum: false, isDomain: false, notNull: false },
  ...more,
});
const CI = { collation: 'public.ci', looseLocale: 'und-u-ks-level2' };
const edge = (parent: ColumnType, child = parent) => ({ child, parent });

describe('keyComparison', () => {
  it.each<[string, ReturnType<typeof edge>[]]>([
    ['integers and numeric', [edge(type('numeric'), type('int4'))]],
    ['texts', [edge(type('text', { collation: 'pg_catalog."default"' }), type('varchar'))]],
    ['a text that references char(n), but not the other way', [edge(type('text'), type('bpchar'))]],
    ['an enum of any schema', [edge(type('mood', { baseSchema: 'public', isEnum: true }))]],
    ['no columns', []],
  ])('needs no server for %s', (_, edges) => {
    expect(keyComparison(edges)).toBeUndefined();
  });

  it('asks the server for a type that it does not know, even if it has the name of a known one', () => {
    expect(keyComparison([edge(type('uuid', { baseSchema: 'public' }))])).toEqual({
      type: '"public"."uuid"',
    });
    expect(keyComparison([edge(type('interval'))])).toEqual({ type: '"pg_catalog"."interval"' });
  });

  it('compares as the loosest referenced column does', () => {
    const loose = { type: '"pg_catalog"."text"', collation: 'public.ci' };
    expect(keyComparison([edge(type('varchar', CI)), edge(type('text'))])).toEqual(loose);
    expect(keyComparison([edge(type('bpchar'), type('text'))])).toEqual({ type: '"pg_catalog"."bpchar"' });
  });

  it('finds that two collations contradict each other', () => {
    const other = { collation: 'public.other', looseLocale: '' };
    expect(keyComparison([edge(type('text', CI)), edge(type('text', other))])).toBe('mixed');
  });
});
