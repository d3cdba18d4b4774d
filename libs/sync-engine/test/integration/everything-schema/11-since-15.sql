-- Features of PostgreSQL 15 and later.

CREATE SCHEMA since_15;
CREATE TABLE since_15.parents (tenant int, id int, v int UNIQUE NULLS NOT DISTINCT, PRIMARY KEY (tenant, id));
CREATE TABLE since_15.children (
  tenant int NOT NULL, parent_id int,
  FOREIGN KEY (tenant, parent_id) REFERENCES since_15.parents ON DELETE SET NULL (parent_id)
);
INSERT INTO since_15.parents VALUES (1, 1, 1), (1, 2, NULL);
INSERT INTO since_15.children VALUES (1, 1), (1, NULL);

CREATE SCHEMA numbers_since_15;
CREATE TABLE numbers_since_15.t (id int PRIMARY KEY, negative_scale numeric(5, -2), small_scale numeric(3, 5));
INSERT INTO numbers_since_15.t VALUES (1, -12300, 0.00999), (2, 100, -0.00001), (3, 0, 0), (4, 99900, 0.001), (5, NULL, NULL);
