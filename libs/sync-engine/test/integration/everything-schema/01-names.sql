-- Names as SQL permits them. Each schema in these files is one row of docs/reference/postgres-support.md.

CREATE SCHEMA "Mixed Case";
CREATE TABLE "Mixed Case"."Customers" (
  "Id" int PRIMARY KEY,
  "fullName" text NOT NULL,
  "FULLNAME" text,
  "order" int,
  "select" boolean
);
CREATE INDEX "By Name" ON "Mixed Case"."Customers" ("fullName");
CREATE TABLE "Mixed Case"."customers" ("Id" int PRIMARY KEY REFERENCES "Mixed Case"."Customers" ("Id"));
INSERT INTO "Mixed Case"."Customers" SELECT i, 'Name ' || i, 'NAME', i, i % 2 = 0 FROM generate_series(1, 20) i;
INSERT INTO "Mixed Case"."customers" SELECT i FROM generate_series(1, 10) i;

CREATE SCHEMA "quo""te's \ and $1";
CREATE TABLE "quo""te's \ and $1"."ta""ble's \ %s {}" (
  "id" int CONSTRAINT "pri""mary's \" PRIMARY KEY,
  "col""umn's \ %s" text DEFAULT 'it''s \ a "default"',
  "a.b" text,
  "tab	tab" text,
  "--" text,
  "/*" text,
  "$$" text CONSTRAINT "che""ck's \" CHECK ("$$" <> '')
);
CREATE UNIQUE INDEX "in""dex's \" ON "quo""te's \ and $1"."ta""ble's \ %s {}" ("col""umn's \ %s", "a.b");
COMMENT ON COLUMN "quo""te's \ and $1"."ta""ble's \ %s {}"."a.b" IS 'a "comment" that''s \ odd';
INSERT INTO "quo""te's \ and $1"."ta""ble's \ %s {}" VALUES (1, 'a', 'b', 'c', 'd', 'e', 'f'), (2, 'g', NULL, '', '\', '"', '''');

CREATE SCHEMA "new
line";
CREATE TYPE "new
line"."ty
pe" AS ENUM ('la
bel', 'other');
CREATE TABLE "new
line"."ta
ble" (
  "i
d" serial PRIMARY KEY,
  "mo
od" "new
line"."ty
pe",
  "parent" int CONSTRAINT "fore
ign" REFERENCES "new
line"."ta
ble" ("i
d")
);
CREATE INDEX "in
dex" ON "new
line"."ta
ble" ("mo
od");
COMMENT ON TABLE "new
line"."ta
ble" IS 'two
lines';
COMMENT ON COLUMN "new
line"."ta
ble"."mo
od" IS 'more
lines';
COMMENT ON INDEX "new
line"."in
dex" IS 'and
more';
INSERT INTO "new
line"."ta
ble" ("mo
od", "parent") VALUES ('la
bel', 1), ('other', 1), (NULL, 2);
CREATE TABLE "new
line"."parted
rows" ("k
ey" int) PARTITION BY LIST ("k
ey");
CREATE TABLE "new
line"."part
one" PARTITION OF "new
line"."parted
rows" FOR VALUES IN (1, 2);
INSERT INTO "new
line"."parted
rows" VALUES (1), (2), (2);

CREATE SCHEMA "unicode é 表 😀";
CREATE TABLE "unicode é 表 😀"."Ünï 表 😀" ("é" text PRIMARY KEY, "ключ" int UNIQUE);
INSERT INTO "unicode é 表 😀"."Ünï 表 😀" VALUES ('é', 1), (U&'e\0301', 2), ('😀', 3);

CREATE SCHEMA names_of_63_bytes_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa;
CREATE TABLE names_of_63_bytes_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.table_of_63_bytes_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa (
  column_of_63_bytes_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa serial PRIMARY KEY,
  column_of_63_bytes_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab text UNIQUE
);
INSERT INTO names_of_63_bytes_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.table_of_63_bytes_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
  (column_of_63_bytes_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab) VALUES ('a'), ('b');

CREATE SCHEMA names_of_sql;
CREATE TABLE names_of_sql."table" ("user" text PRIMARY KEY, "group" int, "where" text, "null" text, "default" text DEFAULT 'x');
CREATE TABLE names_of_sql."oid" ("tableoid " int, "ctid " text, "_" int);
INSERT INTO names_of_sql."table" VALUES ('me', 1, 'here', NULL, DEFAULT);
INSERT INTO names_of_sql."oid" VALUES (1, '(0,1)', 2);

-- Names that COPY's header, pg_dump's list and the schema's name can confuse.
CREATE SCHEMA alike;
CREATE TABLE alike.a (b int);
CREATE TABLE alike."a b" (c int);
CREATE TABLE alike."a.b" (c int);
COMMENT ON TABLE alike.a IS 'a';
COMMENT ON TABLE alike."a b" IS 'a b';
COMMENT ON COLUMN alike.a.b IS 'column';
INSERT INTO alike.a VALUES (1);
INSERT INTO alike."a b" VALUES (2);
INSERT INTO alike."a.b" VALUES (3);
