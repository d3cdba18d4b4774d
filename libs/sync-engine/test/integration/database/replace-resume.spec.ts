import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SyncJobError } from '@understudy/sync-job';
import type { TestDatabase } from '@understudy/testing';
import { casesOf, inBoth, it } from '@understudy/testing';
import { Client } from 'pg';
import type { SyncStep } from '../../../src/sync-steps.js';
import { Pause } from '../stage/staging-scene.js';
import { rowsOf, SyncHarness } from '../sync-harness.js';
import { type ReplaceScene, replaceScene } from './replace-scene.js';

const RENTALS = readFileSync(join(import.meta.dirname, 'rental-schema.sql'), 'utf8');
const RULES = { 'public.customer': { first_name: { generator: 'template', pattern: 'MSK {{uuid}}' } } };
const CONNECTION_LOST = new SyncJobError({ code: 'connection_lost', side: 'target' });
const copy = { connections: 2, chunkBytes: 8_192 };

describe('a later attempt of a job that replaces a database', () => {
  let harness: SyncHarness;
  let scene: ReplaceScene;
  let source: TestDatabase;
  let target: TestDatabase;
  beforeAll(async () => {
    harness = await SyncHarness.start();
    scene = await replaceScene(harness);
  });
  beforeEach(async () => {
    source = await harness.database(RENTALS);
    target = await harness.database('CREATE TABLE only_here (a int)');
    await target.query(`ALTER DATABASE ${target.name} OWNER TO ${scene.owner}`);
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  /** Runs an attempt that fails at the n-th time of a step, or never. @returns the steps that it has reached */
  async function attempt(epoch: number, failing?: SyncStep, time = 1) {
    const seen: SyncStep[] = [];
    const reached = (step: SyncStep) => {
      seen.push(step);
      if (step === failing && seen.filter((one) => one === step).length === time) throw CONNECTION_LOST;
    };
    const outcome = await scene.replace({
      ...{ source, target, rules: RULES, command: { epoch } },
      environment: { copy, reached },
    });
    return { seen, outcome, count: (step: SyncStep) => seen.filter((one) => one === step).length };
  }

  const databases = async () => {
    const { rows } = await source.query(
      "SELECT datname AS name FROM pg_database WHERE datname LIKE '%understudy\\_%' ORDER BY 1",
    );
    return rows.map(({ name }) => name);
  };

  const STEPS: readonly (readonly [SyncStep, number])[] = [
    ['chunk_committed', 5],
    ['committed', 1],
    ['before_commit', 1],
    ['target_locked', 1],
    ['models_trained', 1],
    ['staging_created', 1],
    ['indexes_built', 1],
    ['reported', 1],
  ];
  inBoth.each(casesOf(STEPS, 2))('completes the job after one that ended at %s (%i)', async (step, time) => {
    const content = () => target.query("SELECT to_regclass('public.only_here') IS NOT NULL AS old");
    const first = await attempt(1, step, time);
    const isSwapped = first.seen.includes('committed');
    expect((await content()).rows).toEqual([{ old: !isSwapped }]);
    const second = await attempt(2);
    expect(second.outcome.failure).toBeUndefined();
    expect(await scene.definitions(target)).toBe(await scene.definitions(source));
    expect(await rowsOf(target, 'public.rental')).toEqual(await rowsOf(source, 'public.rental'));
    expect(await rowsOf(target, 'public.best')).toEqual(await rowsOf(source, 'public.best'));
    expect(await databases()).toEqual([]);
  });

  it('copies no committed chunk again', async () => {
    const first = await attempt(1, 'indexes_built');
    const chunks = first.count('chunk_committed');
    expect(chunks).toBeGreaterThan(8);
    const second = await attempt(2);
    expect(second.count('chunk_copied')).toBe(0);
    expect(second.outcome.completed?.warnings).toEqual([]);
  });

  it('drops the new database if no attempt can complete the job', async () => {
    await source.query("ALTER TABLE customer ADD COLUMN fresh text DEFAULT 'canary'");
    const failing = { replace: 'database' as const, tables: [{ name: 'public.customer', columns: [] }] };
    const outcome = await scene.replace({ source, target, command: failing });
    expect(outcome.failure?.code).toBe('column_unlisted');
    expect(await databases()).toEqual([]);
    expect((await target.query('SELECT FROM only_here')).rows).toEqual([]);
  });

  it('leaves the target as it was if the job is cancelled, or if a session stays in the target', async () => {
    const stop = new AbortController();
    const reached = (step: SyncStep) => {
      if (step === 'chunk_committed') stop.abort(new SyncJobError({ code: 'cancelled' }));
    };
    const cancelled = await scene.replace({
      source,
      target,
      environment: { copy, reached },
      signal: stop.signal,
    });
    expect(cancelled.failure?.code).toBe('cancelled');
    const hold = new Client(target.url);
    await hold.connect();
    const brief = { ...copy, lockWaitMs: 500 };
    const used = await scene.replace({
      source,
      target,
      command: { jobId: 'job_2' },
      environment: { copy: brief },
    });
    expect(used.failure?.code).toBe('database_in_use');
    await hold.end();
    expect(await databases()).toEqual([]);
    expect((await target.query('SELECT FROM only_here')).rows).toEqual([]);
  });

  it('runs after another job on the same target, and replaces its result', async () => {
    const jobs = ['job_a', 'job_b'].map((jobId) => scene.replace({ source, target, command: { jobId } }));
    const outcomes = await Promise.all(jobs);
    expect(outcomes.map(({ failure }) => failure)).toEqual([undefined, undefined]);
    expect(await scene.definitions(target)).toBe(await scene.definitions(source));
    expect(await databases()).toEqual([]);
  });

  it('drops a database that another job left unfinished', async () => {
    await attempt(1, 'chunk_committed', 5);
    expect(await databases()).toHaveLength(1);
    const admin = new Client(target.url.replace(target.name, String((await databases())[0])));
    await admin.connect();
    await admin.query("UPDATE understudy_job_1.job SET touched_at = now() - interval '11 minutes'");
    await admin.end();
    // A target whose name begins like that of a build.
    const other = `${target.name}_understudy_notes`;
    await target.query(`CREATE DATABASE ${other} OWNER ${scene.agent}`);
    const outcome = await scene.replace({ source, target, command: { jobId: 'job_2' } });
    expect(outcome.failure).toBeUndefined();
    expect(await databases()).toEqual([other]);
    await source.query(`DROP DATABASE ${other}`);
  });

  it('takes the right to swap from an attempt that hangs before it', async () => {
    const pause = new Pause('before_commit');
    const environment = { copy, reached: pause.reached };
    const zombie = scene.replace({ source, target, rules: RULES, command: { epoch: 1 }, environment });
    await pause.arrived;
    const second = await attempt(2);
    expect(second.outcome.failure).toBeUndefined();
    const { rows } = await source.query(`SELECT oid FROM pg_database WHERE datname = '${target.name}'`);
    pause.goOn();
    expect((await zombie).failure?.code).toMatch(/^(lease|connection)_lost$/);
    expect((await source.query(`SELECT oid FROM pg_database WHERE datname = '${target.name}'`)).rows).toEqual(
      rows,
    );
    expect(await databases()).toEqual([]);
  });
});
