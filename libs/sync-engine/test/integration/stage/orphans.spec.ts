import { type OrphanMode, type SyncJobCommand, SyncJobError } from '@understudy/sync-job';
import type { TestDatabase } from '@understudy/testing';
import { casesOf, inBoth, it } from '@understudy/testing';
import { verifyTarget } from '../../../src/checks/verify-target/verify-target.js';
import type { SyncStep } from '../../../src/sync-steps.js';
import { rowsOf, SyncHarness } from '../sync-harness.js';
import { leftovers } from './staging-scene.js';
import { oidsOf } from './swap-scene.js';

const SCHEMA = `
  CREATE TABLE teams (id int PRIMARY KEY, name text);
  CREATE TABLE people (id int PRIMARY KEY, team int CONSTRAINT of_team REFERENCES teams (id) ON DELETE CASCADE,
    boss int CONSTRAINT of_boss REFERENCES people (id) DEFERRABLE INITIALLY DEFERRED);
  CREATE TABLE notes (id int PRIMARY KEY, person int CONSTRAINT of_person REFERENCES people (id));
  COMMENT ON CONSTRAINT of_team ON people IS 'a key';`;
const ROWS = `
  INSERT INTO teams VALUES (1, 'one'), (2, 'two');
  INSERT INTO people VALUES (1, 1, NULL), (2, NULL, 1);
  INSERT INTO notes VALUES (1, 1), (2, NULL);`;
/** Person 3 references no team, person 4 references person 3, and notes 3 and 4 reference both. */
const ORPHANS = `
  SET CONSTRAINTS ALL IMMEDIATE;
  SET session_replication_role = replica;
  INSERT INTO people VALUES (3, 9, NULL), (4, 2, 3);
  SET session_replication_role = origin;
  INSERT INTO notes VALUES (3, 3), (4, 4);`;
const TABLES = { teams: {}, people: {}, notes: {} };
const KEYS = `SELECT conname AS name, pg_get_constraintdef(oid) AS definition, obj_description(oid, 'pg_constraint') AS comment
  FROM pg_constraint WHERE contype = 'f' ORDER BY 1`;

