-- Features of PostgreSQL 16 and later.

CREATE SCHEMA since_16;
CREATE COLLATION since_16.v_with_w (PROVIDER = icu, LOCALE = 'und', RULES = '&V << w <<< W');
CREATE COLLATION since_16.no_case (PROVIDER = icu, LOCALE = 'und-u-ks-level2', DETERMINISTIC = false);
CREATE TABLE since_16.words (id int PRIMARY KEY, word text COLLATE since_16.v_with_w, "key" text COLLATE since_16.no_case UNIQUE);
CREATE INDEX ON since_16.words (word);
INSERT INTO since_16.words VALUES (1, 'va', 'Ann'), (2, 'wa', 'BOB'), (3, 'Wb', 'c'), (4, NULL, NULL);
