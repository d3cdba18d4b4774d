import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { BUILD_PHASES, type BuildProgress, type ProgressReport } from '@understudy/sync-job';
import { it, postgresVersions, type TestDatabase } from '@understudy/testing';
import { verifyTarget } from '../../../src/checks/verify-target/verify-target.js';
import type { SyncStep } from '../../../src/sync-steps.js';
import { rowsOf, SyncHarness } from '../sync-harness.js';
import { type ReplaceScene, replaceScene } from './replace-scene.js';

const RENTALS = readFileSync(join(import.meta.dirname, 'rental-schema.sql'), 'utf8');
const NAMES = { generator: 'template', pattern: 'MSK {{uuid}}' };
const RULES = {
  'public.customer': {
    first_name: NAMES,
    email: NAMES,
    full_text: { generator: 'template', pattern: 'msk' },
  },
};

/**
 * The kinds of entries that pg_dump writes for a database without owners and privileges, except for those that only a
 * superuser can create, and those that are never copied.
 */
const KINDS = [
  ...[
    'AGGREGATE',
    'CAST',
    'CHECK CONSTRAINT',
    'COLLATION',
    'COMMENT',
    'CONSTRAINT',
    'CONVERSION',
    'DEFAULT',
    'DOMAIN',
  ],
  ...[
    'EXTENSION',
    'FK CONSTRAINT',
    'FUNCTION',
    'INDEX',
    'INDEX ATTACH',
    'MATERIALIZED VIEW',
    'OPERATOR',
    'POLICY',
  ],
  ...['PROCEDURE', 'ROW SECURITY', 'RULE', 'SCHEMA', 'SEQUENCE', 'SEQUENCE OWNED BY', 'STATISTICS', 'TABLE'],
  ...['TABLE ATTACH', 'TEXT SEARCH CONFIGURATION', 'TEXT SEARCH DICTIONARY', 'TRIGGER', 'TYPE', 'VIEW'],
];

const PUBLIC_COMMENT = /--\n-- Name: SCHEMA public; Type: COMMENT;.*\n--\n\n.*\n\n\n/;

