-- Extensions that Debian's PostgreSQL packages contain.

CREATE SCHEMA extension_types;
CREATE EXTENSION citext SCHEMA extension_types;
CREATE EXTENSION hstore;
CREATE EXTENSION ltree SCHEMA extension_types;
CREATE TABLE extension_types.t (id int PRIMARY KEY, nick extension_types.citext UNIQUE, attributes public.hstore, place extension_types.ltree, nicks extension_types.citext[]);
INSERT INTO extension_types.t VALUES (1, 'Ann', '"a"=>"1", "b, =>"=>NULL, "c\"d"=>"\\"', 'top.mid.leaf', '{A,a,NULL}'), (2, 'ann2', '', '', '{}'), (3, NULL, NULL, NULL, NULL);

CREATE SCHEMA extension_indexes;
CREATE EXTENSION pg_trgm SCHEMA extension_indexes;
CREATE EXTENSION btree_gist SCHEMA extension_indexes;
CREATE EXTENSION "uuid-ossp" SCHEMA extension_indexes;
CREATE TABLE extension_indexes.bookings (
  id uuid DEFAULT extension_indexes.uuid_generate_v4(), room int, during tstzrange, note text,
  EXCLUDE USING gist (room WITH =, during WITH &&)
);
CREATE INDEX ON extension_indexes.bookings USING gin (note extension_indexes.gin_trgm_ops);
INSERT INTO extension_indexes.bookings (room, during, note) SELECT i % 3, tstzrange('2025-01-01'::timestamptz + i * interval '1 day', '2025-01-02'::timestamptz + i * interval '1 day'), 'note ' || i FROM generate_series(1, 12) i;
