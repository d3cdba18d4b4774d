import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestDatabase } from '@understudy/testing';
import type { SyncStep } from '../../../src/sync-steps.js';
import type { SyncHarness } from '../sync-harness.js';

const run = promisify(execFile);

const EXISTING = `
  CREATE TABLE parents (id serial PRIMARY KEY, name varchar(40) NOT NULL CHECK (name <> ''), n int GENERATED ALWAYS AS (length(name)) STORED);
  CREATE TABLE children (id int PRIMARY KEY, parent_id int REFERENCES parents (id), note text);
  CREATE INDEX children_note ON children (note);
`;
const MISSING = `
  CREATE SCHEMA "New Schema";
  CREATE TYPE mood AS ENUM ('sad', 'happy');
  CREATE TYPE pair AS (a int, b text);
  CREATE DOMAIN code AS text CHECK (VALUE ~ '^c');
  CREATE FUNCTION doubled(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 * 2';
  CREATE AGGREGATE total(int) (sfunc = int4pl, stype = int, initcond = '0');
  CREATE SEQUENCE shared;
  CREATE TABLE people (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text UNIQUE, mood mood DEFAULT 'sad', place pair, code code,
    twice int GENERATED ALWAYS AS (doubled(1)) STORED, parent_id int REFERENCES parents (id), at int DEFAULT nextval('shared')
  );
  CREATE INDEX people_doubled ON people (doubled(length(name))) WITH (fillfactor = 60);
  CREATE TABLE "New Schema"."T" (id int PRIMARY KEY, person bigint REFERENCES people (id), tags text[], EXCLUDE (id WITH =));
  CREATE TABLE events (id int, day date, PRIMARY KEY (id, day)) PARTITION BY RANGE (day);
  CREATE TABLE events_1 PARTITION OF events FOR VALUES FROM ('2025-01-01') TO ('2025-07-01');
  CREATE TABLE events_2 PARTITION OF events FOR VALUES FROM ('2025-07-01') TO ('2026-01-01');
  CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.name := 'stamped'; RETURN NEW; END $$;
  CREATE TRIGGER stamp BEFORE INSERT ON people FOR EACH ROW EXECUTE FUNCTION stamp();
`;
const ROWS = `
  INSERT INTO parents (name) SELECT 'parent ' || i FROM generate_series(1, 300) i;
  INSERT INTO children SELECT i, 1 + i % 300, repeat('x', 100) FROM generate_series(1, 3000) i;
  ALTER TABLE people DISABLE TRIGGER stamp;
  INSERT INTO people (name, mood, place, code, parent_id) SELECT 'person ' || i, 'happy'::mood, ROW(i, 'b'::text)::pair, 'c' || i, i FROM generate_series(1, 300) i;
  ALTER TABLE people ENABLE TRIGGER stamp;
  INSERT INTO "New Schema"."T" SELECT i, i, ARRAY['a', NULL] FROM generate_series(1, 300) i;
  INSERT INTO events SELECT i, '2025-01-01'::date + i FROM generate_series(1, 300) i;
`;
const OLD_ROWS = `
  INSERT INTO parents (name) VALUES ('old'); INSERT INTO children VALUES (1, 1, 'old');
  CREATE TABLE outside (id int PRIMARY KEY, parent_id int REFERENCES parents (id)); INSERT INTO outside VALUES (1, 1);
  CREATE VIEW names AS SELECT name FROM parents;
`;

export const TABLES = {
  parents: {},
  children: { note: { generator: 'en_US/first_names' } },
  people: {},
  '"New Schema"."T"': {},
  events: {},
};

/**
 * A source, and a target that has two of the source's five tables. The job's role on the target has only the rights
 * that a job needs.
 */
export interface Scene {
  readonly source: TestDatabase;
  readonly target: TestDatabase;
  /** The target's URL, with the job's role as the user. */
  readonly targetUrl: string;
}

export const ROLE = 'ordinary_role';

