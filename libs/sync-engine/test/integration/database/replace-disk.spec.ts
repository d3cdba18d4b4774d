import { chownSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { itUnless, SmallDisk } from '@understudy/testing';
import type { SyncJobCommand } from '@understudy/sync-job';
import type { LocalNames } from '../../../src/local-names.js';
import { SyncHarness } from '../sync-harness.js';
import { type ReplaceScene, replaceScene } from './replace-scene.js';

const ROWS = 100_000;

describe('the disk of a server on which a database is replaced', () => {
  let harness: SyncHarness;
  let scene: ReplaceScene;
  beforeAll(async () => {
    harness = await SyncHarness.start();
    scene = await replaceScene(harness);
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  itUnless(SmallDisk.whyNotPossible())(
    'can fill during the build, and has the room again after it',
    async () => {
      const admin = await harness.database();
      const { rows: folders } = await admin.query("SELECT current_setting('data_directory') AS folder");
      const folder = mkdtempSync(join(tmpdir(), 'understudy-disk-'));
      const disk = SmallDisk.mount(folder, '26m');
      const { uid, gid } = statSync(String(folders[0]?.['folder']));
      chownSync(folder, uid, gid);
      try {
        await admin.query(`CREATE TABLESPACE small_disk LOCATION '${folder}'`);
        const source = await harness.database(
          `CREATE TABLE t (id int PRIMARY KEY, text text); INSERT INTO t SELECT n, repeat('x', 100) FROM generate_series(1, ${ROWS}) n`,
        );
        const target = await harness.database(
          'CREATE TABLE only_here (a int); INSERT INTO only_here VALUES (7)',
        );
        await admin.query(`ALTER DATABASE ${target.name} SET TABLESPACE small_disk`);
        await admin.query(
          `GRANT CREATE ON TABLESPACE small_disk TO ${scene.agent}; ALTER DATABASE ${target.name} OWNER TO ${scene.owner}`,
        );
        const outcome = await scene.replace({ source, target });
        expect(outcome.failure).toMatchObject({ code: 'disk_full', side: 'target' });
        const { rows } = await admin.query(
          "SELECT datname FROM pg_database WHERE datname LIKE '%understudy\\_%'",
        );
        expect(rows).toEqual([]);
        await target.query('INSERT INTO only_here VALUES (8)');
        expect((await target.query('SELECT sum(a)::int AS sum FROM only_here')).rows).toEqual([{ sum: 15 }]);
        await source.query('DELETE FROM t WHERE id > 100');
        expect(
          (await scene.replace({ source, target, command: { jobId: 'job_2' } })).failure,
        ).toBeUndefined();
      } finally {
        await harness.dropAll();
        await (await harness.database()).query('DROP TABLESPACE IF EXISTS small_disk');
        disk?.unmount();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );

  it('is measured before the build, and the policy limits the size of the new database', async () => {
    const source = await harness.database(`
      CREATE TABLE t (id int PRIMARY KEY); CREATE TABLE log (text text);
      INSERT INTO log SELECT repeat('x', 200) FROM generate_series(1, 30000)`);
    const target = await harness.database('CREATE TABLE only_here (a int)');
    await target.query(`ALTER DATABASE ${target.name} OWNER TO ${scene.owner}`);
    const rooms: { readonly neededBytes: number; readonly heldBytes: number }[] = [];
    const run = async (command: Partial<SyncJobCommand>) => {
      const policy = { ...scene.policy, rules: { ...scene.policy.rules, maxDatabaseBytes: 12_000_000 } };
      const onNames = (names: LocalNames) => void (names.about === 'room' && rooms.push(names));
      const outcome = await scene.replace({ source, target, command, environment: { policy, onNames } });
      return (outcome.failure ?? outcome.predicted?.failures[0])?.code;
    };
    const withoutLog = {
      tables: [
        { name: 't', columns: [{ name: 'id', rule: { preserve: true } }] },
        { name: 'log', columns: [], rows: 'none' as const },
      ],
    };
    expect(await run({ dryRun: true })).toBe('database_too_large');
    expect(await run({})).toBe('database_too_large');
    expect((await target.query('SELECT FROM only_here')).rows).toEqual([]);
    expect(await run(withoutLog)).toBeUndefined();
    const sizes = await Promise.all(
      [source, target].map(
        async (one) =>
          (await one.query('SELECT pg_database_size(current_database())::int AS n')).rows[0]?.['n'],
      ),
    );
    const [first, , last] = rooms;
    expect(rooms).toHaveLength(3);
    expect(Math.abs(Number(first?.neededBytes) - Number(sizes[0]))).toBeLessThan(200_000);
    expect(Number(first?.heldBytes)).toBeGreaterThan(5_000_000);
    expect(Number(first?.neededBytes) - Number(last?.neededBytes)).toBeGreaterThan(6_000_000);
  });
});
