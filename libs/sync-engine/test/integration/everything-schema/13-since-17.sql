-- Features of PostgreSQL 17 and later.

CREATE SCHEMA partitions_since_17;
CREATE TABLE partitions_since_17.visits (
  id bigint GENERATED ALWAYS AS IDENTITY (START WITH 100 INCREMENT BY 5), room int, during int4range
) PARTITION BY LIST (room);
CREATE TABLE partitions_since_17.first PARTITION OF partitions_since_17.visits FOR VALUES IN (1);
CREATE TABLE partitions_since_17.others PARTITION OF partitions_since_17.visits DEFAULT;
INSERT INTO partitions_since_17.visits (room, during) SELECT i % 3, int4range(i, i + 1) FROM generate_series(1, 12) i;

CREATE SCHEMA values_since_17;
CREATE TABLE values_since_17.t (id int PRIMARY KEY, lasting interval, label text COLLATE pg_c_utf8);
CREATE INDEX ON values_since_17.t (lower(label) COLLATE pg_c_utf8);
INSERT INTO values_since_17.t VALUES (1, 'infinity', 'É'), (2, '-infinity', 'é'), (3, '1 day', ''), (4, NULL, NULL);