/**
 * Creates the databases of a scene.
 * @param targets the harness that creates the target
 */
export async function setScene(harness: SyncHarness, targets: SyncHarness = harness): Promise<Scene> {
  const source = await harness.database(EXISTING + MISSING + ROWS);
  const target = await targets.database(`
    DO $$ BEGIN CREATE ROLE ${ROLE} LOGIN PASSWORD 'pw'; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
    DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO ${ROLE}', current_database()); END $$;
    GRANT ALL ON SCHEMA public TO ${ROLE};
    SET ROLE ${ROLE}; ${EXISTING} ${OLD_ROWS} RESET ROLE;`);
  const url = new URL(target.url);
  url.username = ROLE;
  url.password = 'pw';
  return { source, target, targetUrl: url.toString() };
}

/** Dumps the definitions and rows of a database, without staging schemas. */
export async function dumpOf(harness: SyncHarness, { url }: TestDatabase): Promise<string> {
  const { stdout } = await run(
    join(harness.services.postgresBinFolder, 'pg_dump'),
    ['--exclude-schema=understudy_*', `--dbname=${url}`],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  return stdout.replace(/^\\(un)?restrict .*$/gm, '');
}

/** Dumps a database and sorts the lines, because the order of the rows depends on the order of the commits. */
export async function contentOf(harness: SyncHarness, database: TestDatabase): Promise<string> {
  return (await dumpOf(harness, database)).split('\n').sort().join('\n');
}

/**
 * Lists the committed objects outside staging schemas. Unlike pg_dump, it does not wait for the locks of a switch.
 */
export async function visibleObjects(target: TestDatabase): Promise<unknown> {
  const { rows } = await target.query(`
    SELECT n.nspname, c.relname, c.oid::text, c.relkind FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname NOT LIKE 'understudy%' AND n.nspname <> 'pg_toast' AND c.oid >= 16384
    UNION ALL SELECT n.nspname, p.proname, p.oid::text, 'f' FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
     WHERE n.nspname NOT LIKE 'understudy%' AND p.oid >= 16384
    UNION ALL SELECT n.nspname, t.typname, t.oid::text, 't' FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
     WHERE n.nspname NOT LIKE 'understudy%' AND t.oid >= 16384
    UNION ALL SELECT nspname, '', oid::text, 'n' FROM pg_namespace WHERE nspname NOT LIKE 'understudy%'
     ORDER BY 1, 2, 3`);
  return rows;
}

/** Lists the schemas, sessions and locks that jobs have left on a database. */
export async function leftovers(database: TestDatabase): Promise<string[]> {
  const { rows } = await database.query(`
    SELECT 'schema ' || nspname AS thing FROM pg_namespace WHERE nspname LIKE 'understudy%'
    UNION ALL SELECT 'session ' || application_name FROM pg_stat_activity
     WHERE application_name LIKE 'understudy%' AND datname = current_database()
    UNION ALL SELECT 'lock' FROM pg_locks WHERE locktype = 'advisory'
     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`);
  return rows.map(({ thing }) => String(thing));
}

/** Pauses an attempt when it reaches a step for the n-th time, until the test continues it. */
export class Pause {
  readonly seen: SyncStep[] = [];
  readonly arrived: Promise<void>;
  private arrive: () => void = () => undefined;
  private go: () => void = () => undefined;
  private readonly gone: Promise<void>;

  constructor(
    private readonly step: SyncStep,
    private readonly time = 1,
  ) {
    this.arrived = new Promise((resolve) => (this.arrive = resolve));
    this.gone = new Promise((resolve) => (this.go = resolve));
  }

  readonly reached = (step: SyncStep): Promise<void> | undefined => {
    this.seen.push(step);
    if (step !== this.step || this.seen.filter((seen) => seen === step).length !== this.time)
      return undefined;
    this.arrive();
    return this.gone;
  };

  goOn(): void {
    this.go();
  }
}
