-- Indexes, constraints, statistics and comments.

CREATE SCHEMA indexes;
CREATE FUNCTION indexes.normal(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN lower(trim($1)); END $$;
CREATE TABLE indexes.t (id int PRIMARY KEY, name text, state text, doc jsonb, place point, words tsvector, n int, m int);
CREATE INDEX partial ON indexes.t (name) WHERE state = 'open';
CREATE UNIQUE INDEX partial_unique ON indexes.t (name) WHERE state = 'open' AND n IS NOT NULL;
CREATE UNIQUE INDEX by_expression ON indexes.t (indexes.normal(name), (n + m));
CREATE INDEX with_more ON indexes.t (n) INCLUDE (m, state);
CREATE INDEX in_order ON indexes.t (name COLLATE "C" text_pattern_ops DESC NULLS LAST, n ASC NULLS FIRST) WITH (fillfactor = 50);
CREATE INDEX inverted ON indexes.t USING gin (doc jsonb_path_ops) WITH (fastupdate = off);
CREATE INDEX spatial ON indexes.t USING gist (place);
CREATE INDEX quad ON indexes.t USING spgist (place);
CREATE INDEX block_ranges ON indexes.t USING brin (n) WITH (pages_per_range = 4);
CREATE INDEX hashed ON indexes.t USING hash (state);
ALTER INDEX indexes.by_expression ALTER COLUMN 2 SET STATISTICS 250;
INSERT INTO indexes.t SELECT i, 'Name ' || i, (ARRAY['open', 'shut'])[1 + i % 2], jsonb_build_object('i', i), point(i, -i), to_tsvector('english', 'word ' || i), i, i * 2 FROM generate_series(1, 50) i;

CREATE SCHEMA exclusions;
CREATE TABLE exclusions.t (room int4range, during tsrange, note text,
  CONSTRAINT no_overlap EXCLUDE USING gist (room WITH &&, during WITH &&) WHERE (note <> 'tentative') DEFERRABLE INITIALLY DEFERRED);
INSERT INTO exclusions.t VALUES ('[1,2)', '[2025-01-01,2025-01-02)', 'a'), ('[1,2)', '[2025-01-02,2025-01-03)', 'b'), ('[1,2)', '[2025-01-01,2025-01-03)', 'tentative');

CREATE SCHEMA checks;
CREATE FUNCTION checks.is_even(int) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT $1 % 2 = 0';
CREATE TABLE checks.t (id int CHECK (checks.is_even(id)), a int, b int, CONSTRAINT ordered CHECK (a < b), CONSTRAINT "odd ""name""" CHECK (a IS NOT NULL OR b IS NOT NULL));
INSERT INTO checks.t VALUES (2, 1, 2), (4, NULL, 7), (NULL, 3, NULL);

CREATE SCHEMA extended_statistics;
CREATE TABLE extended_statistics.t (a int, b int, c text);
CREATE STATISTICS extended_statistics.together (ndistinct, dependencies, mcv) ON a, b FROM extended_statistics.t;
CREATE STATISTICS extended_statistics."On Expression" ON (a + b), lower(c) FROM extended_statistics.t;
ALTER STATISTICS extended_statistics.together SET STATISTICS 50;
COMMENT ON STATISTICS extended_statistics.together IS 'a and b go together';
INSERT INTO extended_statistics.t SELECT i, i % 5, 'c' || i FROM generate_series(1, 20) i;

CREATE SCHEMA comments;
COMMENT ON SCHEMA comments IS 'a schema''s "comment"';
CREATE TYPE comments.kind AS ENUM ('a');
COMMENT ON TYPE comments.kind IS 'a type';
CREATE SEQUENCE comments.numbers;
COMMENT ON SEQUENCE comments.numbers IS 'a sequence';
CREATE FUNCTION comments.one() RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 1';
COMMENT ON FUNCTION comments.one() IS 'a function';
CREATE TABLE comments.t (id int DEFAULT nextval('comments.numbers') CONSTRAINT pk PRIMARY KEY, kind comments.kind, n int DEFAULT comments.one() CONSTRAINT positive CHECK (n > 0), other int CONSTRAINT other_key REFERENCES comments.t);
CREATE INDEX by_kind ON comments.t (kind);
COMMENT ON TABLE comments.t IS E'a table\nof two lines';
COMMENT ON COLUMN comments.t.kind IS 'a column';
COMMENT ON CONSTRAINT pk ON comments.t IS 'a key';
COMMENT ON CONSTRAINT positive ON comments.t IS 'a check';
COMMENT ON CONSTRAINT other_key ON comments.t IS 'a foreign key';
COMMENT ON INDEX comments.by_kind IS 'an index';
INSERT INTO comments.t VALUES (1, 'a', 1, 1);

CREATE SCHEMA many_tables;
DO $$ BEGIN
  FOR n IN 1 .. 200 LOOP
    EXECUTE format('CREATE TABLE many_tables.t%s (id int PRIMARY KEY, v text, before int%s)', n, CASE WHEN n > 1 THEN format(' REFERENCES many_tables.t%s', n - 1) ELSE '' END);
    EXECUTE format('INSERT INTO many_tables.t%s SELECT i, ''v'' || i, CASE WHEN %s > 1 THEN i END FROM generate_series(1, 5) i', n, n);
  END LOOP;
END $$;
