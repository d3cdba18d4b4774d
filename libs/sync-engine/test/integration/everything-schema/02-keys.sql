-- Primary, unique and foreign keys of all kinds. Each foreign key has rows in both tables.

CREATE SCHEMA composite_keys;
CREATE TABLE composite_keys.orders (region text, number int, note text, PRIMARY KEY (number, region));
CREATE TABLE composite_keys.lines (
  region text, number int, line int, sku text,
  PRIMARY KEY (region, number, line),
  FOREIGN KEY (number, region) REFERENCES composite_keys.orders (number, region)
);
INSERT INTO composite_keys.orders SELECT r, i, r || i FROM generate_series(1, 10) i, unnest(ARRAY['eu', 'us']) r;
INSERT INTO composite_keys.lines SELECT region, number, l, 'sku' || l FROM composite_keys.orders, generate_series(1, 3) l;

CREATE SCHEMA missing_keys;
CREATE TABLE missing_keys.log (at timestamptz, entry text);
INSERT INTO missing_keys.log SELECT '2025-01-01'::timestamptz + i * interval '1 hour', 'same' FROM generate_series(1, 30) i;
INSERT INTO missing_keys.log SELECT * FROM missing_keys.log;

CREATE SCHEMA self_references;
CREATE TABLE self_references.employees (
  id int PRIMARY KEY,
  boss_id int REFERENCES self_references.employees,
  mentor_id int NOT NULL REFERENCES self_references.employees (id)
);
INSERT INTO self_references.employees SELECT i, nullif(i / 2, 0), 21 - i FROM generate_series(1, 20) i;

CREATE SCHEMA cycles;
CREATE TABLE cycles.a (id int PRIMARY KEY, b_id int);
CREATE TABLE cycles.b (id int PRIMARY KEY, a_id int REFERENCES cycles.a);
ALTER TABLE cycles.a ADD FOREIGN KEY (b_id) REFERENCES cycles.b;
INSERT INTO cycles.a SELECT i FROM generate_series(1, 5) i;
INSERT INTO cycles.b SELECT i, i FROM generate_series(1, 5) i;
UPDATE cycles.a SET b_id = 6 - id;

CREATE SCHEMA not_null_cycles;
CREATE TABLE not_null_cycles.a (id int PRIMARY KEY, b_id int NOT NULL);
CREATE TABLE not_null_cycles.b (id int PRIMARY KEY, c_id int NOT NULL);
CREATE TABLE not_null_cycles.c (id int PRIMARY KEY, a_id int NOT NULL);
INSERT INTO not_null_cycles.a SELECT i, i FROM generate_series(1, 5) i;
INSERT INTO not_null_cycles.b SELECT i, 6 - i FROM generate_series(1, 5) i;
INSERT INTO not_null_cycles.c SELECT i, i FROM generate_series(1, 5) i;
ALTER TABLE not_null_cycles.a ADD FOREIGN KEY (b_id) REFERENCES not_null_cycles.b;
ALTER TABLE not_null_cycles.b ADD FOREIGN KEY (c_id) REFERENCES not_null_cycles.c;
ALTER TABLE not_null_cycles.c ADD FOREIGN KEY (a_id) REFERENCES not_null_cycles.a;

-- Two cycles that share a table, and two edges between the same tables.
CREATE SCHEMA several_cycles;
CREATE TABLE several_cycles.hub (id int PRIMARY KEY, left_id int, right_id int, again_id int);
CREATE TABLE several_cycles.left_side (id int PRIMARY KEY, hub_id int REFERENCES several_cycles.hub);
CREATE TABLE several_cycles.right_side (
  id int PRIMARY KEY,
  hub_id int REFERENCES several_cycles.hub,
  left_id int REFERENCES several_cycles.left_side
);
ALTER TABLE several_cycles.hub
  ADD FOREIGN KEY (left_id) REFERENCES several_cycles.left_side,
  ADD FOREIGN KEY (right_id) REFERENCES several_cycles.right_side,
  ADD FOREIGN KEY (again_id) REFERENCES several_cycles.right_side;
INSERT INTO several_cycles.hub SELECT i FROM generate_series(1, 4) i;
INSERT INTO several_cycles.left_side SELECT i, i FROM generate_series(1, 4) i;
INSERT INTO several_cycles.right_side SELECT i, i, 5 - i FROM generate_series(1, 4) i;
UPDATE several_cycles.hub SET left_id = id, right_id = 5 - id, again_id = id;

