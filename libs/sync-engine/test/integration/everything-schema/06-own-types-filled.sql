-- A value that is added to an enum can be used only from the next transaction on.

CREATE TABLE enums.t (id int PRIMARY KEY, one enums.mood DEFAULT 'happy', many enums.mood[], UNIQUE (one, id));
INSERT INTO enums.t VALUES (1, 'sad', '{sad,NULL,happy}'), (2, 'it''s "ok", \ {really}', ARRAY['it''s "ok", \ {really}', '', 'between']::enums.mood[]), (3, '', '{}'), (4, NULL, NULL), (5, 'between', NULL);

CREATE SCHEMA domains;
CREATE DOMAIN domains.code AS varchar(8) DEFAULT 'NONE' CHECK (VALUE <> '') CONSTRAINT upper_case CHECK (VALUE = upper(VALUE));
CREATE DOMAIN domains.narrow AS domains.code CHECK (length(VALUE) < 5);
CREATE DOMAIN domains.needed AS int NOT NULL;
CREATE DOMAIN domains.list AS int[] CHECK (array_length(VALUE, 1) < 5);
CREATE DOMAIN domains.posix AS text COLLATE "C";
CREATE TABLE domains.t (id int, c domains.code, n domains.narrow, m domains.needed, l domains.list, p domains.posix, cs domains.code[]);
INSERT INTO domains.t VALUES (1, 'ABCDEFGH', 'ABCD', 0, '{1,2}', 'x', '{A,NULL}'), (2, NULL, NULL, 1, NULL, NULL, NULL), (3, DEFAULT, 'Z', 2, '{}', '', '{}');
COMMENT ON DOMAIN domains.code IS 'a code';
COMMENT ON CONSTRAINT upper_case ON DOMAIN domains.code IS 'no small letters';

CREATE SCHEMA composites;
CREATE TYPE composites.point3 AS (x int, y int, label text);
CREATE TYPE composites.line3 AS (a composites.point3, b composites.point3, tags text[], mood enums.mood, code domains.code);
CREATE TABLE composites.t (id int, p composites.point3, l composites.line3, ps composites.point3[]);
INSERT INTO composites.t VALUES
  (1, ROW(1, 2, E'tab\t"quote" (paren), \\ '), ROW(ROW(1, 2, ''), NULL, '{"a,b",NULL}', 'happy', 'ABC'), ARRAY[ROW(1, NULL, NULL)::composites.point3, NULL]),
  (2, ROW(NULL, NULL, NULL), ROW(NULL, NULL, NULL, NULL, NULL), '{}'), (3, NULL, NULL, NULL);
COMMENT ON TYPE composites.point3 IS 'a place';
COMMENT ON COLUMN composites.point3.label IS 'its name';
CREATE DOMAIN composites.upper_point AS composites.point3 CHECK ((VALUE).x >= 0);
CREATE TABLE composites.of_domain (p composites.upper_point);
INSERT INTO composites.of_domain VALUES (ROW(1, 2, 'a')), (NULL);
-- The row type of another table.
CREATE TABLE composites.origin (a int, b text);
CREATE TABLE composites.keeps_rows (kept composites.origin, many composites.origin[]);
INSERT INTO composites.origin VALUES (1, 'one');
INSERT INTO composites.keeps_rows VALUES (ROW(1, 'x'), ARRAY[ROW(2, 'y')::composites.origin]);
CREATE TABLE composites.typed OF composites.point3 (PRIMARY KEY (x));
INSERT INTO composites.typed VALUES (1, 2, 'typed');

CREATE SCHEMA own_ranges;
CREATE FUNCTION own_ranges.distance(float8, float8) RETURNS float8 LANGUAGE sql IMMUTABLE AS 'SELECT $1 - $2';
CREATE TYPE own_ranges.span AS RANGE (subtype = float8, subtype_diff = own_ranges.distance, multirange_type_name = own_ranges.spans);
CREATE TABLE own_ranges.t (id int, one own_ranges.span, several own_ranges.spans, list own_ranges.span[]);
CREATE INDEX ON own_ranges.t USING gist (one);
INSERT INTO own_ranges.t VALUES (1, '[1.5,2.5)', '{[1,2),[3,4)}', ARRAY['empty'::own_ranges.span, '(,)']), (2, NULL, NULL, NULL);

CREATE SCHEMA own_operators;
CREATE FUNCTION own_operators.same_letters(text, text) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT lower($1) = lower($2)';
CREATE OPERATOR own_operators.=~= (LEFTARG = text, RIGHTARG = text, FUNCTION = own_operators.same_letters);
CREATE TABLE own_operators.t (a text, b text, CHECK (a OPERATOR(own_operators.=~=) b));
INSERT INTO own_operators.t VALUES ('Abc', 'aBC'), (NULL, NULL);
