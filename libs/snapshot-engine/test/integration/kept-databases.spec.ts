import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { keptName } from '@understudy/database-swap';
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

  it('is kept under another name, for the time in the policy, until the next restore', async () => {
    const database = await target();
    const agent = keeping();
    const restored = restoration(database);
    const { failure, result } = await harness.restore(restored, agent);
    expect([failure, result]).toMatchObject([undefined, { keptHours: 24 }]);
    const kept = keptName(database.name, restored.restoreId);
    expect([await keptOf(database), await valuesIn(kept)]).toEqual([[kept], [{ v: 'kept' }]]);
    await harness.idle(database);
    const next = restoration(database);
    expect((await harness.restore(next, agent)).failure).toBeUndefined();
    expect(await keptOf(database)).toEqual([keptName(database.name, next.restoreId)]);
    await harness.idle(database);
    const last = await harness.restore(restoration(database));
    expect([last.result?.keptHours, await keptOf(database)]).toEqual([undefined, []]);
  });

  it('is dropped immediately if the policy keeps no replaced databases', async () => {
    const database = await target();
    expect((await harness.restore(restoration(database))).failure).toBeUndefined();
    expect([await keptOf(database), await harness.restoreDatabases()]).toEqual([[], []]);
  });

  it('is kept when the agent dies at the switch, and reported by the next process and by another agent', async () => {
    const database = await target();
    const agent = keeping();
    const command = restoration(database);
    const ended = await harness.restore(command, {
      ...agent,
      reached: (step) => {
        if (step === 'switched') throw new Error('the process ends here');
      },
    });
    expect(ended.failure).toBeDefined();
    const recovered = await harness.runner(agent).recover(openTarget);
    expect(recovered).toMatchObject([{ outcome: 'restored', keptHours: 24 }]);
    const { failure, phases, result } = await harness.restore({ ...command, epoch: 2 }, keeping());
    const kept = { keptHours: 24, isReplacedAgain: false };
    expect([failure, phases, result]).toMatchObject([undefined, ['preflight'], kept]);
    expect(await valuesIn(keptName(database.name, command.restoreId))).toEqual([{ v: 'kept' }]);
    await harness.idle(database);
    expect((await harness.restore(restoration(database), keeping())).failure).toBeUndefined();
    const late = await harness.restore({ ...command, epoch: 3 }, keeping());
    expect(late.result).toMatchObject({ isReplacedAgain: true });
    expect(late.result?.keptHours).toBeUndefined();
  });

  it('is dropped by its record of an agent of an earlier version, unless it was renamed or is in use', async () => {
    const database = await target();
    const warn = jest.fn();
    const agent = keeping({ log: { ...harness.environment().log, warn } });
    const [old, renamed] = [`${database.name}_replaced_1_1`, `${database.name}_replaced_2_1`];
    const admin = await harness.admin();
    await mkdir(agent.workFolder ?? '');
    for (const [index, name] of [old, renamed].entries()) {
      await admin.query(`CREATE DATABASE "${name}"`);
      const { rows } = await admin.query('SELECT oid::text FROM pg_database WHERE datname = $1', [name]);
      const attempt = { restoreId: `rst_${index}`, epoch: 1, sealedTarget: database.url };
      const record = { ...attempt, name, oid: rows[0]?.['oid'], untilMs: startMs + 24 * HOUR_MS };
      await writeFile(join(agent.workFolder ?? '', `rst_${index}-1.kept.json`), JSON.stringify(record));
    }
    await writeFile(join(agent.workFolder ?? '', 'rst_9-1.kept.json'), '{"name":1}');
    await admin.query(`ALTER DATABASE "${renamed}" RENAME TO "${database.name}_mine"`);
    await dropAt(23, agent);
    const visitor = await harness.connect(old);
    await dropAt(24, agent);
    expect(await keptOf(database)).toEqual([old]);
    await visitor.end();
    await dropAt(25, agent);
    expect(await keptOf(database)).toEqual([]);
    expect(recordsOf(agent).map((path) => basename(path))).toEqual(['rst_9-1.kept.json']);
    await admin.query(`DROP DATABASE "${database.name}_mine"`);
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