CREATE SCHEMA deferrable_keys;
CREATE TABLE deferrable_keys.parents (
  id int PRIMARY KEY DEFERRABLE INITIALLY DEFERRED,
  code int UNIQUE DEFERRABLE INITIALLY IMMEDIATE,
  slug int UNIQUE
);
CREATE TABLE deferrable_keys.children (
  id int PRIMARY KEY,
  deferred_id int REFERENCES deferrable_keys.parents (slug) DEFERRABLE INITIALLY DEFERRED,
  immediate_id int REFERENCES deferrable_keys.parents (slug) DEFERRABLE INITIALLY IMMEDIATE,
  fixed_id int REFERENCES deferrable_keys.parents (slug) NOT DEFERRABLE
);
INSERT INTO deferrable_keys.parents SELECT i, i, i FROM generate_series(1, 9) i;
INSERT INTO deferrable_keys.children SELECT i, i, i, i FROM generate_series(1, 9) i;

CREATE SCHEMA key_options;
CREATE TABLE key_options.t (
  id int, "Code" varchar(9) COLLATE "C", note text, kind int NOT NULL, tag text,
  CONSTRAINT "The Key" PRIMARY KEY (id, "Code") INCLUDE (note) WITH (fillfactor = 70) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT by_kind UNIQUE (kind) INCLUDE (tag, note) WITH (fillfactor = 60, deduplicate_items = off),
  CONSTRAINT by_tag UNIQUE (tag)
);
CREATE UNIQUE INDEX kind_downwards ON key_options.t (kind DESC);
ALTER TABLE key_options.t CLUSTER ON "The Key", REPLICA IDENTITY USING INDEX by_kind;
COMMENT ON INDEX key_options."The Key" IS 'an index''s "comment"';
COMMENT ON CONSTRAINT "The Key" ON key_options.t IS 'a key''s';
COMMENT ON INDEX key_options.kind_downwards IS 'downwards';
INSERT INTO key_options.t SELECT i, 'c' || i, 'n', i, CASE WHEN i > 3 THEN 't' || i END FROM generate_series(1, 9) i;

CREATE SCHEMA keys_to_unique;
CREATE TABLE keys_to_unique.parents (
  id int PRIMARY KEY, email text NOT NULL, tenant int, code text,
  CONSTRAINT by_email UNIQUE (email), CONSTRAINT by_code UNIQUE (tenant, code)
);
CREATE UNIQUE INDEX by_index_alone ON keys_to_unique.parents (code, id);
CREATE TABLE keys_to_unique.children (
  email text REFERENCES keys_to_unique.parents (email),
  tenant int, code text, parent int,
  FOREIGN KEY (tenant, code) REFERENCES keys_to_unique.parents (tenant, code) MATCH FULL,
  FOREIGN KEY (code, parent) REFERENCES keys_to_unique.parents (code, id)
);
INSERT INTO keys_to_unique.parents SELECT i, 'p' || i || '@example.com', i % 3, 'c' || i FROM generate_series(1, 9) i;
INSERT INTO keys_to_unique.children SELECT email, tenant, code, id FROM keys_to_unique.parents;
INSERT INTO keys_to_unique.children VALUES (NULL, NULL, NULL, 7);

CREATE SCHEMA key_actions;
CREATE TABLE key_actions.parents (id int PRIMARY KEY);
CREATE TABLE key_actions.children (
  id int PRIMARY KEY,
  a int REFERENCES key_actions.parents ON DELETE CASCADE ON UPDATE CASCADE,
  b int REFERENCES key_actions.parents ON DELETE SET NULL ON UPDATE SET NULL,
  c int DEFAULT 1 REFERENCES key_actions.parents ON DELETE SET DEFAULT ON UPDATE SET DEFAULT,
  d int REFERENCES key_actions.parents ON DELETE RESTRICT ON UPDATE NO ACTION
);
INSERT INTO key_actions.parents SELECT i FROM generate_series(1, 9) i;
INSERT INTO key_actions.children SELECT i, i, i, i, i FROM generate_series(1, 9) i;

CREATE SCHEMA keys_not_validated;
CREATE TABLE keys_not_validated.parents (id int PRIMARY KEY);
CREATE TABLE keys_not_validated.children (id int PRIMARY KEY, parent_id int);
INSERT INTO keys_not_validated.parents VALUES (1);
INSERT INTO keys_not_validated.children VALUES (1, 1), (2, 404);
ALTER TABLE keys_not_validated.children
  ADD FOREIGN KEY (parent_id) REFERENCES keys_not_validated.parents NOT VALID;

CREATE SCHEMA keys_across_schemas;
CREATE TABLE keys_across_schemas.visits (id int PRIMARY KEY, customer int REFERENCES "Mixed Case"."Customers" ("Id"));
INSERT INTO keys_across_schemas.visits SELECT i, i FROM generate_series(1, 10) i;
