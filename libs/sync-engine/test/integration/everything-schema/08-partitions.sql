-- Partitioned and inherited tables. A partitioned table is copied with all its partitions.

CREATE SCHEMA twelve_partitions;
CREATE TABLE twelve_partitions.events (id int, day date NOT NULL, note text, PRIMARY KEY (id, day)) PARTITION BY RANGE (day);
DO $$ BEGIN
  FOR m IN 1 .. 12 LOOP
    EXECUTE format('CREATE TABLE twelve_partitions.events_%s PARTITION OF twelve_partitions.events FOR VALUES FROM (%L) TO (%L)',
      lpad(m::text, 2, '0'), make_date(2025, m, 1), make_date(2025, m, 1) + interval '1 month');
  END LOOP;
END $$;
CREATE INDEX ON twelve_partitions.events (note);
INSERT INTO twelve_partitions.events SELECT i, '2025-01-01'::date + i % 365, 'note ' || i FROM generate_series(1, 1000) i;

CREATE SCHEMA list_partitions;
CREATE TABLE list_partitions.t (region text, v int) PARTITION BY LIST (region);
CREATE TABLE list_partitions.eu PARTITION OF list_partitions.t FOR VALUES IN ('de', 'fr');
CREATE TABLE list_partitions.none PARTITION OF list_partitions.t FOR VALUES IN (NULL);
CREATE TABLE list_partitions.rest PARTITION OF list_partitions.t DEFAULT;
INSERT INTO list_partitions.t VALUES ('de', 1), ('fr', 2), (NULL, 3), ('us', 4), ('', 5);

CREATE SCHEMA hash_partitions;
CREATE TABLE hash_partitions.t (id int PRIMARY KEY, v text) PARTITION BY HASH (id);
DO $$ BEGIN
  FOR r IN 0 .. 3 LOOP
    EXECUTE format('CREATE TABLE hash_partitions.t_%s PARTITION OF hash_partitions.t FOR VALUES WITH (MODULUS 4, REMAINDER %s)', r, r);
  END LOOP;
END $$;
INSERT INTO hash_partitions.t SELECT i, 'v' || i FROM generate_series(1, 100) i;

CREATE SCHEMA nested_partitions;
CREATE TABLE nested_partitions.t (id int, day date, region text DEFAULT 'eu', v int) PARTITION BY RANGE (day);
CREATE TABLE nested_partitions.y2025 PARTITION OF nested_partitions.t FOR VALUES FROM ('2025-01-01') TO ('2026-01-01') PARTITION BY LIST (region);
CREATE TABLE nested_partitions.y2025_eu PARTITION OF nested_partitions.y2025 (region DEFAULT 'de') FOR VALUES IN ('eu', 'de');
CREATE TABLE nested_partitions.y2025_rest PARTITION OF nested_partitions.y2025 DEFAULT PARTITION BY HASH (id);
CREATE TABLE nested_partitions.y2025_rest_0 PARTITION OF nested_partitions.y2025_rest FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE nested_partitions.y2025_rest_1 PARTITION OF nested_partitions.y2025_rest FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE TABLE nested_partitions.later PARTITION OF nested_partitions.t FOR VALUES FROM ('2026-01-01') TO (MAXVALUE);
CREATE TABLE nested_partitions.earlier PARTITION OF nested_partitions.t DEFAULT;
CREATE INDEX ON nested_partitions.t (v);
INSERT INTO nested_partitions.t SELECT i, '2024-07-01'::date + i * 3, (ARRAY['eu', 'us', 'jp'])[1 + i % 3], i FROM generate_series(1, 300) i;

