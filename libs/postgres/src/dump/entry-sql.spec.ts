import { readEntries } from './choose-entries.js';
import { separateSql } from './entry-sql.js';

const LIST = [
  '; a comment',
  '5; 1259 100 TABLE public t -',
  ';	depends on: 2',
  '7; 1255 101 FUNCTION public f() -',
  '8; 0 0 COMMENT public TABLE t -',
];
const header = (id: number, address: string) =>
  `--\n-- TOC entry ${id} (class ${address})\n-- Name: x\n--\n\n`;

describe('separateSql', () => {
  it('divides the output at the comments of the listed entries, in the order of the output', () => {
    const sql = `SET a = 1;\n\n${header(7, '1255 OID 101')}CREATE FUNCTION f();\n\n${header(5, '1259 OID 100')}CREATE TABLE t;\n\n${header(8, '0 OID 0')}COMMENT;\n\n\\unrestrict key\n\n`;
    const { settings, entries } = separateSql(sql, readEntries(LIST));
    expect(settings).toBe('SET a = 1;\n\n--\n');
    expect(entries.map(({ id }) => id)).toEqual(['7', '5', '8']);
    expect(
      entries.map((entry) => entry.sql.split('\n').filter((line) => line !== '' && !line.startsWith('--'))),
    ).toEqual([['CREATE FUNCTION f();'], ['CREATE TABLE t;'], ['COMMENT;']]);
  });

  it('does not divide a body that contains the comment of an entry that has begun, or of no entry', () => {
    const body = `${header(7, '1255 OID 101')}${header(7, '1255 OID 101')}${header(99, '1255 OID 5')}\\unrestrict here\n$$;\n`;
    const { entries } = separateSql(body, readEntries(LIST));
    expect(entries).toHaveLength(1);
    expect(entries[0]?.sql).toContain('\\unrestrict here\n$$;');
  });
});
