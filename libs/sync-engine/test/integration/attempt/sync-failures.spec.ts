import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { itUnless, SmallDisk, type TestDatabase } from '@understudy/testing';
import { isRetryable, SyncJobError, type SyncFailure } from '@understudy/sync-job';
import { rowsOf, SyncHarness, TEST_LOG, type Rules } from '../sync-harness.js';
import type { PolicyColumn, PolicyTable } from '../../../src/policy.js';

const SCHEMA =
  'CREATE TABLE t (id int PRIMARY KEY, email text, n int, code varchar(5), g int GENERATED ALWAYS AS (n * 2) STORED)';
const SECRET = 'canary-4711';
const ROWS = `${SCHEMA}; INSERT INTO t SELECT i, '${SECRET}' || i, i, 'c' || i FROM generate_series(1, 20) i`;
const OLD_ROW = "INSERT INTO t VALUES (1000, 'old', 1, 'old')";

describe('a sync job that fails', () => {
  let harness: SyncHarness;
  let source: TestDatabase;
  let target: TestDatabase;
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  beforeEach(async () => {
    source = await harness.database(ROWS);
    target = await harness.database(`${SCHEMA}; ${OLD_ROW}`);
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  /**
   * Runs a job and expects that it fails with the given failure, which contains no row values. Also expects that the
   * target is unchanged and no sessions of the job are open.
   */
  async function expectFailure(
    expected: SyncFailure,
    job: {
      source?: string;
      target?: string;
      tables?: Record<string, Rules>;
      more?: object;
      environment?: object;
    } = {},
  ): Promise<void> {
    const command = harness.command(
      job.source ?? source.url,
      job.target ?? target.url,
      job.tables ?? { t: {} },
      job.more,
    );
    const before = await rowsOf(target, 't');
    const outcome = await harness.run(command, job.environment);
    const { problems, problemCount, ...failure } = outcome.failure ?? {};
    expect(failure).toEqual(expected);
    expect(problemCount).toBe(problems?.length);
    expect(outcome.completed).toBeUndefined();
    expect(JSON.stringify(outcome.failure)).not.toContain(SECRET);
    expect(await rowsOf(target, 't')).toEqual(before);
    const { rows } = await target.query(
      "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'understudy%'",
    );
    expect(rows).toEqual([]);
  }

  it('leaves databases in which the next job succeeds', async () => {
    await expectFailure({ code: 'table_not_found', side: 'source', tableIndex: 0 }, { tables: { gone: {} } });
    const outcome = await harness.run(harness.command(source.url, target.url, { t: {} }));
    expect(outcome.failure).toBeUndefined();
    expect(await rowsOf(target, 't')).toHaveLength(20);
  });

  describe('before or while it connects', () => {
    const at = (url: string, change: (url: URL) => void) => {
      const changed = new URL(url);
      change(changed);
      return changed.toString();
    };

    it('fails with connection_failed if no server listens', () =>
      expectFailure(
        { code: 'connection_failed', side: 'source' },
        { source: at(source.url, (url) => (url.port = '1')) },
      ));
    it('fails with authentication_failed for a wrong password', () =>
      expectFailure(
        { code: 'authentication_failed', side: 'target' },
        { target: at(target.url, (url) => (url.password = 'wrong')) },
      ));
    it('fails with authentication_failed without a password', () =>
      expectFailure(
        { code: 'authentication_failed', side: 'source' },
        { source: at(source.url, (url) => (url.password = '')) },
      ));
    it('fails with database_not_found for an unknown database', () =>
      expectFailure(
        { code: 'database_not_found', side: 'target' },
        { target: at(target.url, (url) => (url.pathname = '/gone')) },
      ));
    it('fails with permission_denied if the role may not connect', async () => {
      await source.query(
        `CREATE ROLE stranger LOGIN PASSWORD 'pw'; REVOKE CONNECT ON DATABASE ${source.name} FROM public`,
      );
      try {
        const url = at(source.url, (changed) => {
          changed.username = 'stranger';
          changed.password = 'pw';
        });
        await expectFailure({ code: 'permission_denied', side: 'source' }, { source: url });
      } finally {
        await source.query('DROP ROLE stranger');
      }
    });
    it.each(['DATABASE', 'ROLE'])(
      'fails with target_read_only if the %s sets default_transaction_read_only, and reads from such a source',
      async (kind) => {
        const role = 'CREATE ROLE reads_only LOGIN SUPERUSER PASSWORD $$pw$$';
        if (kind === 'ROLE') await target.query(role);
        const url = at(target.url, (changed) => {
          if (kind === 'ROLE') Object.assign(changed, { username: 'reads_only', password: 'pw' });
        });
        const named = kind === 'ROLE' ? 'reads_only' : target.name;
        try {
          await target.query(`ALTER ${kind} ${named} SET default_transaction_read_only = on`);
          const expected = { code: 'target_read_only', side: 'target' } as const;
          await expectFailure(expected, { target: url });
          const dry = await harness.run(harness.command(source.url, url, { t: {} }, { dryRun: true }));
          expect(dry.predicted?.failures).toEqual([expected]);
          const opposite = await harness.run(harness.command(url, source.url, { t: {} }));
          expect(opposite.failure).toBeUndefined();
        } finally {
          if (kind === 'ROLE') await target.query('DROP ROLE reads_only');
        }
      },
    );
    it('fails with too_few_sessions if the role has no session left', async () => {
      await source.query(
        `CREATE ROLE few LOGIN PASSWORD 'pw' CONNECTION LIMIT 0; GRANT ALL ON DATABASE ${source.name} TO few`,
      );
      try {
        const url = at(source.url, (changed) => Object.assign(changed, { username: 'few', password: 'pw' }));
        await expectFailure({ code: 'too_few_sessions', side: 'source' }, { source: url });
      } finally {
        await source.query(`DROP OWNED BY few; DROP ROLE few`);
      }
    });
    it('fails with same_database even if the two URLs spell the host differently', () =>
      expectFailure(
        { code: 'same_database' },
        { target: at(source.url, (url) => (url.hostname = 'localhost')) },
      ));
    it('fails with policy_denied if the policy refuses the database', () =>
      expectFailure(
        { code: 'policy_denied', side: 'source' },
        {
          environment: {
            policy: {
              ...harness.policy(),
              resolveDatabase: () => {
                throw new SyncJobError({ code: 'policy_denied', side: 'source' });
              },
            },
          },
        },
      ));
  });

  describe('because of its tables, columns and rules', () => {
    const rule = { generator: 'template', pattern: 'x' };

    it('fails with table_not_found for an unknown table', () =>
      expectFailure(
        { code: 'table_not_found', side: 'source', tableIndex: 1 },
        { tables: { t: {}, 'no.such': {} } },
      ));
    it('fails with table_not_found for a text that is not an SQL name', () =>
      expectFailure(
        { code: 'table_not_found', side: 'source', tableIndex: 0 },
        { tables: { 't; drop table t': {} } },
      ));
    it('fails with column_not_found for a rule on an unknown column', () =>
      expectFailure(
        { code: 'column_not_found', side: 'source', tableIndex: 0, columnIndex: 1 },
        { tables: { t: { email: rule, gone: rule } } },
      ));
    it('fails with column_unlisted if unlisted columns are rejected', () =>
      expectFailure(
        { code: 'column_unlisted', tableIndex: 0 },
        { tables: { t: { email: rule } }, more: { unlistedColumns: 'reject' } },
      ));
    it('fails with column_mismatch for a column that only the source has', async () => {
      await source.query('ALTER TABLE t ADD added int');
      await expectFailure({ code: 'column_mismatch', side: 'target', tableIndex: 0 });
    });
    it('fails with column_mismatch for a column that only the target has', async () => {
      await target.query('ALTER TABLE t ADD added int');
      await expectFailure({ code: 'column_mismatch', side: 'target', tableIndex: 0 });
    });
    it('fails with partition_listed if a partition and its parent are listed', async () => {
      await source.query(
        'CREATE TABLE p (id int) PARTITION BY LIST (id); CREATE TABLE p1 PARTITION OF p FOR VALUES IN (1)',
      );
      await expectFailure({ code: 'partition_listed', tableIndex: 0 }, { tables: { p1: {}, p: {} } });
    });
    it('fails with rule_invalid for a rule with unknown keys', () =>
      expectFailure(
        { code: 'rule_invalid', tableIndex: 0, columnIndex: 0 },
        { tables: { t: { email: { nonsense: 1 } } } },
      ));
    it('fails with rule_invalid for a reference to a column without a rule', () =>
      expectFailure(
        { code: 'rule_invalid', tableIndex: 0, columnIndex: 0 },
        { tables: { t: { email: { generator: 'template', pattern: '{{code}}@example.com' } } } },
      ));
    it('fails with column_generated for a rule on a generated column', () =>
      expectFailure(
        { code: 'column_generated', tableIndex: 0, columnIndex: 0 },
        { tables: { t: { g: rule } } },
      ));
    it('fails with model_not_found for an unknown model', () =>
      expectFailure(
        { code: 'model_not_found', tableIndex: 0, columnIndex: 0 },
        { tables: { t: { email: { generator: 'xx_XX/no_such' } } } },
      ));
    it('fails with model_not_found for a private model that was never trained', () =>
      expectFailure(
        { code: 'model_not_found', tableIndex: 0, columnIndex: 0 },
        { tables: { t: { email: { generator: 'private/never' } } } },
      ));
    it('fails with model_not_found for a private model with a damaged file, and logs its name', async () => {
      await harness.environment().models.write('damaged', new Uint8Array(9), new Date());
      const warn = jest.fn();
      await expectFailure(
        { code: 'model_not_found', tableIndex: 0, columnIndex: 0 },
        {
          tables: { t: { email: { generator: 'private/damaged' } } },
          environment: { log: { ...TEST_LOG, warn } },
        },
      );
      expect(warn).toHaveBeenCalledWith(
        expect.objectContaining({ model: 'private/damaged' }),
        expect.anything(),
      );
    });
    it('fails with policy_denied for a listed or unlisted column that may not be preserved', async () => {
      const environment = {
        policy: {
          ...harness.environment().policy,
          refusesPreserve: (_table: PolicyTable, column: PolicyColumn) => column.name === 'email',
        },
      };
      await expectFailure({ code: 'policy_denied', tableIndex: 0 }, { environment });
      await expectFailure(
        { code: 'policy_denied', tableIndex: 0, columnIndex: 0 },
        { environment, tables: { t: { email: { preserve: true } } } },
      );
      const masked = await harness.run(
        harness.command(source.url, target.url, { t: { email: rule } }),
        environment,
      );
      expect(masked.failure).toBeUndefined();
    });
    it('fails with training_refused for fewer than 100 distinct values', () =>
      expectFailure(
        { code: 'training_refused', tableIndex: 0, columnIndex: 0 },
        { tables: { t: { email: { generator: 'private/emails', train: { order: 3, min_values: 1 } } } } },
      ));
  });

  describe('because the target refuses rows, without quoting their values', () => {
    const template = (pattern: string) => ({ generator: 'template', pattern });
    const violation = (constraintKind: string, sqlstate: string, more: object = {}) =>
      ({
        code: 'constraint_violation',
        constraintKind,
        sqlstate,
        side: 'target',
        tableIndex: 0,
        ...more,
      }) as SyncFailure;

    it('reports a violated unique key', async () => {
      await target.query('ALTER TABLE t ADD UNIQUE (email)');
      await source.query(`UPDATE t SET email = '${SECRET}' WHERE id < 3`);
      await expectFailure(violation('unique', '23505'));
    });
    it('reports a violated unique key of rows that it still reads', async () => {
      const slow = 'CREATE TABLE slow (code int, read float8[])';
      await target.query(`${slow}; ALTER TABLE slow ADD UNIQUE (code)`);
      await source.query(
        `${slow}; INSERT INTO slow SELECT 1, ARRAY(SELECT random() FROM generate_series(1, 100))
                  FROM generate_series(1, 10000)`,
      );
      await expectFailure(violation('unique', '23505'), { tables: { slow: {} } });
    });
    it('reports a violated check', async () => {
      await target.query("ALTER TABLE t ADD CHECK (email NOT LIKE 'canary%19')");
      await expectFailure(violation('check', '23514'));
    });
    it('reports a violated NOT NULL constraint', async () => {
      await target.query('ALTER TABLE t ALTER email SET NOT NULL');
      await source.query('UPDATE t SET email = NULL WHERE id = 7');
      await expectFailure(
        {
          code: 'constraint_violation',
          constraintKind: 'not_null',
          side: 'target',
          tableIndex: 0,
          columnIndex: 0,
        },
        { tables: { t: { email: { preserve: true } } } },
      );
    });
    it('reports a violated exclusion constraint', async () => {
      await target.query('ALTER TABLE t ADD EXCLUDE (n WITH =)');
      await source.query('UPDATE t SET n = 1');
      await expectFailure(violation('exclusion', '23P01'));
    });
    it('reports a violated foreign key', async () => {
      await target.query(
        'CREATE TABLE r (id int PRIMARY KEY); INSERT INTO r VALUES (1); ALTER TABLE t ADD FOREIGN KEY (n) REFERENCES r',
      );
      await expectFailure(violation('foreign_key', '23503'));
    });
    it('reports a violated unique index of a table that it creates', async () => {
      await source.query(
        `CREATE TABLE u (id int PRIMARY KEY, email text); INSERT INTO u VALUES (1, 'a'), (2, 'bc');
         CREATE UNIQUE INDEX ON u (length(email))`,
      );
      const failure = violation('unique', '23505', { code: 'constraint_broken_by_rule', tableIndex: 1 });
      await expectFailure(failure, {
        tables: { t: {}, u: { email: template('{{uuid}}') } },
      });
      expect((await target.query("SELECT to_regclass('u') AS u")).rows).toEqual([{ u: null }]);
    });
    it('fails with rule_misfit for a masked value that the column type refuses', () =>
      expectFailure(
        { code: 'rule_misfit', tableIndex: 0, columnIndex: 0 },
        { tables: { t: { n: template('not a number') } } },
      ));
    it('fails with too_few_values for a rule with differs that makes one value', async () => {
      await source.query(`UPDATE t SET email = '${SECRET}'`);
      await expectFailure(
        { code: 'too_few_values', tableIndex: 0, columnIndex: 0 },
        { tables: { t: { email: { ...template(SECRET), differs: true } } } },
      );
    });
    it('does not report a SQLSTATE that a user function has made up', async () => {
      await target.query(`CREATE FUNCTION refuse(text) RETURNS boolean LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION USING ERRCODE = 'ANN42', MESSAGE = $1; END $$;
        ALTER TABLE t ADD CHECK (public.refuse(email)) NOT VALID`);
      await expectFailure({ code: 'database_error', side: 'target', tableIndex: 0 });
    });
  });

  describe('because of missing rights', () => {
    const as = (database: TestDatabase) => {
      const url = new URL(database.url);
      url.username = 'limited';
      url.password = 'pw';
      return url.toString();
    };
    beforeEach(() => source.query("CREATE ROLE limited LOGIN PASSWORD 'pw'"));
    afterEach(async () => {
      for (const database of [source, target]) await database.query('DROP OWNED BY limited');
      await source.query('DROP ROLE limited');
    });

    it('fails with permission_denied if the role may not read a source table', () =>
      expectFailure({ code: 'permission_denied', side: 'source', tableIndex: 0 }, { source: as(source) }));
    it('fails with permission_denied if the role may not write a target table', () =>
      expectFailure({ code: 'permission_denied', side: 'target', tableIndex: 0 }, { target: as(target) }));
    it('fails with permission_denied if row security hides rows from the role', async () => {
      await source.query('GRANT SELECT ON t TO limited; ALTER TABLE t ENABLE ROW LEVEL SECURITY');
      await expectFailure(
        { code: 'permission_denied', side: 'source', tableIndex: 0 },
        { source: as(source) },
      );
    });
    it('succeeds with a role that may read only the listed tables', async () => {
      await source.query(
        'CREATE TABLE listed (id int); INSERT INTO listed VALUES (1); GRANT SELECT ON listed TO limited',
      );
      const outcome = await harness.run(harness.command(as(source), target.url, { listed: {} }));
      expect(outcome.failure).toBeUndefined();
      expect(await rowsOf(target, 'listed')).toEqual(['(1)']);
    });
  });

  describe('without a usable pg_dump', () => {
    const folders: string[] = [];
    afterEach(() => {
      for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
    });
    const folderWith = (pgDump: string | undefined) => {
      const folder = mkdtempSync(join(tmpdir(), 'understudy-pg-'));
      folders.push(folder);
      for (const name of pgDump === undefined ? [] : ['pg_dump', 'pg_restore']) {
        writeFileSync(join(folder, name), `#!/bin/sh\n${pgDump}\n`);
        chmodSync(join(folder, name), 0o755);
      }
      return { environment: { tools: { pgBinDir: folder } }, tables: { missing: {} } };
    };
    beforeEach(() => source.query('CREATE TABLE missing (id int)'));

    it('fails with pg_dump_missing if the folder has no pg_dump', () =>
      expectFailure({ code: 'pg_dump_missing', side: 'source' }, folderWith(undefined)));
    it('fails with pg_dump_too_old for an older version than the server', () =>
      expectFailure(
        { code: 'pg_dump_too_old', side: 'source' },
        folderWith("echo 'pg_dump (PostgreSQL) 13.9 (Debian)'"),
      ));
    const VERSION = '[ "$1" = --version ] && echo "pg_dump (PostgreSQL) 99.1" && exit;';
    const FAILS_HERE = [
      ['is killed', `${VERSION} kill -9 $$`],
      ['has no memory', `${VERSION} echo "pg_dump: error: out of memory" >&2; exit 1`],
      [
        'finds no space',
        `${VERSION} echo "pg_dump: error: could not write to output file: No space left" >&2; exit 1`,
      ],
    ] as const;
    it.each(FAILS_HERE)('fails with pg_dump_failed if pg_dump %s', (_what, script) =>
      expectFailure({ code: 'pg_dump_failed', side: 'source' }, folderWith(script)),
    );
    it('fails with pg_dump_failed if there is no folder for its files', () =>
      expectFailure(
        { code: 'pg_dump_failed', side: 'source' },
        {
          environment: {
            tools: { pgBinDir: harness.services.postgresBinFolder, temporaryFolder: '/dev/null/none' },
          },
          tables: { missing: {} },
        },
      ));
    itUnless(SmallDisk.whyNotPossible())('fails with agent_disk_low if the disk is full', async () => {
      const temporaryFolder = mkdtempSync(join(tmpdir(), 'understudy-full-'));
      folders.push(temporaryFolder);
      const disk = SmallDisk.mount(temporaryFolder, '1m');
      disk?.fill();
      try {
        const tools = { pgBinDir: harness.services.postgresBinFolder, temporaryFolder };
        const command = harness.command(source.url, target.url, { missing: {} });
        const { failure } = await harness.run(command, { tools });
        expect(failure).toEqual({ code: 'agent_disk_low', side: 'source' });
        expect(isRetryable({ code: failure?.code ?? '' })).toBe(true);
      } finally {
        disk?.unmount();
      }
    });
    it('fails with pg_dump_failed if pg_restore is killed', () => {
      const own = folderWith('kill -9 $$');
      const pgDump = join(own.environment.tools.pgBinDir, 'pg_dump');
      rmSync(pgDump);
      symlinkSync(join(harness.services.postgresBinFolder, 'pg_dump'), pgDump);
      return expectFailure({ code: 'pg_dump_failed', side: 'source' }, own);
    });
    it('fails with database_error if the server refuses a query of pg_dump', () =>
      expectFailure(
        { code: 'database_error', side: 'source' },
        folderWith(`${VERSION} echo "pg_dump: error: query failed: ERROR:  cache lookup failed" >&2; exit 1`),
      ));
    it.each<[string, string | undefined]>([['is missing', undefined], [...FAILS_HERE[0]]])(
      'rewrites existing tables with a warning if pg_dump %s',
      async (_what, script) => {
        const { environment } = folderWith(script);
        const outcome = await harness.run(harness.command(source.url, target.url, { t: {} }), environment);
        expect(outcome.failure).toBeUndefined();
        expect(outcome.completed?.warnings).toEqual([{ code: 'rewritten_without_pg_dump' }]);
      },
    );
    it('fails with create_failed if the target has a type with the name of the table', async () => {
      await target.query('CREATE DOMAIN missing AS int');
      const { tables } = folderWith(undefined);
      await expectFailure(
        { code: 'create_failed', side: 'target', sqlstate: '42710', tableIndex: 0 },
        { tables },
      );
    });
  });
});
