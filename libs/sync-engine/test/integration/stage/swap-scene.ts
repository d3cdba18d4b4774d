import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestDatabase } from '@understudy/testing';
import { rowsOf, type SyncHarness } from '../sync-harness.js';

const run = promisify(execFile);

export const GRANTEES = ['swap_reader', 'swap_writer'] as const;

/** Creates two tables that reference each other, on the source and on the target. */
export const TABLES_SQL = `
  CREATE TABLE places (
    id bigint GENERATED ALWAYS AS IDENTITY (START 10 INCREMENT 5 CACHE 3) PRIMARY KEY, gone int, name varchar(40) COLLATE "C" NOT NULL,
    up text GENERATED ALWAYS AS (upper(name)) STORED, n serial, size numeric(8, 2) DEFAULT 1.5 CHECK (size > 0),
    span int4range, above bigint CONSTRAINT above_it REFERENCES places (id) DEFERRABLE INITIALLY DEFERRED, best int,
    CONSTRAINT span_alone EXCLUDE USING gist (span WITH &&), CONSTRAINT n_once UNIQUE (n) INCLUDE (name) DEFERRABLE
  );
  ALTER TABLE places DROP COLUMN gone;
  CREATE TABLE people (id int PRIMARY KEY, place bigint REFERENCES places (id) ON DELETE CASCADE, nick text);
  ALTER TABLE places ADD CONSTRAINT its_best FOREIGN KEY (best) REFERENCES people (id);
`;

/** Creates indexes and other properties that only the target's tables have and that a job must keep. */
export const TRIMMINGS = `
  CREATE INDEX places_lower ON places (lower(name) DESC NULLS LAST, size) WITH (fillfactor = 70) WHERE size > 1;
  CREATE UNIQUE INDEX places_named ON places (name, n); COMMENT ON INDEX places_named IS 'an index';
  ALTER INDEX places_lower ALTER COLUMN 1 SET STATISTICS 7;
  ALTER TABLE places CLUSTER ON places_named;
  ALTER TABLE places ALTER n SET NOT NULL, REPLICA IDENTITY USING INDEX places_named, SET (fillfactor = 80, autovacuum_enabled = off, toast.autovacuum_enabled = off);
  ALTER TABLE places ALTER up SET STORAGE EXTERNAL, ALTER up SET COMPRESSION pglz, ALTER name SET STATISTICS 300, ALTER size SET (n_distinct = -0.5);
  CREATE STATISTICS places_s (ndistinct, dependencies) ON name, size FROM places; ALTER STATISTICS places_s SET STATISTICS 50;
  COMMENT ON STATISTICS places_s IS 'statistics';
  COMMENT ON TABLE places IS 'a table'; COMMENT ON COLUMN places.name IS 'a column'; COMMENT ON CONSTRAINT above_it ON places IS 'a key';
  COMMENT ON CONSTRAINT n_once ON places IS 'once'; COMMENT ON SEQUENCE places_n_seq IS 'a sequence';
  CREATE TABLE log (entry text);
  CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO public.log VALUES (TG_NAME); RETURN NEW; END $$;
  CREATE TRIGGER noted AFTER INSERT OR UPDATE OF name ON places FOR EACH ROW WHEN (NEW.n > 0) EXECUTE FUNCTION note('it''s');
  CREATE TRIGGER never BEFORE INSERT ON places FOR EACH STATEMENT EXECUTE FUNCTION note();
  CREATE TRIGGER in_replica BEFORE INSERT ON places FOR EACH ROW EXECUTE FUNCTION note();
  CREATE CONSTRAINT TRIGGER in_the_end AFTER INSERT ON people DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note();
  ALTER TABLE places DISABLE TRIGGER never, ENABLE REPLICA TRIGGER in_replica;
  ALTER TABLE people ENABLE ALWAYS TRIGGER in_the_end; COMMENT ON TRIGGER noted ON places IS 'a trigger';
  CREATE RULE ruled AS ON DELETE TO places DO ALSO INSERT INTO log VALUES (OLD.name); COMMENT ON RULE ruled ON places IS 'a rule';
  ALTER TABLE places DISABLE RULE ruled;
  ALTER TABLE people ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
  CREATE POLICY own ON people AS RESTRICTIVE FOR UPDATE TO swap_writer, swap_reader USING (nick <> '') WITH CHECK (id > 0);
  CREATE POLICY placed ON people USING (place IN (SELECT id FROM places)); COMMENT ON POLICY own ON people IS 'a policy';
  GRANT SELECT, REFERENCES ON places TO swap_reader WITH GRANT OPTION; GRANT UPDATE (name), SELECT (n) ON places TO swap_writer;
  GRANT TRUNCATE ON people TO PUBLIC; REVOKE TRIGGER ON people FROM CURRENT_USER; GRANT USAGE ON SEQUENCE places_n_seq TO swap_writer;
  SET ROLE swap_reader; GRANT SELECT ON places TO swap_writer; RESET ROLE;
  ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO swap_writer; ALTER DEFAULT PRIVILEGES REVOKE DELETE ON TABLES FROM CURRENT_USER;
  ALTER DEFAULT PRIVILEGES GRANT ALL ON SEQUENCES TO PUBLIC;
`;

export const ROLES = GRANTEES.map(
  (role) => `DO $$ BEGIN CREATE ROLE ${role}; EXCEPTION WHEN duplicate_object THEN NULL; END $$;`,
).join('\n');

export const SOURCE_ROWS = `
  INSERT INTO places (name, span) SELECT 'place ' || i, int4range(i, i + 1) FROM generate_series(1, 40) i;
  INSERT INTO people SELECT i, 10 + 5 * (i % 40), 'nick ' || i FROM generate_series(1, 60) i;
  UPDATE places SET above = 10, best = 3;
`;

export const OLD_ROWS = `
  INSERT INTO places (name, n) VALUES ('old', 1); INSERT INTO people VALUES (1, 10, 'old'); SET CONSTRAINTS ALL IMMEDIATE;
`;

export const TABLES = { places: {}, people: { nick: { generator: 'en_US/first_names' } } };

/** Dumps the definitions of a database with pg_dump. */
export async function schemaOf(
  harness: SyncHarness,
  { url }: TestDatabase,
  ...more: string[]
): Promise<string> {
  const { stdout } = await run(
    join(harness.services.postgresBinFolder, 'pg_dump'),
    ['--schema-only', `--dbname=${url}`, ...more],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  return stdout.replace(/^\\(un)?restrict .*$/gm, '');
}

/** Returns the oids of objects. A rewritten table keeps its oid. */
export async function oidsOf(target: TestDatabase, ...names: string[]): Promise<number[]> {
  const { rows } = await target.query(
    `SELECT n::regclass::oid::int AS oid FROM unnest(ARRAY['${names.join("','")}']) WITH ORDINALITY AS t (n, i) ORDER BY i`,
  );
  return rows.map(({ oid }) => Number(oid));
}

/** Expects that the target contains the rows of the source, with masked nicknames. */
export async function expectRows(source: TestDatabase, target: TestDatabase): Promise<void> {
  expect(await rowsOf(target, 'places')).toEqual(await rowsOf(source, 'places'));
  const people = 'SELECT id, place FROM people ORDER BY 1';
  expect((await target.query(people)).rows).toEqual((await source.query(people)).rows);
  expect((await target.query("SELECT FROM people WHERE nick LIKE 'nick%'")).rows).toEqual([]);
}
