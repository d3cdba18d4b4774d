import type { Chunk } from './plan-chunks.js';
import { readChunkSql, writeRowsSql } from './chunk-sql.js';

const whole: Chunk = {
  tableIndex: 0,
  number: 0,
  relation: { schema: 'public', table: 'T' },
  relationOid: '1',
  reads: 'table',
  fromPage: undefined,
  toPage: undefined,
  bytes: 0,
};
const NONE: ReadonlySet<string> = new Set();
const layout = { read: ['a', 'b"'], nullFlagOnly: NONE, readsExtraColumns: false, orderBy: [] };

describe('the COPY statement of a chunk', () => {
  it('reads a whole table by its name', () => {
    expect(readChunkSql(layout, whole)).toBe('COPY "public"."T" ("a", "b""") TO STDOUT');
  });

  it('reads page ranges, extra columns and foreign partitions with a query that excludes child tables', () => {
    const from = 'SELECT "a", "b""" FROM ONLY "public"."T"';
    expect(readChunkSql(layout, { ...whole, fromPage: 3, toPage: 7 })).toBe(
      `COPY (${from} WHERE ctid >= '(3,0)'::pg_catalog.tid AND ctid < '(7,0)'::pg_catalog.tid) TO STDOUT`,
    );
    expect(readChunkSql(layout, { ...whole, fromPage: 7 })).toBe(
      `COPY (${from} WHERE ctid >= '(7,0)'::pg_catalog.tid) TO STDOUT`,
    );
    expect(readChunkSql({ ...layout, readsExtraColumns: true }, whole)).toBe(`COPY (${from}) TO STDOUT`);
    expect(readChunkSql(layout, { ...whole, reads: 'foreign' })).toBe(`COPY (${from}) TO STDOUT`);
  });

  it('orders the rows if rules need an order', () => {
    expect(readChunkSql({ ...layout, orderBy: ['a'] }, whole)).toBe(
      'COPY (SELECT "a", "b""" FROM ONLY "public"."T" ORDER BY "a") TO STDOUT',
    );
  });

  it('reads only whether a null-flag-only column is NULL', () => {
    expect(readChunkSql({ ...layout, nullFlagOnly: new Set(['b"']) }, whole)).toBe(
      `COPY (SELECT "a", CASE WHEN "b""" IS DISTINCT FROM NULL THEN '' END FROM ONLY "public"."T") TO STDOUT`,
    );
  });

  it('reads a partitioned table with all its leaf partitions', () => {
    expect(readChunkSql({ ...layout, read: ['x'] }, { ...whole, reads: 'tree' })).toBe(
      'COPY (SELECT "x" FROM "public"."T") TO STDOUT',
    );
  });

  it('reads and writes a table without columns', () => {
    expect(readChunkSql({ ...layout, read: [] }, { ...whole, toPage: 7 })).toContain('SELECT  FROM ONLY');
    expect(writeRowsSql({ written: [] }, whole.relation)).toBe('COPY "public"."T"  FROM STDIN');
  });

  it('reads only the rows of a subset within the pages of the chunk', () => {
    expect(readChunkSql(layout, whole, 'a = 1 OR b = 2')).toBe(
      `COPY (SELECT "a", "b""" FROM ONLY "public"."T" WHERE (a = 1 OR b = 2)) TO STDOUT`,
    );
    expect(readChunkSql(layout, { ...whole, toPage: 7 }, 'a = 1 OR b = 2')).toBe(
      `COPY (SELECT "a", "b""" FROM ONLY "public"."T" WHERE ctid < '(7,0)'::pg_catalog.tid AND (a = 1 OR b = 2)) TO STDOUT`,
    );
  });
});
