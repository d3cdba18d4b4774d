-- The built-in types, each with its extreme values and NULL.

CREATE SCHEMA numbers;
CREATE TABLE numbers.t (
  id int PRIMARY KEY, small smallint, big bigint, exact numeric, scaled numeric(12, 3),
  single real, double double precision, flag boolean, cash money
);
INSERT INTO numbers.t VALUES
  (1, -32768, -9223372036854775808, 'NaN', 'NaN', 'NaN', 'NaN', true, '-92233720368547758.08'),
  (2, 32767, 9223372036854775807, 'Infinity', 123456789.123, 'Infinity', '-Infinity', false, '92233720368547758.07'),
  (3, 0, 0, '-Infinity', 0, '-0', '-0', NULL, 0),
  (4, 1, 1, repeat('9', 500)::numeric, 0.001, '1e-45', '5e-324', true, 0.01),
  (5, 1, 1, ('0.' || repeat('0', 300) || '1')::numeric, -0.5, '3.4028235e38', '1.7976931348623157e308', true, -1),
  (6, 1, 1, 1.5000, 1.5, 0.1, 0.1::float8 + 0.2, true, 1234567.89),
  (7, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

CREATE SCHEMA texts;
CREATE TABLE texts.t (id serial PRIMARY KEY, long text, short varchar(6), padded char(6), single "char", "name" name);
INSERT INTO texts.t (long, short, padded, single, name) VALUES
  ('', '', '', '', ''), (NULL, NULL, NULL, NULL, NULL), ('\N', '\N', '\N', '\', '\N'), ('\.', '\.', '\.', '.', '\.'),
  (E'\t\n\r\b\f\v\x01\x7f', E'\t\n\r', E'\n', E'\t', E'\n'), ('\\\t\n', '\\', '\t', 'x', '\x41'), ('NULL', 'null', 'NULL', 'N', 'null'),
  ('é表😀' || U&'\0301\200d\feff', '表😀é', '表😀é', 'z', '表'), ('  both  ', '  a', 'a  ', ' ', ' a '), (repeat('long ', 50000), '', 'x', 'y', repeat('n', 63));

CREATE SCHEMA binaries;
CREATE TABLE binaries.t (id int PRIMARY KEY, data bytea);
INSERT INTO binaries.t SELECT i, decode(lpad(to_hex(i), 2, '0'), 'hex') FROM generate_series(0, 255) i;
INSERT INTO binaries.t VALUES (256, ''), (257, NULL), (258, decode(repeat('00ff5c0a', 30000), 'hex'));

CREATE SCHEMA times;
CREATE TABLE times.t (
  id serial, day date, at timestamp, at_zone timestamptz, milli timestamptz(3), clock time, clock_zone timetz, clock_exact time(0)
);
INSERT INTO times.t (day, at, at_zone, milli, clock, clock_zone, clock_exact) VALUES
  ('infinity', 'infinity', 'infinity', 'infinity', '24:00', '24:00-15:59', '24:00'),
  ('-infinity', '-infinity', '-infinity', '-infinity', '00:00', '00:00+15:59', '00:00'),
  ('4713-01-01 BC', '4713-01-01 00:00 BC', '4713-01-02 00:00+00 BC', '0001-12-31 23:59:59.999+00 BC', '23:59:59.999999', '12:00+05:30', '12:00:01'),
  ('5874897-12-31', '294276-12-31 23:59:59.999999', '294276-12-31 23:59:59.999999+00', '2026-03-29 01:30+01', '00:00:00.000001', '12:00:00.5-00', '12:00'),
  (NULL, NULL, NULL, NULL, NULL, NULL, NULL);

CREATE SCHEMA intervals;
CREATE TABLE intervals.t (id serial, any_length interval, months interval year to month, exact interval(2));
INSERT INTO intervals.t (any_length, months, exact) VALUES
  ('1 year 2 mons -3 days 04:05:06.789', '14 months', '1.239 seconds'), ('-178000000 years', '-1 month', '-00:00:01'),
  ('00:00:00', '0', '0'), ('1 mon -1 day', '1 year', '1 day -1 second'), ('-00:00:00.000001', '-11 months', '100:00:00'), (NULL, NULL, NULL);

CREATE SCHEMA documents;
CREATE TABLE documents.t (id int PRIMARY KEY, loose json, strict jsonb, path jsonpath);
INSERT INTO documents.t VALUES
  (1, NULL, NULL, NULL), (2, 'null', 'null', '$'), (3, '"null"', '"null"', '$.a[*] ? (@.b > 1)'), (4, '{}', '{}', 'strict $'), (5, '[]', '[]', '$[0 to last]'),
  (6, ' {"b" : 1, "a":2 , "b" :3}
', '{"b": 1, "a": 2, "b": 3}', '$."odd \"key\""'),
  (7, '"\u00e9\ud83d\ude00 \\ \" \n"', '"\u00e9\ud83d\ude00 \\ \" \n"', NULL), (8, '1e400', '12345678901234567890.10', NULL), (9, 'true', '[null, {"a": null}]', NULL);

CREATE SCHEMA markup;
CREATE TABLE markup.t (id int, doc xml);
INSERT INTO markup.t VALUES (1, '<a b="c">d &amp; <![CDATA[<e>]]></a>'), (2, 'content <only/>'), (3, ''), (4, NULL),
  (5, xmlparse(DOCUMENT '<?xml version="1.0"?><!DOCTYPE a><a/>'));

CREATE SCHEMA networks;
CREATE TABLE networks.t (id uuid PRIMARY KEY, host inet, net cidr, mac macaddr, mac8 macaddr8);
INSERT INTO networks.t VALUES
  ('00000000-0000-0000-0000-000000000000', '192.168.0.1/24', '10.0.0.0/8', '08:00:2b:01:02:03', '08:00:2b:01:02:03:04:05'),
  ('ffffffff-ffff-ffff-ffff-ffffffffffff', '::ffff:1.2.3.4', '2001:db8::/32', 'ff:ff:ff:ff:ff:ff', 'ff:ff:ff:ff:ff:ff:ff:ff'),
  ('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', NULL, NULL, NULL, NULL);

CREATE SCHEMA bits;
CREATE TABLE bits.t (id int, fixed bit(5), varying varbit, short varbit(4));
INSERT INTO bits.t VALUES (1, B'10101', B'', B'1'), (2, B'00000', B'1', B''), (3, NULL, NULL, NULL), (4, B'11111', repeat('10', 400)::varbit, B'0101');

CREATE SCHEMA shapes;
CREATE TABLE shapes.t (id int, p point, l line, s lseg, b box, open_path path, poly polygon, c circle);
INSERT INTO shapes.t VALUES
  (1, '(1.5,-2)', '{1,-1,0}', '[(0,0),(1,1)]', '((0,0),(1,1))', '[(0,0),(1,1),(2,0)]', '((0,0),(1,1),(2,0))', '<(0,0),1>'),
  (2, '(NaN,Infinity)', '{0,1,-5}', '[(0.1,0.2),(0.3,1e300)]', '((1,1),(1,1))', '((0,0),(1,1))', '((0,0))', '<(1e-300,2),0>'),
  (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

CREATE SCHEMA text_search;
CREATE TABLE text_search.t (id int, vector tsvector, query tsquery);
CREATE INDEX ON text_search.t USING gin (vector);
INSERT INTO text_search.t VALUES (1, to_tsvector('english', 'The quick brown foxes jumped'), 'quick & (brown | !fox:*A) <-> jump'),
  (2, '''it''''s'':1A ''back\\slash'':2B', '''it''''s'''), (3, '', ''), (4, NULL, NULL);

CREATE SCHEMA ranges;
CREATE TABLE ranges.t (
  id int, i4 int4range, i8 int8range, n numrange, ts tsrange, tz tstzrange, d daterange,
  mi int4multirange, mn nummultirange, mt tstzmultirange, md datemultirange
);
INSERT INTO ranges.t VALUES
  (1, '[1,5)', '(,10]', '(1.5,2.5]', '[2025-01-01,)', '[2025-01-01 00:00+02,2025-02-01)', '[2025-01-01,2025-01-31]', '{[1,3),[5,9)}', '{(,1],(2,)}', '{}', '{[2025-01-01,2025-02-01)}'),
  (2, 'empty', 'empty', '(,)', '(,infinity]', '(-infinity,infinity)', '(,)', '{}', '{}', '{(,)}', '{}'),
  (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

CREATE SCHEMA system_types;
CREATE TABLE system_types.t (
  id int, o oid, x xid, x8 xid8, c cid, place tid, log pg_lsn, snap pg_snapshot, a_type regtype, a_function regprocedure, config regconfig, acl aclitem[], v oidvector, w int2vector
);
INSERT INTO system_types.t VALUES (1, 4294967295, '3', '18446744073709551615', '7', '(4294967295,65535)', 'FFFFFFFF/FFFFFFFF', '10:20:10,14', 'integer', 'lower(text)', 'english', NULL, '1 2', '3 4'),
  (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, NULL);

CREATE SCHEMA arrays;
CREATE TABLE arrays.t (
  id int, i int[], t text[], n numeric[], b bytea[], at timestamptz[], u uuid[], j jsonb[], flags boolean[], r int4range[], net inet[], boxes box[], days interval[]
);
INSERT INTO arrays.t VALUES
  (1, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}'),
  (2, '{1,NULL,-3}', ARRAY[NULL, 'NULL', '', 'a"b', 'a,b', '{c}', E'\\N\t\n', ' d '], '{NaN,Infinity,1.50}', ARRAY['\x00ff'::bytea, '', NULL], '{infinity,NULL}', '{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}', ARRAY['null'::jsonb, NULL, '{"a": "b,c"}'], '{t,f,NULL}', ARRAY['[1,2)'::int4range, 'empty'], '{::1,NULL}', '{((1,1),(0,0));((2,2),(1,1))}', ARRAY['1 day'::interval, '-1 mon']),
  (3, '{{1,2},{3,4}}', '{{{a},{b}}}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  (4, '[0:2]={7,8,9}', '[-1:0][5:6]={{a,b},{c,d}}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  (5, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
