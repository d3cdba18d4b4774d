import { ScriptFilter } from './script-filter.js';

function filtered(script: string): string {
  const filter = new ScriptFilter();
  return (script.match(/.*\n|.+$/g) ?? []).map((line) => filter.line(line)).join('');
}

describe('a script filter', () => {
  it.each([
    ['DROP DATABASE IF EXISTS chinook;\n', '\n'],
    ['create database "a;b"\n  with encoding = \'UTF8\';\nSELECT 1;\n', '\n\nSELECT 1;\n'],
    ['SELECT 1; DROP DATABASE x; SELECT 2;\n', 'SELECT 1; SELECT 2;\n'],
    ['/* why */ CREATE DATABASE x; SELECT 2;\n', '/* why */ SELECT 2;\n'],
    ["ALTER DATABASE shop OWNER TO me;\nCOMMENT ON DATABASE shop IS 'x;y';\nSELECT 3;\n", '\n\nSELECT 3;\n'],
    ['GRANT ALL ON DATABASE shop TO me;\nGRANT ALL ON TABLE t TO me;\n', '\nGRANT ALL ON TABLE t TO me;\n'],
    ['\\c chinook;\n\\connect shop\nSELECT 1;\n', '\n\nSELECT 1;\n'],
  ])('removes statements that lead to another database: %j', (script, expected) => {
    // The rest of a line may begin with the space that followed the removed statement.
    expect(filtered(script).replace(/ +/g, ' ').replace(/^ | $/gm, '')).toBe(expected);
  });

  it.each([
    "INSERT INTO t VALUES ('x\nDROP DATABASE shop;\n\\c shop\n');\n",
    "INSERT INTO t VALUES (E'it\\'s\nDROP DATABASE shop;\n');\nSELECT 1;\n",
    "INSERT INTO t VALUES ('it''s', 'a;\nCREATE DATABASE x;\n');\n",
    "CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $body$\nBEGIN\n  -- it's\n  DROP DATABASE x;\nEND $body$;\nSELECT 1;\n",
    'COPY public."odd;name" (a) FROM stdin;\nDROP DATABASE shop;\n\\c shop\nit\'s\n\\.\nSELECT 1;\n',
    "-- it's a comment\n/* DROP DATABASE x; /* nested */ \\c y\n*/\nSELECT 1;\n",
    "\\echo it's\nSELECT 1;\n",
    'SELECT $1, a$b$c FROM t;\nCREATE TABLE database (c int);\n',
    "ALTER TABLE t ADD COLUMN c text DEFAULT '';\n",
  ])('passes everything else: %j', (script) => {
    expect(filtered(script)).toBe(script);
  });

  it('reads statements again after COPY data, and removes the next one that leads to another database', () => {
    expect(filtered('COPY t FROM STDIN;\n1\n\\.\nDROP DATABASE x;\n')).toBe('COPY t FROM STDIN;\n1\n\\.\n\n');
  });
});