describe('a job that replaces a database', () => {
  let harness: SyncHarness;
  let scene: ReplaceScene;
  beforeAll(async () => {
    harness = await SyncHarness.start();
    scene = await replaceScene(harness);
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  /** Creates a target with another content, which belongs to the owner. */
  async function target(): Promise<TestDatabase> {
    const made = await harness.targetDatabase('CREATE TABLE only_here (a int)');
    await made.query(`ALTER DATABASE ${made.name} OWNER TO ${scene.owner}`);
    return made;
  }

  const preserved = (name: string, columns: readonly string[]) => ({
    ...{ name, columns: columns.map((column) => ({ name: column, rule: { preserve: true } })) },
  });

  it('makes a complete masked copy, with the definitions of the source', async () => {
    const source = await harness.database(RENTALS);
    expect(await scene.kindsIn(source)).toEqual(expect.arrayContaining(KINDS));
    const old = await target();
    const outcome = await scene.replace({ source, target: old, rules: RULES });
    expect(outcome.failure).toBeUndefined();
    const isCopied = !outcome.completed?.warnings.some(({ code }) => code === 'public_comment_not_copied');
    expect(isCopied).toBe(postgresVersions().target >= 15);
    const definitions = await scene.definitions(source);
    expect(await scene.definitions(old)).toBe(
      isCopied ? definitions : definitions.replace(PUBLIC_COMMENT, ''),
    );
    for (const name of ['film', 'rental', 'payment', 'busy', 'rental_by_film', 'best'])
      expect(await rowsOf(old, `public.${name}`)).toEqual(await rowsOf(source, `public.${name}`));
    const { rows } = await old.query('SELECT first_name, email FROM customer');
    expect(rows).toHaveLength(300);
    expect(JSON.stringify(rows)).not.toContain('canary');
    const next = 'SELECT next_ticket() AS next';
    expect((await old.query(next)).rows).toEqual((await source.query(next)).rows);
  });

  it('reports the phases of the build, each with the number of its steps', async () => {
    const source = await harness.database(RENTALS);
    const seen: BuildProgress[] = [];
    let last: ProgressReport['build'];
    let onRunning: (() => void) | undefined;
    const onProgress = ({ build = [] }: ProgressReport) => {
      last = build;
      seen.push(...build.filter(({ state }) => state === 'running'));
      onRunning?.();
    };
    /** Waits in a step until a report contains the running phase. */
    const running = (phase: BuildProgress['phase']) =>
      new Promise<void>((resolve) => {
        onRunning = () => {
          if (seen.some((one) => one.phase === phase)) resolve();
        };
        onRunning();
      });
    const waiting: Partial<Record<SyncStep, BuildProgress['phase']>> = {
      ...{
        staging_created: 'objects',
        all_chunks_committed: 'rows',
        indexes_built: 'keys',
        before_commit: 'swap',
      },
    };
    const reached = (step: SyncStep) => {
      const phase = waiting[step];
      return phase && running(phase);
    };
    const request = { source, target: await target(), rules: RULES, environment: { reached }, onProgress };
    const { completed } = await scene.replace(request);
    expect(completed).toBeDefined();
    const phases = [...new Set(seen.map(({ phase }) => phase))];
    expect(phases).toEqual(BUILD_PHASES.filter((phase) => phases.includes(phase)));
    const rows = completed?.tables.reduce((sum, { rowsProcessed }) => sum + rowsProcessed, 0);
    expect(last).toEqual(
      BUILD_PHASES.map((phase) =>
        phase === 'swap'
          ? { phase, state: 'running', done: 0, total: 1 }
          : { phase, state: 'completed', done: expect.any(Number), total: expect.any(Number) },
      ),
    );
    expect(last?.find(({ phase }) => phase === 'rows')?.done).toBe(rows);
    for (const { done, total, phase } of last ?? [])
      if (phase !== 'swap') expect([phase, done > 0, done]).toEqual([phase, true, total]);
  });

  it('makes functions SECURITY INVOKER, unless the job keeps them', async () => {
    const source = await harness.database(`
      CREATE TABLE t (id int); CREATE FUNCTION f() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'`);
    const definers = 'SELECT count(*)::int AS n FROM pg_proc WHERE prosecdef';
    for (const securityDefiner of ['invoker', 'keep'] as const) {
      const old = await target();
      const outcome = await scene.replace({ source, target: old, command: { securityDefiner } });
      const isKept = securityDefiner === 'keep';
      const warnings = isKept ? [] : [{ code: 'security_definer_removed', count: 1 }];
      expect(outcome.completed?.warnings).toEqual(warnings);
      expect((await old.query(definers)).rows).toEqual([{ n: isKept ? 1 : 0 }]);
    }
  });

  it('predicts in a dry run what the job refuses, and writes nothing', async () => {
    const source = await harness.database(`
      CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t SELECT generate_series(1, 30);
      CREATE FUNCTION f(cstring) RETURNS cstring STRICT LANGUAGE internal AS 'textin'`);
    const old = await target();
    const command = { dryRun: true, dropTargetOnly: false, jobId: 'job_dry' };
    const { predicted } = await scene.replace({ source, target: old, command });
    expect(
      predicted?.failures.flatMap(({ code, problems = [] }) => [code, ...problems.map((one) => one.code)]),
    ).toEqual([...['superuser_objects', 'superuser_objects', 'target_only_objects']]);
    const object = { kind: 'relation', schema: 'public', name: 'only_here' };
    expect(predicted?.failures[0]?.problems?.[1]).toMatchObject({ object });
    await source.query('DROP FUNCTION f');
    const allowed = { ...command, dropTargetOnly: true };
    const second = await scene.replace({ source, target: old, command: allowed });
    expect(second.predicted).toMatchObject({
      ...{ failures: [], tables: [{ tableIndex: 0, rows: 30 }] },
      warnings: [{ code: 'target_only_dropped', object }],
    });
    const { rows } = await old.query("SELECT FROM pg_database WHERE datname LIKE '%job_dry%'");
    expect(rows).toEqual([]);
    const run = await scene.replace({ source, target: old, command: { dropTargetOnly: false } });
    expect(run.failure?.code).toBe('target_only_objects');
  });

  it('predicts the creation of a target that does not exist, also from the database in which it asks', async () => {
    const source = await harness.database(`
      CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t SELECT generate_series(1, 30);
      CREATE FUNCTION f(cstring) RETURNS cstring STRICT LANGUAGE internal AS 'textin'`);
    const missing = { name: `${source.name}_new` };
    const command = { dryRun: true, jobId: 'job_new', tablespaces: 'source', owners: 'source' } as const;
    const refused = await scene.replace({ source, target: missing, command });
    expect(refused.predicted?.failures).toMatchObject([{ code: 'superuser_objects' }]);
    await source.query('DROP FUNCTION f');
    const { predicted, failure } = await scene.replace({ source, target: missing, command });
    expect([failure, predicted]).toMatchObject([
      undefined,
      { failures: [], tables: [{ tableIndex: 0, rows: 30 }] },
    ]);
    const server = await harness.targetDatabase();
    const { rows } = await server.query("SELECT FROM pg_database WHERE datname LIKE '%_new%'");
    expect(rows).toEqual([]);
    const maintenance = { ...source, name: 'postgres', url: scene.agentUrl({ name: 'postgres' }) };
    const tables = [{ name: 'public.t', columns: [] }];
    const other = await scene.replace({
      source: maintenance,
      target: missing,
      command: { ...command, tables },
    });
    expect(other.predicted?.failures).toMatchObject([{ code: 'table_not_found' }]);
  });

  it('leaves nothing to clean up if the target does not exist', async () => {
    const url = scene.agentUrl({ name: 'understudy_no_such_database' });
    expect(await harness.clear(url, { jobId: 'job_gone', epoch: 2 })).toBeUndefined();
  });

  it('refuses references to a table of which no rows are copied, before a row is copied', async () => {
    const source = await harness.database(`
      CREATE TABLE parent (id int PRIMARY KEY); CREATE TABLE child (id int PRIMARY KEY, parent int REFERENCES parent);
      CREATE TABLE loose (parent int); INSERT INTO parent VALUES (1); INSERT INTO child VALUES (1, NULL); INSERT INTO loose VALUES (1);
      ALTER TABLE loose ADD FOREIGN KEY (parent) REFERENCES parent NOT VALID`);
    const old = await target();
    const tables = [
      preserved('public.child', ['id', 'parent']),
      preserved('public.loose', ['parent']),
      { name: 'public.parent', columns: [], rows: 'none' as const },
    ];
    const command = { tables };
    expect((await scene.replace({ source, target: old, command })).failure).toBeUndefined();
    expect(await rowsOf(old, 'public.parent')).toEqual([]);
    await source.query('UPDATE child SET parent = 1');
    const refused = { code: 'orphans_found', tableIndex: 0, constraintKind: 'foreign_key' };
    const second = { ...command, jobId: 'job_2' };
    expect((await scene.replace({ source, target: old, command: second })).failure).toMatchObject(refused);
    const dry = await scene.replace({ source, target: old, command: { ...command, dryRun: true } });
    expect(dry.predicted?.failures).toMatchObject([refused]);
    for (const dryRun of [true, false]) {
      const keeping = { ...command, jobId: 'job_3', orphans: 'not_valid', dryRun } as const;
      const { failure, predicted, completed } = await scene.replace({
        source,
        target: old,
        command: keeping,
      });
      const warnings = (predicted ?? completed)?.warnings;
      expect([failure, warnings]).toMatchObject([undefined, [{ code: 'orphans_kept', tableIndex: 0 }]]);
    }
    const valid = "SELECT bool_or(convalidated) AS valid FROM pg_constraint WHERE contype = 'f'";
    expect((await old.query(valid)).rows).toEqual([{ valid: false }]);
    const without = {
      ...command,
      jobId: 'job_4',
      skipObjects: ['table constraint child_parent_fkey on public.child'],
    };
    expect((await scene.replace({ source, target: old, command: without })).failure).toBeUndefined();
    expect(await rowsOf(old, 'public.child')).toEqual(['(1,1)']);
  });

  it('leaves out rows that reference a table of which no rows are copied, and what depends on them', async () => {
    const source = await harness.database(`
      CREATE TABLE parent (id int PRIMARY KEY, kind text) PARTITION BY RANGE (id); CREATE TABLE parent_1 PARTITION OF parent FOR VALUES FROM (1) TO (100);
      CREATE TABLE child (id int PRIMARY KEY, parent int REFERENCES parent); CREATE TABLE leaf (id int PRIMARY KEY, child int REFERENCES child);
      INSERT INTO parent VALUES (1); INSERT INTO child VALUES (1, 1), (2, NULL); INSERT INTO leaf VALUES (1, 1), (2, 2), (3, NULL)`);
    const old = await target();
    const tables = [
      preserved('public.child', ['id', 'parent']),
      preserved('public.leaf', ['id', 'child']),
      { name: 'public.parent', columns: [], rows: 'none' as const },
    ];
    const command = { tables, orphans: 'skip' } as const;
    const warnings = [{ code: 'orphans_skipped', tableIndex: 0 }];
    const dry = await scene.replace({ source, target: old, command: { ...command, dryRun: true } });
    expect(dry.predicted?.failures).toEqual([]);
    expect(dry.predicted?.warnings).toMatchObject([{ code: 'target_only_dropped' }, ...warnings]);
    const { failure, completed } = await scene.replace({ source, target: old, command });
    expect([failure, completed?.warnings]).toMatchObject([undefined, warnings]);
    expect(await rowsOf(old, 'public.child')).toEqual(['(2,)']);
    expect(await rowsOf(old, 'public.leaf')).toEqual(['(2,2)', '(3,)']);
    const copied = new Map([1, 2].map((rows, tableIndex) => [tableIndex, rows]));
    const checks = await verifyTarget({
      command: harness.command(source.url, scene.agentUrl(old), {}, { replace: 'database', ...command }),
      ...{ environment: harness.environment({ policy: scene.policy }), copied, run: 'known' },
      ...{ onProgress: () => undefined, signal: new AbortController().signal },
      keepSnapshot: () => () => undefined,
    });
    expect(checks.filter(({ outcome }) => outcome !== 'holds')).toEqual([]);
    expect(await scene.definitions(old)).toBe(await scene.definitions(source));
  });

  it('fails, leaves rows out or keeps them for references without a row, as the job chooses', async () => {
    const source = await harness.database(`
      CREATE TABLE parent (id int PRIMARY KEY); CREATE TABLE child (id int PRIMARY KEY, parent int REFERENCES parent);
      INSERT INTO parent VALUES (1); INSERT INTO child VALUES (1, 1);
      ALTER TABLE child DISABLE TRIGGER ALL; INSERT INTO child VALUES (2, 9); ALTER TABLE child ENABLE TRIGGER ALL`);
    const old = await target();
    const run = (orphans: 'fail' | 'skip' | 'not_valid') =>
      scene.replace({ source, target: old, command: { orphans, jobId: `job_${orphans}` } });
    expect((await run('fail')).failure?.code).toBe('orphans_found');
    expect((await run('skip')).failure).toBeUndefined();
    expect(await rowsOf(old, 'public.child')).toEqual(['(1,1)']);
    const kept = await run('not_valid');
    expect(kept.completed?.warnings).toMatchObject([{ code: 'orphans_kept', tableIndex: 1 }]);
    expect(await rowsOf(old, 'public.child')).toEqual(['(1,1)', '(2,9)']);
  });

  it('waits for sessions in the replaced database, or ends them if the job permits it', async () => {
    const source = await harness.database('CREATE TABLE t (id int)');
    const old = await target();
    const session = new Client({ connectionString: scene.agentUrl(old) });
    const ended = new Promise((resolve) => session.once('error', resolve));
    session.on('error', () => undefined); // the end of the session follows as a second error
    await session.connect();
    const environment = { copy: { connections: 1, chunkBytes: 64_000_000, lockWaitMs: 300 } };
    const waited = await scene.replace({ source, target: old, environment });
    expect(waited.failure?.code).toBe('database_in_use');
    await session.query('SELECT');
    const command = { endSessions: true };
    expect((await scene.replace({ source, target: old, command })).failure).toBeUndefined();
    await ended;
  });

  it('keeps whether the schema public belongs to a role or to the owner of the database', async () => {
    const source = await harness.database(
      'CREATE TABLE t (id int); ALTER SCHEMA public OWNER TO CURRENT_USER',
    );
    const old = await target();
    expect((await scene.replace({ source, target: old })).failure).toBeUndefined();
    expect(await scene.definitions(old)).toBe(await scene.definitions(source));
  });
});
