CREATE SCHEMA crypto; CREATE EXTENSION pgcrypto WITH SCHEMA crypto;
CREATE TYPE rating AS ENUM ('G', 'PG', 'R');
CREATE DOMAIN year AS int CHECK (VALUE BETWEEN 1901 AND 2155);
COMMENT ON DOMAIN year IS 'a year of a release';
CREATE SEQUENCE ticket START 500;
CREATE FUNCTION next_ticket() RETURNS int8 LANGUAGE sql AS $$ SELECT nextval('public.ticket') $$;
CREATE TABLE customer (
  customer_id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, first_name text NOT NULL, email text UNIQUE,
  full_text tsvector, active boolean DEFAULT true, digest bytea);
CREATE TABLE film (
  film_id serial PRIMARY KEY, title text NOT NULL, rating rating DEFAULT 'G', released year,
  length int, CONSTRAINT film_length CHECK (length > 0));
COMMENT ON TABLE film IS 'films; one of them is "Zoo"';
COMMENT ON COLUMN film.title IS 'the title';
CREATE TABLE rental (
  rental_id int8 NOT NULL, at date NOT NULL, customer_id int NOT NULL, film_id int NOT NULL,
  PRIMARY KEY (rental_id, at)) PARTITION BY RANGE (at);
CREATE TABLE rental_2025 PARTITION OF rental FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
CREATE TABLE rental_2026 PARTITION OF rental FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
CREATE TABLE payment (payment_id int PRIMARY KEY, amount numeric(8, 2)) WITH (fillfactor = 70);
CREATE TABLE refund (reason text) INHERITS (payment);
ALTER TABLE rental ADD FOREIGN KEY (customer_id) REFERENCES customer, ADD FOREIGN KEY (film_id) REFERENCES film ON DELETE CASCADE;
CREATE INDEX rental_at ON rental (at);
CREATE INDEX film_title ON film (lower(title)) WHERE length > 10;
CREATE STATISTICS film_stats ON title, length FROM film;
CREATE FUNCTION touch_customer() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.full_text := to_tsvector('pg_catalog.simple', NEW.first_name); RETURN NEW; END $$;
CREATE TRIGGER customer_text BEFORE INSERT OR UPDATE ON customer FOR EACH ROW EXECUTE FUNCTION touch_customer();
CREATE FUNCTION rentals_of(customer int) RETURNS int8 STABLE LANGUAGE sql BEGIN ATOMIC SELECT count(*) FROM rental r WHERE r.customer_id = customer; END;
CREATE VIEW film_list AS SELECT f.film_id, f.title, count(r.rental_id) AS rentals FROM film f LEFT JOIN rental r USING (film_id) GROUP BY f.film_id;
CREATE VIEW busy AS SELECT * FROM film_list WHERE rentals > 1;
CREATE MATERIALIZED VIEW rental_by_film AS SELECT title, rentals FROM film_list;
CREATE MATERIALIZED VIEW best AS SELECT title FROM rental_by_film WHERE rentals >= 2;
CREATE MATERIALIZED VIEW unfilled AS SELECT 1 AS one WITH NO DATA;
CREATE UNIQUE INDEX rental_by_film_title ON rental_by_film (title);
CREATE RULE no_delete AS ON DELETE TO payment DO INSTEAD NOTHING;
ALTER TABLE payment ENABLE ROW LEVEL SECURITY; ALTER TABLE payment FORCE ROW LEVEL SECURITY;
CREATE POLICY small ON payment USING (amount < 100);
CREATE AGGREGATE product(numeric) (SFUNC = numeric_mul, STYPE = numeric, INITCOND = '1');
CREATE PROCEDURE clean() LANGUAGE sql AS 'DELETE FROM public.refund';
CREATE FUNCTION same(rating, rating) RETURNS boolean IMMUTABLE LANGUAGE sql AS $$ SELECT $1 = $2 $$;
CREATE OPERATOR === (LEFTARG = rating, RIGHTARG = rating, FUNCTION = same);
CREATE COLLATION german (provider = icu, locale = 'de-DE');
CREATE TEXT SEARCH CONFIGURATION plain (COPY = pg_catalog.simple);
COMMENT ON SCHEMA public IS 'the rental schema';
INSERT INTO customer (first_name, email, digest) SELECT 'canary ' || n, 'canary' || n || '@x.org', crypto.digest(n::text, 'sha1') FROM generate_series(1, 300) n;
INSERT INTO film (title, length, released) SELECT 'film ' || n, n, 2000 FROM generate_series(1, 50) n;
INSERT INTO rental SELECT n, date '2025-01-01' + n, 1 + n % 300, 1 + n % 50 FROM generate_series(0, 600) n;
INSERT INTO payment SELECT n, n FROM generate_series(1, 200) n;
INSERT INTO refund SELECT n, n, 'late' FROM generate_series(1001, 1010) n;
REFRESH MATERIALIZED VIEW rental_by_film; REFRESH MATERIALIZED VIEW best;
SELECT next_ticket(), next_ticket();
CREATE FUNCTION stars(rating) RETURNS int IMMUTABLE LANGUAGE sql AS $$ SELECT length($1::text) $$;
CREATE CAST (rating AS int) WITH FUNCTION stars(rating) AS ASSIGNMENT;
CREATE CONVERSION from_latin FOR 'LATIN1' TO 'UTF8' FROM iso8859_1_to_utf8;
CREATE TEXT SEARCH DICTIONARY short (TEMPLATE = pg_catalog.simple, STOPWORDS = english);
CREATE TYPE point3 AS (x int, y int, z int);
CREATE TYPE lengths AS RANGE (subtype = int4);
ALTER TABLE film ADD CONSTRAINT film_short CHECK (length < 40) NOT VALID;
ALTER VIEW busy ALTER COLUMN title SET DEFAULT 'none';
CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE TRIGGER busy_write INSTEAD OF INSERT ON busy FOR EACH ROW EXECUTE FUNCTION nothing();
ALTER TABLE film DISABLE TRIGGER ALL; ALTER TABLE customer ENABLE REPLICA TRIGGER customer_text;
COMMENT ON CONSTRAINT film_length ON film IS 'positive'; COMMENT ON INDEX rental_at IS 'by day';
COMMENT ON TRIGGER customer_text ON customer IS 'fills the text'; COMMENT ON POLICY small ON payment IS 'small ones';
COMMENT ON STATISTICS film_stats IS 'correlated'; COMMENT ON MATERIALIZED VIEW best IS 'the best';
ALTER TABLE film CLUSTER ON film_pkey; ALTER TABLE customer REPLICA IDENTITY USING INDEX customer_pkey;
ALTER TABLE film ALTER COLUMN title SET STATISTICS 500, ALTER COLUMN title SET STORAGE EXTERNAL;
CREATE UNLOGGED TABLE scratch (a int); INSERT INTO scratch VALUES (1);
