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

  it('gives each relation the tablespace that is in force, and leaves the settings out elsewhere', () => {
    const space = (name: string) => `SET default_tablespace = ${name};\n\n`;
    const sql = `SET a = 1;\n\n${header(7, '1255 OID 101')}CREATE FUNCTION f() AS '\n${space('no')}';\n\n${space('fast')}SET default_table_access_method = heap;\n\n${header(5, '1259 OID 100')}CREATE TABLE t;\n\n${space("''")}${header(8, '0 OID 0')}COMMENT;\n`;
    const { entries } = separateSql(sql, readEntries(LIST));
    const settings = entries.map((entry) => entry.sql.match(/^SET .*;$/gm));
    const ofTable = ['SET default_tablespace = fast;', 'SET default_table_access_method = heap;'];
    expect(settings).toEqual([['SET default_tablespace = no;'], ofTable, null]);
  });

  it.each([
    ['the body of a function', '$_$', '$_$'],
    ['a literal', "E'it''s", "'"],
    ['a name', '"', '"'],
  ])('does not divide %s that contains the comment before an entry', (_, from, to) => {
    const fake = `${header(99, '1255 OID 5')}${header(7, '1255 OID 101')}${header(5, '1259 OID 100')}`;
    const quoted = `${from}\n${fake}\\unrestrict here\n${to};\n`;
    const { entries } = separateSql(
      `${header(7, '1255 OID 101')}-- It's\n${quoted}${header(5, '1259 OID 100')}CREATE TABLE t;\n`,
      readEntries(LIST),
    );
    expect(entries.map(({ id }) => id)).toEqual(['7', '5']);
    expect(entries[0]?.sql).toContain(quoted);
    expect(entries[1]?.sql).toMatch(/OID 100\)\n[^]*CREATE TABLE t;\n$/);
  });
});