describe('a row that references a row which the copy does not have', () => {
  let harness: SyncHarness;
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  const VIEW =
    'CREATE VIEW busy AS SELECT p.id FROM people p JOIN teams t ON t.id = p.team JOIN notes n ON n.person = p.id;';
  const CREATED = ['created', ''] as const;
  const SWAPPED = ['swapped', SCHEMA] as const;
  const REWRITTEN = ['rewritten', SCHEMA + VIEW] as const;
  const MODES = ['fail', 'skip', 'not_valid'] as const;

  const both = async (targetSql: string, sourceSql = SCHEMA + ROWS + ORPHANS) => ({
    source: await harness.database(sourceSql),
    target: await harness.targetDatabase(targetSql),
  });
  const run = async (
    { source, target }: { readonly source: TestDatabase; readonly target: TestDatabase },
    orphans: OrphanMode,
    more: Partial<SyncJobCommand> = {},
    at: (step: SyncStep) => Promise<void> | void = () => undefined,
  ) => {
    const steps: SyncStep[] = [];
    const command = harness.command(source.url, target.url, TABLES, { orphans, ...more });
    const outcome = await harness.run(command, {
      reached: (step) => {
        steps.push(step);
        return at(step);
      },
    });
    return { ...outcome, steps };
  };
  const keysOf = async (database: TestDatabase) => (await database.query(KEYS)).rows;
  const problem = {
    ...{ code: 'orphans_found', side: 'source', tableIndex: 1, constraintKind: 'foreign_key' },
  };
  const failure = {
    ...{ ...problem, problemCount: 1 },
    problems: [{ ...problem, column: 'team', constraint: 'of_team' }],
  };

  inBoth.each(casesOf([SWAPPED, CREATED, REWRITTEN], 1))(
    'fails the job by default, if tables are %s, and leaves the target as it was',
    async (_, sql) => {
      const databases = await both(sql);
      const before = await keysOf(databases.target);
      const { failure: found, steps } = await run(databases, 'fail');
      expect(found).toEqual(failure);
      expect(steps).not.toContain('switch_begun');
      expect(await keysOf(databases.target)).toEqual(before);
      expect(await leftovers(databases.target)).toEqual([]);
    },
  );

  inBoth.each(casesOf([REWRITTEN, CREATED, SWAPPED], 1))(
    'is left out with all rows that reference it, if tables are %s',
    async (_, sql) => {
      const { source, target } = await both(sql);
      const { completed } = await run({ source, target }, 'skip');
      expect(completed?.warnings).toEqual([
        { code: 'orphans_skipped', tableIndex: 1, constraint: 'of_team' },
      ]);
      expect(await rowsOf(target, 'people')).toEqual(['(1,1,)', '(2,,1)']);
      expect(await rowsOf(target, 'notes')).toEqual(['(1,1)', '(2,)']);
      expect(await rowsOf(target, 'teams')).toEqual(await rowsOf(source, 'teams'));
      expect(await keysOf(target)).toEqual(await keysOf(source));
    },
  );

  inBoth.each(casesOf([CREATED, SWAPPED, REWRITTEN], 1))(
    'is copied and makes its key NOT VALID, if tables are %s',
    async (kind, sql) => {
      const { source, target } = await both(sql);
      const { completed } = await run({ source, target }, 'not_valid');
      expect(completed?.warnings).toEqual([{ code: 'orphans_kept', tableIndex: 1, constraint: 'of_team' }]);
      const expected = (await keysOf(source)).map((key) =>
        key['name'] === 'of_team' ? { ...key, definition: `${String(key['definition'])} NOT VALID` } : key,
      );
      const isSame = async () => {
        for (const table of Object.keys(TABLES))
          expect(await rowsOf(target, table)).toEqual(await rowsOf(source, table));
        expect(await keysOf(target)).toEqual(expected);
        expect(await leftovers(target)).toEqual([]);
      };
      await isSame();
      // The target now has the key as NOT VALID, so no mode treats these rows as orphans.
      for (const [n, orphans] of (['not_valid', 'fail', 'skip'] as const).entries()) {
        const old = await oidsOf(target, 'people');
        const later = await run({ source, target }, orphans, { jobId: `job_${n + 2}` });
        expect((await oidsOf(target, 'people'))[0] === old[0]).toBe(kind === 'rewritten');
        expect([later.failure, later.completed?.warnings]).toEqual([undefined, []]);
        await isSame();
      }
    },
  );

  inBoth.each(MODES)('is predicted by a dry run with the mode %s', async (orphans) => {
    for (const [, sql] of casesOf([SWAPPED, CREATED, REWRITTEN], 1)) {
      const databases = await both(sql);
      const { predicted } = await run(databases, orphans, { dryRun: true });
      const warnings = predicted?.warnings.filter(({ code }) => code !== 'definition_copied');
      const warning = { tableIndex: 1, constraint: 'of_team' };
      expect([predicted?.failures, warnings]).toEqual(
        {
          fail: [[failure], []],
          skip: [[], [{ code: 'orphans_skipped', ...warning }]],
          not_valid: [[], [{ code: 'orphans_kept', ...warning }]],
        }[orphans],
      );
    }
  });

  it('fails the job before a row is copied, if a trigger of the key is disabled or only the target has the key', async () => {
    const databases = await both('', `${SCHEMA}${ROWS}${ORPHANS} ALTER TABLE people DISABLE TRIGGER ALL`);
    const found = await run(databases, 'fail');
    expect([found.failure, found.steps.includes('staging_created')]).toEqual([failure, false]);
    const others = await both(
      SCHEMA + VIEW,
      `${SCHEMA}${ROWS}${ORPHANS} ALTER TABLE people DROP CONSTRAINT of_team`,
    );
    const second = await run(others, 'fail');
    expect([second.failure, second.steps.includes('staging_created')]).toEqual([failure, false]);
  });

  it('does not concern keys that are NOT VALID on the source, or references that a rule makes', async () => {
    const sql = `${SCHEMA} ${ROWS} ${ORPHANS} ALTER TABLE people DROP CONSTRAINT of_team;
      ALTER TABLE people ADD CONSTRAINT of_team FOREIGN KEY (team) REFERENCES teams (id) NOT VALID;`;
    const { source, target } = await both('', sql);
    for (const jobId of ['job_1', 'job_2']) {
      expect((await run({ source, target }, 'fail', { jobId })).completed?.warnings).toEqual([]);
      expect(await keysOf(target)).toEqual(await keysOf(source));
      expect(await rowsOf(target, 'people')).toEqual(await rowsOf(source, 'people'));
    }
  });

  it('reports all keys, without names if the policy forbids them, and counts rows only in the log', async () => {
    const more = 'ALTER TABLE notes DISABLE TRIGGER ALL; INSERT INTO notes VALUES (7, 77), (8, 88)';
    const { source, target } = await both(
      '',
      `${SCHEMA}${ROWS}${ORPHANS} ALTER TABLE people DISABLE TRIGGER ALL; ${more}`,
    );
    const command = harness.command(source.url, target.url, TABLES);
    const named: unknown[] = [];
    const { failure: all } = await harness.run(command, { onNames: (names) => named.push(names) });
    expect(all?.problems?.map(({ constraint }) => constraint)).toEqual(['of_team', 'of_person']);
    expect(named).toContainEqual({
      about: 'orphans',
      keys: [
        { table: '"public"."people"', key: 'of_team', columns: ['team'], rows: 1 },
        { table: '"public"."notes"', key: 'of_person', columns: ['person'], rows: 2 },
      ],
    });
    const policy = harness.policy({ reportNames: false });
    const hidden = await harness.run(command, { policy });
    expect(hidden.failure?.problems).toEqual([problem, { ...problem, tableIndex: 2 }]);
    const skipped = await harness.run({ ...command, orphans: 'skip' }, { policy });
    expect(skipped.completed?.warnings).toEqual(
      [1, 2].map((tableIndex) => ({ code: 'orphans_skipped', tableIndex })),
    );
    expect(await rowsOf(target, 'notes')).toEqual(['(1,1)', '(2,)']);
  });

  it('is found by keys of several columns, of partitions and between rows of one table', async () => {
    const sql = `
      CREATE TABLE item (id int, kind text, PRIMARY KEY (id, kind)) PARTITION BY LIST (kind);
      CREATE TABLE item_a PARTITION OF item FOR VALUES IN ('a'); CREATE TABLE item_b PARTITION OF item DEFAULT;
      CREATE TABLE part (id int, kind text, item int, next int, PRIMARY KEY (id, kind)) PARTITION BY LIST (kind);
      CREATE TABLE part_a PARTITION OF part FOR VALUES IN ('a'); CREATE TABLE part_b PARTITION OF part DEFAULT;
      ALTER TABLE part ADD CONSTRAINT of_item FOREIGN KEY (item, kind) REFERENCES item,
        ADD CONSTRAINT of_next FOREIGN KEY (next, kind) REFERENCES part;
      INSERT INTO item VALUES (1, 'a'), (2, 'b');
      INSERT INTO part VALUES (1, 'a', 1, 1), (2, 'b', NULL, NULL);
      SET session_replication_role = replica;
      INSERT INTO part VALUES (3, 'b', 1, 4), (4, 'b', 2, 3), (5, 'b', 2, NULL);
      SET session_replication_role = origin;`;
    const { source, target } = await both('', sql);
    const tables = ['part', 'item'].map((name) => ({ name, columns: [] }));
    const { failure: found, steps } = await run({ source, target }, 'fail', { tables });
    expect(found).toMatchObject({
      code: 'orphans_found',
      tableIndex: 0,
      problems: [{ constraint: 'of_item' }],
    });
    expect(steps).not.toContain('switch_begun');
    const { completed } = await run({ source, target }, 'skip', { tables });
    expect(completed?.warnings).toEqual([{ code: 'orphans_skipped', tableIndex: 0, constraint: 'of_item' }]);
    expect(await rowsOf(target, 'part')).toEqual(['(1,a,1,1)', '(2,b,,)', '(5,b,2,)']);
    expect(await keysOf(target)).toEqual(await keysOf(source));
  });

  describe('a key whose types lie in other schemas on the two servers', () => {
    const sql = (
      schema: string,
      key: string,
    ) => `CREATE SCHEMA IF NOT EXISTS ${schema}; CREATE EXTENSION citext SCHEMA ${schema};
      CREATE TABLE p (e ${schema}.citext PRIMARY KEY); CREATE TABLE c (id int PRIMARY KEY, e ${schema}.citext ${key});`;
    const KEY = 'CONSTRAINT of_p REFERENCES p';
    const ROWS_OF_C = "INSERT INTO p VALUES ('Abc'), ('x'); INSERT INTO c VALUES (1, 'aBC'), (2, 'X')";
    const tables = ['p', 'c'].map((name) => ({ name, columns: [] }));

    inBoth.each(casesOf(MODES, 1))('stops no job without orphans (mode %s)', async (orphans) => {
      for (const [from, to, key] of [
        ['extensions', 'public', KEY],
        ['public', 'ext', ''],
      ] as const) {
        const databases = await both(sql(to, KEY), sql(from, key) + ROWS_OF_C);
        const { predicted } = await run(databases, orphans, { tables, dryRun: true });
        expect(predicted?.failures).toEqual([]);
        expect((await run(databases, orphans, { tables })).failure).toBeUndefined();
      }
    });

    it('finds orphans before the switch, or keeps them', async () => {
      const orphan = "; SET session_replication_role = replica; INSERT INTO c VALUES (3, 'y')";
      const databases = await both(sql('public', KEY), sql('extensions', KEY) + ROWS_OF_C + orphan);
      const { failure: found, steps } = await run(databases, 'fail', { tables });
      expect([found?.code, steps.includes('switch_begun')]).toEqual(['orphans_found', false]);
      const kept = await run(databases, 'not_valid', { tables });
      expect(kept.completed?.warnings).toEqual([{ code: 'orphans_kept', tableIndex: 1, constraint: 'of_p' }]);
    });
  });

  inBoth('has some NULLs in the columns of a key with MATCH FULL', async () => {
    const full = (match: string) => `CREATE TABLE p (a int, b int, PRIMARY KEY (a, b));
      CREATE TABLE c (id int PRIMARY KEY, a int, b int, CONSTRAINT of_p FOREIGN KEY (a, b) REFERENCES p ${match});`;
    const rows = `INSERT INTO p VALUES (1, 1); INSERT INTO c VALUES (1, 1, 1), (2, NULL, NULL);
      SET session_replication_role = replica; INSERT INTO c VALUES (3, 1, NULL)`;
    const tables = ['p', 'c'].map((name) => ({ name, columns: [] }));
    const cases = [
      [full('MATCH FULL'), ''],
      ['', 'MATCH FULL'],
      [full('MATCH FULL'), 'MATCH FULL'],
    ] as const;
    for (const [onTarget, onSource] of casesOf(cases, 1)) {
      const databases = await both(onTarget, full(onSource) + rows);
      const { predicted } = await run(databases, 'fail', { tables, dryRun: true });
      const { failure: found, steps } = await run(databases, 'fail', { tables });
      expect([predicted?.failures[0]?.code, found?.code]).toEqual(['orphans_found', 'orphans_found']);
      expect(steps).not.toContain('switch_begun');
      expect((await run(databases, 'skip', { tables })).failure).toBeUndefined();
      expect(await rowsOf(databases.target, 'c')).toEqual(['(1,1,1)', '(2,,)']);
    }
  });

  const COUNTS = [
    ['not_valid', [2, 4, 4]],
    ['skip', [2, 2, 2]],
  ] as const;
  inBoth.each(casesOf(COUNTS, 1))(
    'does not fail the verification of the target after the mode %s',
    async (orphans, counts) => {
      const { source, target } = await both('');
      const id = { type: 'svc', algorithm: 'int_between', params: { min: 1000, max: 9999 } };
      const command = harness.command(source.url, target.url, { ...TABLES, teams: { id } }, { orphans });
      expect((await harness.run(command)).failure).toBeUndefined();
      const checks = await verifyTarget({
        ...{ command, environment: harness.environment(), copied: new Map(counts.entries()), run: 'known' },
        ...{
          onProgress: () => undefined,
          signal: new AbortController().signal,
          keepSnapshot: () => () => undefined,
        },
      });
      expect(checks.filter(({ outcome }) => outcome !== 'holds')).toEqual([]);
      expect(checks.map(({ kind }) => kind)).toContain('foreign_keys');
    },
  );

  inBoth(
    'fails the job in the mode not_valid, too, if the server cannot have the key as NOT VALID',
    async () => {
      const sql = `
      CREATE TABLE team (id int PRIMARY KEY);
      CREATE TABLE player (id int, team int CONSTRAINT plays REFERENCES team, PRIMARY KEY (id)) PARTITION BY RANGE (id);
      CREATE TABLE player_1 PARTITION OF player DEFAULT;`;
      const rows = `INSERT INTO team VALUES (1); SET session_replication_role = replica; INSERT INTO player VALUES (1, 1), (2, 2)`;
      const tables = ['team', 'player'].map((name) => ({ name, columns: [] }));
      for (const targetSql of casesOf([sql, ''], 1)) {
        const { source, target } = await both(targetSql, sql + rows);
        const { predicted } = await run({ source, target }, 'not_valid', { tables, dryRun: true });
        const found = await run({ source, target }, 'not_valid', { tables });
        const kept = { code: 'orphans_kept', tableIndex: 1, constraint: 'plays' };
        const isKept = [found.completed?.warnings, predicted?.warnings].map(
          (all) => all?.some(({ code }) => code === kept.code) ?? false,
        );
        const failures = [found.failure, predicted?.failures[0]].map((one) => one?.code);
        const { rows: version } = await target.query(
          "SELECT current_setting('server_version_num')::int >= 180000 AS late",
        );
        if (version[0]?.['late'] === true)
          expect([isKept, failures]).toEqual([
            [true, true],
            [undefined, undefined],
          ]);
        else
          expect([isKept, failures]).toEqual([
            [false, false],
            ['orphans_found', 'orphans_found'],
          ]);
      }
    },
  );

  describe.each([
    ['a leaf partition', ''],
    ['a partitioned partition', ' PARTITION BY LIST (kind)'],
  ])('of a key that only %s has', (_, divided) => {
    const leaf = 'CREATE TABLE part_a1 PARTITION OF part_a DEFAULT;';
    const sql = `
      CREATE TABLE team (id int PRIMARY KEY);
      CREATE TABLE part (id int, kind text, team int) PARTITION BY LIST (kind);
      CREATE TABLE part_a PARTITION OF part FOR VALUES IN ('a')${divided}; ${divided === '' ? '' : leaf}
      CREATE TABLE part_b PARTITION OF part DEFAULT;
      ALTER TABLE part_a ADD CONSTRAINT plays FOREIGN KEY (team) REFERENCES team;`;
    const rows = `INSERT INTO team VALUES (1); INSERT INTO part VALUES (1, 'a', 1), (2, 'b', 9);
      SET session_replication_role = replica; INSERT INTO part VALUES (3, 'a', 9);`;
    const tables = ['team', 'part'].map((name) => ({ name, columns: [] }));
    const found = { code: 'orphans_found', tableIndex: 1, problems: [{ constraint: 'plays' }] };

    const cases = [
      ['created', ''],
      ['rewritten', sql],
    ];
    inBoth.each(casesOf(divided === '' ? cases : cases.toReversed(), 1))(
      'is found, or kept as a dry run predicts, if tables are %s',
      async (_kind, targetSql) => {
        const { source, target } = await both(targetSql, sql + rows);
        expect((await run({ source, target }, 'fail', { tables })).failure).toMatchObject(found);
        const dry = await run({ source, target }, 'not_valid', { tables, dryRun: true });
        const { failure: failed, completed } = await run({ source, target }, 'not_valid', { tables });
        const version = await target.query(
          "SELECT current_setting('server_version_num')::int >= 180000 AS late",
        );
        if (divided !== '' && version.rows[0]?.['late'] !== true) {
          expect(failed).toMatchObject(found);
          expect(dry.predicted?.failures).toMatchObject([found]);
          return;
        }
        const kept = { code: 'orphans_kept', tableIndex: 1, constraint: 'plays' };
        expect([failed, dry.predicted?.failures]).toEqual([undefined, []]);
        expect(completed?.warnings).toContainEqual(kept);
        expect(dry.predicted?.warnings).toContainEqual(kept);
        expect(await rowsOf(target, 'part')).toEqual(await rowsOf(source, 'part'));
        expect(await keysOf(target)).toMatchObject([{ definition: expect.stringMatching(/ NOT VALID$/) }]);
      },
    );
  });

  inBoth('is left out by the right one of several equal keys, each of another partition', async () => {
    const sql = `
      CREATE TABLE team (id int PRIMARY KEY);
      CREATE TABLE part (id int, kind text, team int) PARTITION BY LIST (kind);
      CREATE TABLE part_a PARTITION OF part FOR VALUES IN ('a'); CREATE TABLE part_b PARTITION OF part DEFAULT;
      ALTER TABLE part_a ADD CONSTRAINT plays FOREIGN KEY (team) REFERENCES team;
      ALTER TABLE part_b ADD CONSTRAINT plays FOREIGN KEY (team) REFERENCES team;`;
    const rows = `INSERT INTO team VALUES (1); INSERT INTO part VALUES (1, 'a', 1), (2, 'b', 1);
      SET session_replication_role = replica; INSERT INTO part VALUES (3, 'a', 9), (4, 'b', 9);`;
    const tables = ['team', 'part'].map((name) => ({ name, columns: [] }));
    for (const targetSql of casesOf([sql, ''], 1)) {
      const { source, target } = await both(targetSql, sql + rows);
      const { completed } = await run({ source, target }, 'skip', { tables });
      const skipped = { code: 'orphans_skipped', tableIndex: 1, constraint: 'plays' };
      expect(completed?.warnings).toEqual([skipped, skipped]);
      expect(await rowsOf(target, 'part')).toEqual(['(1,a,1)', '(2,b,1)']);
    }
  });

  it('is not left out because of a key of which the policy protects only one column', async () => {
    const rule = { type: 'svc', algorithm: 'int_between', params: { min: 1000, max: 9999 } };
    const tables = [
      { name: 'teams', columns: [{ name: 'id', rule }] },
      { name: 'people', columns: [{ name: 'team', rule }] },
      { name: 'notes', columns: [] },
    ];
    const refusing = (...names: readonly string[]) => ({
      ...harness.policy(),
      protectsColumns: true,
      refusesPreserve: (
        table: { readonly name: { readonly table: string } },
        { name }: { readonly name: string },
      ) => names.includes(`${table.name.table}.${name}`),
    });
    const { source, target } = await both('');
    const command = harness.command(source.url, target.url, TABLES, { tables, orphans: 'skip' });
    const one = await harness.run(command, { policy: refusing('people.team') });
    expect(one.failure).toMatchObject({ code: 'policy_denied', tableIndex: 1, columnIndex: 0 });
    const pair = await harness.run(command, { policy: refusing('people.team', 'teams.id') });
    expect(pair.failure).toBeUndefined();
    expect(await rowsOf(target, 'notes')).toEqual(['(1,1)', '(2,)']);
  });

  it('is left out of a subset, too, although a selected row references it', async () => {
    const { source, target } = await both(SCHEMA);
    const tables = [
      { name: 'teams', columns: [] },
      { name: 'people', columns: [], subset: { where: 'id >= 2' } },
      { name: 'notes', columns: [], subset: { limit: 4 } },
    ];
    expect((await run({ source, target }, 'skip', { tables })).failure).toBeUndefined();
    expect(await rowsOf(target, 'people')).toEqual(['(1,1,)', '(2,,1)']);
    expect(await rowsOf(target, 'notes')).toEqual(['(1,1)', '(2,)']);
  });

  it('is masked like the key that it would reference', async () => {
    const id = { type: 'svc', algorithm: 'int_between', params: { min: 1000, max: 9999 } };
    const tables = [
      { name: 'teams', columns: [{ name: 'id', rule: id }] },
      { name: 'people', columns: [] },
      { name: 'notes', columns: [] },
    ];
    const { source, target } = await both('');
    expect((await run({ source, target }, 'fail', { tables })).failure).toMatchObject({
      ...{ code: 'orphans_found', problems: [{ constraint: 'of_team' }] },
    });
    const { completed } = await run({ source, target }, 'not_valid', { tables });
    expect(completed?.warnings).toContainEqual({
      code: 'orphans_kept',
      tableIndex: 1,
      constraint: 'of_team',
    });
    const lost =
      'SELECT p.id FROM people p LEFT JOIN teams t ON t.id = p.team WHERE t.id IS NULL AND p.team > 999';
    expect((await target.query(lost)).rows).toEqual([{ id: 3 }]);
  });

  it('keeps its warning if a second attempt continues after the keys were checked', async () => {
    const databases = await both('');
    const stop = (step: SyncStep) => {
      if (step === 'indexes_built') throw new SyncJobError({ code: 'connection_lost', side: 'target' });
    };
    expect((await run(databases, 'not_valid', {}, stop)).failure?.code).toBe('connection_lost');
    const { completed, steps } = await run(databases, 'not_valid', { epoch: 2 });
    expect(steps).not.toContain('chunk_copied');
    expect(completed?.warnings).toEqual([{ code: 'orphans_kept', tableIndex: 1, constraint: 'of_team' }]);
  });
});

