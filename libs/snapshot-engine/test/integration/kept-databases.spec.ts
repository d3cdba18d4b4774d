import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { TestDatabase } from '@understudy/testing';
import type { DatabaseReference } from '@understudy/sync-job';
import type { SnapshotEnvironment } from '../../src/snapshot-environment.js';
import { SnapshotHarness } from './snapshot-harness.js';

const HOUR_MS = 3_600_000;

describe('a database that a restore with `overwrite` replaces', () => {
  let harness: SnapshotHarness;
  let made: Awaited<ReturnType<SnapshotHarness['snapshotOf']>>;
  beforeAll(async () => {
    harness = await SnapshotHarness.start();
    const source = await harness.database('CREATE TABLE a (id int); INSERT INTO a VALUES (1)');
    made = await harness.snapshotOf(source.url);
  });
  afterAll(() => harness.stop());

  const startMs = Date.now();
  let folders = 0;
  /** Returns the environment of a separate agent whose policy keeps replaced databases for a day. */
  const keeping = (more: Partial<SnapshotEnvironment> = {}): Partial<SnapshotEnvironment> => ({
    policy: { ...harness.environment().policy, keepReplacedMs: 24 * HOUR_MS },
    workFolder: join(harness.folder, `keeping-${++folders}`),
    now: () => startMs,
    ...more,
  });
  const target = async (): Promise<TestDatabase> => {
    const database = await harness.database("CREATE TABLE mine (v text); INSERT INTO mine VALUES ('kept')");
    await harness.idle(database);
    return database;
  };
  const restoration = ({ url }: TestDatabase) => harness.restoration(url, made.command, made.result, true);
  const openTarget = (sealed: string): Promise<DatabaseReference> =>
    Promise.resolve({ kind: 'url', url: sealed });
  const dropAt = (hours: number, agent: Partial<SnapshotEnvironment>) =>
    harness.runner({ ...agent, now: () => startMs + hours * HOUR_MS }).dropReplaced(openTarget);
  const keptOf = async ({ name }: TestDatabase): Promise<string[]> => {
    const { rows } = await (
      await harness.admin()
    ).query(`SELECT datname FROM pg_database WHERE datname LIKE '${name.slice(0, 20)}%\\_replaced\\_%'`);
    return rows.map(({ datname }) => String(datname));
  };
  const valuesIn = async (name: string) => {
    const client = await harness.connect(name);
    const { rows } = await client.query('SELECT v FROM mine').finally(() => client.end());
    return rows;
  };
  const recordsOf = ({ workFolder = '' }: Partial<SnapshotEnvironment>) =>
    harness.filesOf(workFolder.slice(harness.folder.length + 1));

  it('is kept under another name for the time in the policy, and then dropped', async () => {
    const database = await target();
    const warn = jest.fn();
    const agent = keeping({ log: { ...harness.environment().log, warn } });
    expect((await harness.restore(restoration(database), agent)).failure).toBeUndefined();
    const [kept = ''] = await keptOf(database);
    expect(await valuesIn(kept)).toEqual([{ v: 'kept' }]);
    await dropAt(23, agent);
    expect(await keptOf(database)).toEqual([kept]);
    const damaged = {
      'rst_0-1.kept.json': '',
      'rst_1-1.kept.json': '{"name":1}',
      'rst_2-1.kept.json': 'null',
    };
    for (const [file, text] of Object.entries(damaged))
      await writeFile(join(agent.workFolder ?? '', file), text);
    await dropAt(24, agent);
    expect(await keptOf(database)).toEqual([]);
    expect(recordsOf(agent).map((path) => basename(path))).toEqual(Object.keys(damaged));
    expect(warn.mock.calls.map(([facts]: [{ file?: string }]) => facts.file)).toEqual(Object.keys(damaged));
  });

  it('is dropped immediately if the policy keeps no replaced databases', async () => {
    const database = await target();
    expect((await harness.restore(restoration(database))).failure).toBeUndefined();
    expect([await keptOf(database), await harness.restoreDatabases()]).toEqual([[], []]);
  });

  it('is kept when the agent dies at the switch, and dropped by the next process', async () => {
    const database = await target();
    const agent = keeping();
    const ended = await harness.restore(restoration(database), {
      ...agent,
      reached: (step) => {
        if (step === 'switched') throw new Error('the process ends here');
      },
    });
    expect(ended.failure).toBeDefined();
    const [kept = ''] = await keptOf(database);
    expect(await harness.runner(agent).recover(openTarget)).toMatchObject([{ outcome: 'restored' }]);
    expect(await valuesIn(kept)).toEqual([{ v: 'kept' }]);
    await dropAt(24, agent);
    expect(await keptOf(database)).toEqual([]);
  });

  it('stays, with its record, while the policy resolves the target to another server', async () => {
    const database = await target();
    const agent = keeping();
    const { policy = harness.environment().policy } = agent;
    const resolveDatabase: typeof policy.resolveDatabase = (reference, role) => {
      const { host, ...server } = policy.resolveDatabase(reference, role);
      return { ...server, host: host === 'localhost' ? '127.0.0.1' : 'localhost' };
    };
    const edited = { ...agent, policy: { ...policy, resolveDatabase } };
    await harness.restore(restoration(database), {
      ...agent,
      reached: (step) => {
        if (step === 'switched') throw new Error('the process ends here');
      },
    });
    expect(await harness.runner(edited).recover(openTarget)).toEqual([]);
    expect(await harness.runner(agent).recover(openTarget)).toMatchObject([{ outcome: 'restored' }]);
    await dropAt(24, edited);
    expect(await keptOf(database)).toHaveLength(1);
    await dropAt(24, agent);
    expect(await keptOf(database)).toEqual([]);
  });

  it('is adopted by another agent whose attempt finds the restore complete', async () => {
    const database = await target();
    const command = restoration(database);
    const stop = { reached: (step: string) => Promise.reject(new Error(step)) };
    await harness.restore(command, {
      ...keeping(),
      reached: (step) => (step === 'switched' ? stop.reached(step) : undefined),
    });
    const other = keeping();
    const { failure, phases } = await harness.restore({ ...command, epoch: 2 }, other);
    expect([failure, phases]).toEqual([undefined, ['preflight']]);
    expect(await keptOf(database)).toHaveLength(1);
    await dropAt(23, other);
    expect(await keptOf(database)).toHaveLength(1);
    await dropAt(24, other);
    expect(await keptOf(database)).toEqual([]);
  });

  it('is not dropped after somebody has renamed it back', async () => {
    const database = await target();
    const agent = keeping();
    await harness.restore(restoration(database), agent);
    const [kept = ''] = await keptOf(database);
    const admin = await harness.admin();
    await admin.query(`DROP DATABASE "${database.name}" WITH (FORCE)`);
    await admin.query(`ALTER DATABASE "${kept}" RENAME TO "${database.name}"`);
    await dropAt(24, agent);
    expect(await valuesIn(database.name)).toEqual([{ v: 'kept' }]);
    expect(recordsOf(agent)).toEqual([]);
  });

  it('is not dropped while somebody is connected to it', async () => {
    const database = await target();
    const agent = keeping();
    await harness.restore(restoration(database), agent);
    const [kept = ''] = await keptOf(database);
    const visitor = await harness.connect(kept);
    await dropAt(24, agent);
    expect(await keptOf(database)).toEqual([kept]);
    await visitor.end();
    await dropAt(25, agent);
    expect(await keptOf(database)).toEqual([]);
  });

  it('is not touched if the disk has no room for both databases', async () => {
    const database = await target();
    const asked: string[] = [];
    const full = keeping({
      freeBytesAt: (folder) => {
        asked.push(folder);
        return Promise.resolve(1_000_000);
      },
    });
    const command = restoration(database);
    expect((await harness.restore(command, full)).failure).toEqual({ code: 'disk_full', side: 'target' });
    const { rows } = await (await harness.admin()).query('SHOW data_directory');
    expect(asked).toEqual([rows[0]?.['data_directory']]);
    expect(await valuesIn(database.name)).toEqual([{ v: 'kept' }]);
    const { snapshotId, snapshotEpoch } = command;
    const request = {
      restoreId: 'rst_1',
      snapshotId,
      snapshotEpoch,
      target: command.target,
      overwrite: true,
    };
    expect(await harness.runner(full).precheckRestore(request, new AbortController().signal)).toMatchObject({
      code: 'disk_full',
    });
    const spacious = { ...full, freeBytesAt: () => Promise.resolve(1e12) };
    await harness.idle(database);
    expect((await harness.restore(command, spacious)).failure).toBeUndefined();
  });
});