-- Attached partitions have another column order and other dropped columns. One is in another schema, one has
-- its own indexes, and one is unlogged.
CREATE SCHEMA attached_partitions;
CREATE SCHEMA "Attached Elsewhere";
CREATE TABLE attached_partitions.t (a int NOT NULL, b text, c int, PRIMARY KEY (a)) PARTITION BY RANGE (a);
CREATE TABLE attached_partitions.low (gone int, c int, b text, a int NOT NULL CONSTRAINT own CHECK (a < 1000));
ALTER TABLE attached_partitions.low DROP gone;
ALTER TABLE attached_partitions.t ATTACH PARTITION attached_partitions.low FOR VALUES FROM (MINVALUE) TO (100);
CREATE TABLE "Attached Elsewhere"."High" (b text, a int PRIMARY KEY, c int);
CREATE INDEX "own index" ON "Attached Elsewhere"."High" (b);
ALTER TABLE attached_partitions.t ATTACH PARTITION "Attached Elsewhere"."High" FOR VALUES FROM (100) TO (200);
CREATE UNLOGGED TABLE attached_partitions.highest PARTITION OF attached_partitions.t FOR VALUES FROM (200) TO (MAXVALUE);
INSERT INTO attached_partitions.t SELECT i * 10, 'b' || i, i FROM generate_series(1, 40) i;

CREATE SCHEMA partition_expressions;
CREATE FUNCTION partition_expressions.bucket(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 % 2';
CREATE TABLE partition_expressions.t (v int, name text) PARTITION BY LIST (partition_expressions.bucket(v));
CREATE TABLE partition_expressions.even PARTITION OF partition_expressions.t FOR VALUES IN (0);
CREATE TABLE partition_expressions.odd PARTITION OF partition_expressions.t FOR VALUES IN (1);
INSERT INTO partition_expressions.t SELECT i, 'n' || i FROM generate_series(1, 20) i;

CREATE SCHEMA partition_keys;
CREATE TABLE partition_keys.parents (id int PRIMARY KEY, self_id int REFERENCES partition_keys.parents) PARTITION BY RANGE (id);
CREATE TABLE partition_keys.parents_1 PARTITION OF partition_keys.parents FOR VALUES FROM (0) TO (50);
CREATE TABLE partition_keys.parents_2 PARTITION OF partition_keys.parents FOR VALUES FROM (50) TO (100);
CREATE TABLE partition_keys.children (id int, parent_id int REFERENCES partition_keys.parents) PARTITION BY HASH (id);
CREATE TABLE partition_keys.children_0 PARTITION OF partition_keys.children FOR VALUES WITH (MODULUS 1, REMAINDER 0);
CREATE TABLE partition_keys.points_at_one (id int REFERENCES partition_keys.parents_1 (id));
ALTER TABLE partition_keys.children_0 ADD CONSTRAINT own_key FOREIGN KEY (id) REFERENCES partition_keys.parents (id) ON DELETE CASCADE;
INSERT INTO partition_keys.parents SELECT i, i FROM generate_series(1, 99) i;
INSERT INTO partition_keys.children SELECT i, 100 - i FROM generate_series(1, 99) i;
INSERT INTO partition_keys.points_at_one VALUES (1), (2);

CREATE SCHEMA empty_partitioned;
CREATE TABLE empty_partitioned.t (id int) PARTITION BY RANGE (id);

CREATE SCHEMA inherited_tables;
CREATE TABLE inherited_tables.cities (name text, size int CHECK (size > 0), own int CONSTRAINT here_only CHECK (own > 0) NO INHERIT);
CREATE TABLE inherited_tables.tagged (tag text NOT NULL);
CREATE TABLE inherited_tables.capitals (state char(2), size int DEFAULT 5) INHERITS (inherited_tables.cities, inherited_tables.tagged);
CREATE TABLE inherited_tables.old_capitals (until date) INHERITS (inherited_tables.capitals);
CREATE INDEX ON inherited_tables.capitals (name);
INSERT INTO inherited_tables.cities VALUES ('a', 1, 1), ('b', 2, 1);
INSERT INTO inherited_tables.tagged VALUES ('t');
INSERT INTO inherited_tables.capitals (name, size, own, tag, state) VALUES ('c', 3, -1, 'x', 'CC'), ('a', 1, NULL, 'y', 'AA');
INSERT INTO inherited_tables.old_capitals (name, size, tag, state, until) VALUES ('d', 4, 'z', 'DD', '1900-01-01');