describe('a foreign key of created and swapped tables', () => {
  let harness: SyncHarness;
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  const HIDDEN = `SELECT conname AS name, convalidated AS valid FROM pg_constraint
    WHERE contype = 'f' AND connamespace::regnamespace::text LIKE '%understudy\\_%' ORDER BY 1`;

  const TARGETS = [
    ['created or swapped', 'CREATE TABLE teams (id int PRIMARY KEY, name text);'],
    ['created', ''],
    ['swapped', SCHEMA],
  ];
  inBoth.each(casesOf(TARGETS, 1))(
    'is validated before the switch locks tables that are %s',
    async (_, sql) => {
      const source = await harness.database(SCHEMA + ROWS);
      const target = await harness.targetDatabase(sql);
      let found: unknown;
      const reached = async (step: SyncStep) => {
        if (step === 'switch_begun') found = (await target.query(HIDDEN)).rows;
      };
      const command = harness.command(source.url, target.url, TABLES);
      expect((await harness.run(command, { reached })).failure).toBeUndefined();
      expect(found).toEqual(['of_boss', 'of_person', 'of_team'].map((name) => ({ name, valid: true })));
      expect((await target.query(KEYS)).rows).toEqual((await source.query(KEYS)).rows);
    },
  );

  const OUTCOMES = [
    ['is NOT VALID', ROWS + ORPHANS, 'not_valid', ['orphans_kept']],
    ['references the existing table', ROWS, 'fail', []],
  ] as const;
  inBoth.each(casesOf(OUTCOMES, 1))(
    '%s if the referenced table can no longer be swapped',
    async (_, rows, orphans, warnings) => {
      const source = await harness.database(SCHEMA + rows);
      const target = await harness.targetDatabase('CREATE TABLE teams (id int PRIMARY KEY, name text);');
      const [old] = await oidsOf(target, 'teams');
      const reached = async (step: SyncStep) => {
        if (step === 'indexes_built') await target.query('CREATE VIEW names AS SELECT name FROM teams');
      };
      const command = harness.command(source.url, target.url, TABLES, { orphans });
      const { completed } = await harness.run(command, { reached });
      expect(completed?.warnings.map(({ code }) => code)).toEqual(warnings);
      expect(await oidsOf(target, 'teams')).toEqual([old]);
      const keys = (await source.query(KEYS)).rows.map((key) =>
        orphans === 'not_valid' && key['name'] === 'of_team'
          ? { ...key, definition: `${String(key['definition'])} NOT VALID` }
          : key,
      );
      expect((await target.query(KEYS)).rows).toEqual(keys);
      expect(await leftovers(target)).toEqual([]);
    },
  );
});
