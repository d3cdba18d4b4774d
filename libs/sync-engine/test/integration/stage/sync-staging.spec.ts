import { SyncJobError } from '@understudy/sync-job';
import { casesOf, inBoth, it } from '@understudy/testing';
import type { SyncStep } from '../../../src/sync-steps.js';
import { dumpOf, leftovers, type Scene, setScene, TABLES, visibleObjects } from './staging-scene.js';
import { rowsOf, SyncHarness } from '../sync-harness.js';

const BEFORE_THE_SWITCH: readonly SyncStep[] = [
  'target_locked',
  'snapshot_held',
  'planned',
  'models_trained',
  'staging_created',
  'chunk_copied',
  'chunk_committed',
  'all_chunks_committed',
  'indexes_built',
  'switch_begun',
];
const copy = { connections: 2, chunkBytes: 65_536 };

describe('the target of a job whose role has only the required rights', () => {
  let harness: SyncHarness;
  let scene: Scene;
  beforeAll(async () => {
    harness = await SyncHarness.start();
    scene = await setScene(harness);
  });
  afterAll(() => harness.stop());

  const command = (more: object = {}) =>
    harness.command(scene.source.url, scene.targetUrl, TABLES, { jobId: 'job_STAGING', ...more });

  it('is unchanged at every step of a job that fails at its end, and afterwards', async () => {
    const before = await dumpOf(harness, scene.target);
    const visible = await visibleObjects(scene.target);
    const seen = new Set<SyncStep>();
    const outcome = await harness.run(command(), {
      copy,
      reached: async (step) => {
        if (BEFORE_THE_SWITCH.includes(step) && !seen.has(step)) {
          expect(await dumpOf(harness, scene.target)).toBe(before);
        }
        seen.add(step);
        if (step === 'before_commit') {
          expect(await visibleObjects(scene.target)).toEqual(visible);
          throw new SyncJobError({ code: 'database_error', side: 'target' });
        }
      },
    });
    expect(outcome.failure).toEqual({ code: 'database_error', side: 'target' });
    expect([...seen]).toEqual([...BEFORE_THE_SWITCH, 'before_commit']);
    expect(await dumpOf(harness, scene.target)).toBe(before);
    expect(await leftovers(scene.target)).toEqual([]);
    expect(await leftovers(scene.source)).toEqual([]);
  });

  const STEPS: readonly SyncStep[] = ['before_commit', ...BEFORE_THE_SWITCH];
  inBoth.each(casesOf(STEPS, 1))('is unchanged after a job that was cancelled at %s', async (at) => {
    const before = await dumpOf(harness, scene.target);
    const abort = new AbortController();
    const outcome = await harness.run(
      command(),
      {
        copy,
        reached: (step) => {
          if (step === at) abort.abort(new SyncJobError({ code: 'cancelled' }));
        },
      },
      abort.signal,
    );
    expect(outcome.failure).toEqual({ code: 'cancelled' });
    expect(await dumpOf(harness, scene.target)).toBe(before);
    expect(await leftovers(scene.target)).toEqual([]);
  });

  it('has all new rows after the switch, and no staging after the end is confirmed', async () => {
    const seen: SyncStep[] = [];
    const outcome = await harness.run(command(), {
      copy,
      reached: (step) => {
        seen.push(step);
      },
    });
    expect(outcome.failure).toBeUndefined();
    expect(seen.slice(-3)).toEqual(['before_commit', 'committed', 'reported']);
    expect(await leftovers(scene.target)).toEqual([]);
    for (const table of ['parents', 'people', '"New Schema"."T"', 'events', 'events_2']) {
      expect(await rowsOf(scene.target, table)).toEqual(await rowsOf(scene.source, table));
    }
    const definitions = `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS sql FROM pg_index i
      JOIN pg_class c ON c.oid = i.indrelid WHERE c.oid >= 16384 AND c.relkind IN ('r', 'p') AND c.relname <> 'outside'
        AND c.relname NOT LIKE 'pg_toast%' ORDER BY 1`;
    expect((await scene.target.query(definitions)).rows).toEqual(
      (await scene.source.query(definitions)).rows,
    );
    expect(await rowsOf(scene.target, 'outside')).toEqual(['(1,1)']);
  });

  it('shows no extension or range type before the switch if the role can create but not move it, and uses no cast of the target', async () => {
    const weather = "CREATE TYPE weather AS ENUM ('calm', 'wild')";
    await scene.target
      .query(`${weather}; CREATE FUNCTION weather(text) RETURNS weather LANGUAGE sql AS $$ SELECT 'wild'::weather $$;
      CREATE CAST (text AS weather) WITH FUNCTION weather(text)`);
    await scene.source.query(`${weather};
      CREATE EXTENSION citext; CREATE EXTENSION hstore; CREATE TYPE span AS RANGE (subtype = float8, multirange_type_name = multirange_of_span);
      CREATE DOMAIN nick AS citext CHECK (VALUE <> '');
      CREATE TABLE late (id int PRIMARY KEY, nick nick UNIQUE, code char(4), bits bit(3), tags citext[], h hstore, s span, m multirange_of_span,
                         twice int GENERATED ALWAYS AS (id * 2) STORED, person bigint REFERENCES people (id), weather weather DEFAULT 'calm');
      CREATE INDEX late_h ON late USING gist (h);
      CREATE TABLE early (id int PRIMARY KEY, late_id int REFERENCES late (id), note text);
      INSERT INTO late (id, nick, code, bits, tags, h, s, m, person) SELECT i, 'N' || i, 'ab', B'101', ARRAY['a' || i, NULL, E'\\\\N'], hstore('k', E'v\\n' || i), span(i, i + 0.5),
        multirange_of_span(span(0, i)), 1 + i % 300 FROM generate_series(1, 500) i;
      INSERT INTO late (id) VALUES (0);
      INSERT INTO early SELECT i, i, 'x' FROM generate_series(0, 500) i`);
    const visible = await visibleObjects(scene.target);
    const tables = { late: {}, early: {} };
    const outcome = await harness.run(harness.command(scene.source.url, scene.targetUrl, tables), {
      copy,
      reached: async (step) => {
        if (step !== 'committed' && step !== 'reported') {
          expect(await visibleObjects(scene.target)).toEqual(visible);
        }
      },
    });
    expect(outcome.failure).toBeUndefined();
    for (const table of Object.keys(tables)) {
      expect(await rowsOf(scene.target, table)).toEqual(await rowsOf(scene.source, table));
    }
    const definitions = `SELECT pg_get_constraintdef(oid) AS d FROM pg_constraint WHERE conrelid IN ('late'::regclass, 'early'::regclass)
      UNION ALL SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid IN ('late'::regclass, 'early'::regclass) ORDER BY 1`;
    expect((await scene.target.query(definitions)).rows).toEqual(
      (await scene.source.query(definitions)).rows,
    );
    expect(await leftovers(scene.target)).toEqual([]);
  });

  it('is not locked before the right to create a schema is checked', async () => {
    await scene.target.query(
      `DO $$ BEGIN EXECUTE format('REVOKE CREATE ON DATABASE %I FROM ordinary_role', current_database()); END $$`,
    );
    const seen: SyncStep[] = [];
    const outcome = await harness.run(command(), {
      reached: (step) => {
        seen.push(step);
      },
    });
    expect(outcome.failure).toMatchObject({ code: 'permission_denied', side: 'target' });
    expect(seen).toEqual([]);
  });
});
