import { digestExpression } from './digest-expression.js';

const INT8 = { type: 20, name: 'bigint' };
const TEXT = { type: 25, name: 'text' };
const MOOD = { type: 16400, name: 'public.mood' };
const both = (type: { readonly type: number; readonly name: string }) => ({ source: type, target: type });

describe('the digest of a row', () => {
  it('hashes values by their type if it distinguishes them, and other values by their binary or text form', () => {
    const sql = digestExpression([
      { name: 'n', ...both({ type: 23, name: 'integer' }) },
      { name: 'id', ...both(INT8) },
      { name: 'no"te', ...both(TEXT) },
      { name: 'mood', source: MOOD, target: { ...MOOD, type: 17000 } },
      { name: 'tags', ...both({ type: 1009, name: 'text[]' }) },
      { name: 'doc', ...both({ type: 3802, name: 'jsonb' }) },
    ]);
    const values = [
      ...['"n"', 'pg_catalog.int8send("id")', '("no""te") COLLATE pg_catalog."C"'],
      ...[
        'ROW("mood")::pg_catalog.text COLLATE pg_catalog."C"',
        'ROW("tags")::pg_catalog.text COLLATE pg_catalog."C"',
      ],
      '("doc")::pg_catalog.text COLLATE pg_catalog."C"',
    ];
    expect(sql).toBe(
      `pg_catalog.hashfloat8extended(pg_catalog.hash_record_extended(ROW(${values.join(', ')}), 0)::pg_catalog.float8, 0)`,
    );
  });

  it('hashes a char by its type only if the modifier fixes what the hash ignores, and no numeric, whose hash ignores the sign', () => {
    const valueOf = (type: number, name: string) =>
      digestExpression([{ name: 'v', ...both({ type, name }) }]);
    for (const name of ['numeric(12,2)', 'numeric'])
      expect(valueOf(1700, name)).toContain('numeric_send("v")');
    expect(valueOf(1042, 'character(2)')).toContain('ROW(("v") COLLATE pg_catalog."C")');
    expect(valueOf(1042, 'bpchar')).toContain('ROW("v")::pg_catalog.text');
  });

  it('hashes the text forms of intervals, because versions of PostgreSQL read different values from the same bytes', () => {
    const sql = digestExpression([{ name: 'v', ...both({ type: 1186, name: 'interval' }) }]);
    expect(sql).toContain('ROW("v")::pg_catalog.text');
  });

  it('hashes text forms if the types of both sides differ', () => {
    const sql = digestExpression([{ name: 'n', source: { type: 23, name: 'integer' }, target: INT8 }]);
    expect(sql).toContain('ROW("n")::pg_catalog.text');
  });
});
