-- Features of PostgreSQL 18 and later.

CREATE SCHEMA virtual_columns;
CREATE TABLE virtual_columns.t (
  id uuid DEFAULT uuidv7() PRIMARY KEY, a int, doubled int GENERATED ALWAYS AS (a * 2) VIRTUAL, stored int GENERATED ALWAYS AS (a * 3) STORED,
  note text, shouted text GENERATED ALWAYS AS (upper(note)) NOT NULL, CHECK (doubled < 100)
);
INSERT INTO virtual_columns.t (id, a, note) SELECT ('00000000-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid, i, 'note ' || i FROM generate_series(1, 12) i;
CREATE TABLE virtual_columns.parted (id int, v int GENERATED ALWAYS AS (id + 1)) PARTITION BY RANGE (id);
CREATE TABLE virtual_columns.low PARTITION OF virtual_columns.parted FOR VALUES FROM (0) TO (10);
CREATE TABLE virtual_columns.high PARTITION OF virtual_columns.parted (v GENERATED ALWAYS AS (id + 2)) FOR VALUES FROM (10) TO (20);
INSERT INTO virtual_columns.parted SELECT generate_series(0, 19);

CREATE SCHEMA not_null_constraints;
CREATE TABLE not_null_constraints.parents (
  id int PRIMARY KEY, named text CONSTRAINT "is Named" NOT NULL, own text CONSTRAINT own_alone NOT NULL NO INHERIT, late text
);
CREATE TABLE not_null_constraints.children (more text CONSTRAINT more_needed NOT NULL) INHERITS (not_null_constraints.parents);
INSERT INTO not_null_constraints.parents SELECT i, 'n' || i, 'o', 'l' FROM generate_series(1, 9) i;
INSERT INTO not_null_constraints.children SELECT i, 'n' || i, NULL, 'l', 'm' FROM generate_series(10, 15) i;
ALTER TABLE not_null_constraints.parents ADD CONSTRAINT late_not_null NOT NULL late NOT VALID;
COMMENT ON CONSTRAINT "is Named" ON not_null_constraints.parents IS 'named';

CREATE SCHEMA not_enforced;
CREATE TABLE not_enforced.parents (id int PRIMARY KEY, CONSTRAINT wished CHECK (id > 5) NOT ENFORCED);
CREATE TABLE not_enforced.children (id int PRIMARY KEY, parent int CONSTRAINT hoped REFERENCES not_enforced.parents NOT ENFORCED);
INSERT INTO not_enforced.parents SELECT generate_series(1, 9);
INSERT INTO not_enforced.children SELECT i, i FROM generate_series(1, 20) i;

CREATE SCHEMA temporal_keys;
CREATE TABLE temporal_keys.rooms (id int, valid daterange, PRIMARY KEY (id, valid WITHOUT OVERLAPS));
CREATE TABLE temporal_keys.bookings (
  id int, room int, valid daterange, slots datemultirange,
  PRIMARY KEY (id, valid WITHOUT OVERLAPS), UNIQUE (room, slots WITHOUT OVERLAPS),
  CONSTRAINT in_room FOREIGN KEY (room, PERIOD valid) REFERENCES temporal_keys.rooms (id, PERIOD valid)
);
INSERT INTO temporal_keys.rooms VALUES (1, '[2025-01-01,2025-03-01)'), (1, '[2025-03-01,2025-06-01)'), (2, '[2025-01-01,)'), (3, '(,)');
INSERT INTO temporal_keys.bookings VALUES
  (1, 1, '[2025-02-01,2025-04-01)', '{[2025-02-01,2025-02-03),[2025-03-01,2025-03-05)}'), (1, 2, '[2025-04-01,2025-05-01)', NULL),
  (2, 3, '[2020-01-01,2020-02-01)', '{[2020-01-01,2020-02-01)}'), (3, NULL, '[2020-01-01,2020-02-01)', NULL);

CREATE SCHEMA partition_keys_not_valid;
CREATE TABLE partition_keys_not_valid.parents (id int PRIMARY KEY);
CREATE TABLE partition_keys_not_valid.children (id int, parent int) PARTITION BY RANGE (id);
CREATE TABLE partition_keys_not_valid.low PARTITION OF partition_keys_not_valid.children FOR VALUES FROM (0) TO (10);
INSERT INTO partition_keys_not_valid.parents SELECT generate_series(1, 3);
INSERT INTO partition_keys_not_valid.children SELECT i, i FROM generate_series(1, 5) i;
ALTER TABLE partition_keys_not_valid.children ADD CONSTRAINT late FOREIGN KEY (parent) REFERENCES partition_keys_not_valid.parents NOT VALID;
