import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { FolderBackend, SnapshotStore } from '@understudy/snapshot-store';
import { SyncJobError } from '@understudy/sync-job';
import type { TestDatabase } from '@understudy/testing';
import type { SnapshotStep } from '../../src/job/snapshot-step.js';
import { CommitRelay } from './commit-relay.js';
import { KEY, SnapshotHarness } from './snapshot-harness.js';

let harness: SnapshotHarness;
let source: TestDatabase;

beforeAll(async () => {
  harness = await SnapshotHarness.start();
  source = await harness.database(
    `CREATE TABLE a (id int PRIMARY KEY, v text); INSERT INTO a SELECT i, md5(i::text) FROM generate_series(1, 20000) i;
     CREATE TABLE b (id int REFERENCES a); INSERT INTO b SELECT generate_series(1, 500);
     SELECT lo_from_bytea(0, '\\x0102')`,
  );
});
afterAll(() => harness.stop());

const url = (sealed: string) => Promise.resolve({ kind: 'url' as const, url: sealed });

/** Simulates the death of the process: at the given step, the attempt stops and never continues. */
const deadAt =
  (at: SnapshotStep, then: () => void) =>
  (step: SnapshotStep): Promise<void> | void => {
    if (step !== at) return;
    then();
    return new Promise(() => undefined);
  };

describe('an archive', () => {
  it('is not restored if one bit of any of its files was changed', async () => {
    const { command, result } = await harness.snapshotOf(source.url);
    const target = await harness.database('CREATE TABLE mine (id int)');
    await harness.idle(target);
    const own = harness.left.stored.filter((path) => path.includes(command.snapshotId));
    expect(own.length).toBeGreaterThan(4);
    for (const [at, path] of own.entries()) {
      const whole = readFileSync(path);
      const damaged = Buffer.from(whole);
      const position = Math.floor((damaged.length * at) / own.length);
      damaged[position] = (damaged[position] ?? 0) ^ 1;
      writeFileSync(path, damaged);
      const { failure, phases } = await harness.restore(
        harness.restoration(target.url, command, result, true),
      );
      expect(['snapshot_corrupt', 'snapshot_key_missing']).toContain(failure?.code);
      expect(phases).not.toContain('loading');
      writeFileSync(path, whole);
    }
    expect(await harness.restoreDatabases()).toEqual([]);
    expect((await target.query('SELECT * FROM mine')).rows).toEqual([]);
    const last = harness.restoration(harness.newUrl(), command, result);
    expect((await harness.restore(last)).failure).toBeUndefined();
  });

  it('is not restored with another key, another manifest hash or another epoch', async () => {
    const { command, result } = await harness.snapshotOf(source.url);
    const target = harness.newUrl();
    const key = new Uint8Array(32).fill(9);
    const foreign = { store: harness.store(key), keys: [key] };
    const restoration = harness.restoration(target, command, result);
    expect((await harness.restore(restoration, foreign)).failure).toEqual({ code: 'snapshot_key_missing' });
    const manifestHash = '0'.repeat(64);
    expect((await harness.restore({ ...restoration, manifestHash })).failure).toEqual({
      code: 'snapshot_not_found',
    });
    expect((await harness.restore({ ...restoration, snapshotEpoch: 2 })).failure).toEqual({
      code: 'snapshot_not_found',
    });
    const rotated = {
      store: new SnapshotStore(new FolderBackend(harness.storeFolder), { key, olderKeys: [KEY] }),
      keys: [key, KEY],
    };
    expect((await harness.restore(restoration, rotated)).failure).toBeUndefined();
  });
});

describe('an interrupted snapshot', () => {
  const STEPS: readonly SnapshotStep[] = ['dumping', 'file_stored', 'all_files_stored'];

  it.each(STEPS)('leaves no files when it is cancelled at the step %s', async (at) => {
    const before = harness.left.stored.length;
    const stop = new AbortController();
    const reached = (step: SnapshotStep) => {
      if (step === at) stop.abort(new SyncJobError({ code: 'cancelled' }));
    };
    const { failure, result } = await harness.create(harness.creation(source.url), { reached }, stop.signal);
    expect([failure, result]).toEqual([{ code: 'cancelled' }, undefined]);
    expect(harness.left).toEqual({ stored: harness.left.stored.slice(0, before), working: [] });
  });

  it.each([...STEPS, 'snapshot_finished' as const])(
    'is removed by the next process when its process dies at the step %s',
    async (at) => {
      const before = harness.left.stored.length;
      const command = harness.creation(source.url);
      const folder = `work-${at}`;
      const workFolder = join(harness.folder, folder);
      await new Promise<void>(
        (resolve) => void harness.create(command, { workFolder, reached: deadAt(at, resolve) }),
      );
      const next = harness.runner({ workFolder });
      await next.recover(url);
      await next.forget(command.snapshotId, command.epoch);
      expect(harness.left.stored).toHaveLength(before);
      expect(harness.filesOf(folder)).toEqual([]);
    },
  );

  it('reports a full disk of the agent or of the store, and leaves no files in the working folder', async () => {
    const small = join(harness.folder, 'small');
    mkdirSync(small);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=200k', 'tmpfs', small], { stdio: 'ignore' });
    } catch {
      return; // only a superuser can mount a file system
    }
    try {
      const store = new SnapshotStore(new FolderBackend(small), { key: KEY });
      const full = await harness.create(harness.creation(source.url), { store });
      expect(full.failure).toEqual({ code: 'snapshot_store_full' });
      const own = await harness.create(harness.creation(source.url), { workFolder: join(small, 'work') });
      expect(own.failure).toEqual({ code: 'disk_full' });
      expect(harness.filesOf('small/work')).toEqual([]);
    } finally {
      execFileSync('umount', ['-l', small]);
    }
  });

  it('reports a session that the server has ended as connection_lost', async () => {
    const reached = async (step: SnapshotStep) => {
      if (step !== 'dumping') return;
      const admin = await harness.admin();
      await admin.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name LIKE 'understudy%'",
        [source.name],
      );
    };
    const { failure } = await harness.create(harness.creation(source.url), { reached });
    expect(failure).toMatchObject({ code: 'connection_lost', side: 'source' });
  });
});

describe('an attempt after the first one', () => {
  let relay: CommitRelay;
  beforeEach(async () => {
    relay = await CommitRelay.start(new URL(source.url));
    relay.refuse(2); // as a server that replays its log
  });
  afterEach(() => relay.stop());
  const through = (to: string) => {
    const relayed = new URL(to);
    relayed.port = String(relay.port);
    return relayed.href;
  };

  it('waits for the server of the source', async () => {
    const command = harness.creation(through(source.url));
    expect((await harness.create(command)).failure).toMatchObject({ code: 'connection_failed' });
    expect((await harness.create({ ...command, epoch: 2 })).failure).toBeUndefined();
    expect(relay.refused).toBe(2);
  });

  it('waits for the server of the target', async () => {
    const { command, result } = await harness.snapshotOf(source.url);
    const restore = harness.restoration(through(harness.newUrl()), command, result);
    expect((await harness.restore(restore)).failure).toMatchObject({ code: 'connection_failed' });
    expect((await harness.restore({ ...restore, epoch: 2 })).failure).toBeUndefined();
    expect(relay.refused).toBe(2);
  });

  it('reports a server that stays unreachable as lost, so that another attempt may follow', async () => {
    const { command, result } = await harness.snapshotOf(source.url);
    relay.refuse(2);
    let ms = 0;
    const later = { now: () => (ms += 60_000) };
    const creation = { ...harness.creation(through(source.url)), epoch: 2 };
    expect((await harness.create(creation, later)).failure).toEqual({
      code: 'connection_lost',
      side: 'source',
    });
    const restore = { ...harness.restoration(through(harness.newUrl()), command, result), epoch: 2 };
    expect((await harness.restore(restore, later)).failure).toEqual({
      code: 'connection_lost',
      side: 'target',
    });
  });
});

describe('an interrupted restore', () => {
  let made: Awaited<ReturnType<SnapshotHarness['snapshotOf']>>;
  let target: TestDatabase;
  beforeAll(async () => {
    made = await harness.snapshotOf(source.url);
  });
  beforeEach(async () => {
    target = await harness.database('CREATE TABLE mine AS SELECT 1 AS one');
    await harness.idle(target);
  });

  const restoration = () => harness.restoration(target.url, made.command, made.result, true);
  /** Returns the tables of the target: `mine` before the restore, and the tables of the snapshot after it. */
  const held = async () => {
    const { rows } = await target.query(
      "SELECT relname FROM pg_class WHERE relkind = 'r' AND oid >= 16384 ORDER BY 1",
    );
    await harness.idle(target);
    return rows.map(({ relname }) => relname);
  };

  it.each(['restore_database_created', 'before_switch'] as const)(
    'leaves the target unchanged and no other database when it is cancelled at the step %s',
    async (at) => {
      const stop = new AbortController();
      const reached = (step: SnapshotStep) => {
        if (step === at) stop.abort(new SyncJobError({ code: 'cancelled' }));
      };
      const { failure } = await harness.restore(restoration(), { reached }, stop.signal);
      expect([failure, await held()]).toEqual([{ code: 'cancelled' }, ['mine']]);
      expect([await harness.restoreDatabases(), harness.left.working]).toEqual([[], []]);
    },
  );

  it.each([
    ['archive_checked', 'undone'],
    ['restore_database_created', 'undone'],
    ['before_switch', 'undone'],
    ['switched', 'restored'],
  ] as const)('is resolved by the next process when its process dies at the step %s', async (at, outcome) => {
    const command = restoration();
    await new Promise<void>((resolve) => void harness.restore(command, { reached: deadAt(at, resolve) }));
    const recovered = await harness.runner().recover(url);
    expect(recovered.map(({ restoreId, outcome: became }) => [restoreId, became])).toEqual([
      [command.restoreId, outcome],
    ]);
    expect(await held()).toEqual(outcome === 'restored' ? ['a', 'b'] : ['mine']);
    expect([await harness.restoreDatabases(), harness.left.working]).toEqual([[], []]);
    expect(await harness.runner().recover(url)).toEqual([]);
  });

  it.each(['loaded', 'switched'] as const)(
    'is completed by another agent when its agent disappears at the step %s',
    async (at) => {
      const command = restoration();
      await new Promise<void>((resolve) => void harness.restore(command, { reached: deadAt(at, resolve) }));
      expect(await harness.restoreDatabases()).toHaveLength(1);
      const other = { workFolder: join(harness.folder, 'work-other') };
      expect((await harness.restore({ ...command, epoch: 2 }, other)).failure).toBeUndefined();
      expect([await held(), await harness.restoreDatabases()]).toEqual([['a', 'b'], []]);
      await harness.runner().recover(url);
      expect(await held()).toEqual(['a', 'b']);
    },
  );

  describe('whose agent disappears after the switch, before the end is reported', () => {
    const other = () => ({ workFolder: join(harness.folder, 'work-other') });
    /** Restores into a new database and simulates the death of the process at the step. */
    const diedAt = async (at: SnapshotStep) => {
      const into = harness.newUrl();
      const command = harness.restoration(into, made.command, made.result);
      await new Promise<void>((resolve) => void harness.restore(command, { reached: deadAt(at, resolve) }));
      return { command, name: into.slice(into.lastIndexOf('/') + 1) };
    };
    const inside = async (name: string, sql: string) => {
      const client = await harness.connect(name);
      const { rows } = await client.query(sql).finally(() => client.end());
      return rows[0]?.n;
    };
    const rowsOf = (name: string) => inside(name, 'SELECT count(*)::int AS n FROM a');
    it.each(['switched', 'old_dropped', 'reported'] as const)(
      'is recognized as complete by the next attempt, which keeps later writes (%s)',
      async (at) => {
        const { command, name } = await diedAt(at);
        await inside(name, 'DELETE FROM a WHERE id > 19990');
        const { failure, result, phases } = await harness.restore({ ...command, epoch: 2 }, other());
        expect([failure, phases]).toEqual([undefined, ['preflight']]);
        expect(result?.counts).toMatchObject({ tablesDone: 2, tablesTotal: 2 });
        expect(await rowsOf(name)).toBe(19990);
        await harness.runner().recover(url);
        expect([await rowsOf(name), await harness.restoreDatabases()]).toEqual([19990, []]);
      },
    );

    it('does not count as complete for a different restore', async () => {
      const { command, name } = await diedAt('reported');
      const next = { ...command, restoreId: restoration().restoreId };
      const patient = { ...other(), graceMs: 60_000 };
      expect((await harness.restore(next, patient)).failure).toMatchObject({ code: 'target_not_empty' });
      expect((await harness.restore({ ...next, overwrite: true }, patient)).failure).toBeUndefined();
      expect(await rowsOf(name)).toBe(20000);
    });
  });

  describe('that loses the response to the COMMIT of its switch', () => {
    let relay: CommitRelay;
    beforeEach(async () => {
      relay = await CommitRelay.start(new URL(target.url));
    });
    afterEach(() => relay.stop());

    /** @param refusals number of connections that the server refuses after the COMMIT */
    const restoreWithLostCommit = async (refusals: number) => {
      const throughRelay = new URL(target.url);
      throughRelay.port = String(relay.port);
      const { href } = throughRelay;
      const command = { ...restoration(), target: { kind: 'url' as const, url: href }, sealedTarget: href };
      const reached = (step: SnapshotStep) => {
        if (step === 'before_switch') relay.loseNextCommit(refusals);
      };
      const { failure } = await harness.restore(command, { reached });
      expect([relay.lostCommits, relay.refused]).toEqual([1, refusals]);
      const recovered = await harness.runner().recover(url);
      await relay.stop();
      return { failure, restoreId: command.restoreId, recovered };
    };

    it('is complete if the server is reachable again', async () => {
      const { failure, recovered } = await restoreWithLostCommit(0);
      expect([failure, recovered, await held()]).toEqual([undefined, [], ['a', 'b']]);
      expect([await harness.restoreDatabases(), harness.left.working]).toEqual([[], []]);
    });

    it('is resolved by the next start of the agent if the server is unreachable for one connection', async () => {
      const { failure, restoreId, recovered } = await restoreWithLostCommit(1);
      expect([failure, await held()]).toEqual([{ code: 'connection_lost', side: 'target' }, ['a', 'b']]);
      expect(recovered).toMatchObject([{ restoreId, outcome: 'restored' }]);
      expect([await harness.restoreDatabases(), harness.left.working]).toEqual([[], []]);
    });
  });

  it('leaves the target unchanged when an object of the snapshot already exists in the loaded database', async () => {
    const odd = await harness.database("CREATE TABLE t (v text); INSERT INTO t VALUES ('SECRET')");
    const { command, result } = await harness.snapshotOf(odd.url);
    const reached = async (step: SnapshotStep) => {
      if (step !== 'restore_database_created') return;
      const [name] = await harness.restoreDatabases();
      const inside = await harness.connect(name ?? '');
      await inside.query('CREATE TABLE public.t (other int)');
      await inside.end();
    };
    const { failure } = await harness.restore(harness.restoration(target.url, command, result, true), {
      reached,
    });
    expect([failure, await held()]).toEqual([{ code: 'create_failed', side: 'target' }, ['mine']]);
    expect(await harness.restoreDatabases()).toEqual([]);
  });
});

describe('rows on the disk of the agent', () => {
  it('are deleted once they are loaded, and are never readable by other users', async () => {
    const { command, result } = await harness.snapshotOf(source.url);
    const seen: Record<string, number> = {};
    const reached = (step: SnapshotStep) => {
      const files = harness.left.working.filter((path) => /\/\d+\.dat\.gz$/.test(path));
      seen[step] = files.length;
      for (const path of files) expect(statSync(dirname(dirname(path))).mode & 0o777).toBe(0o700);
    };
    const { failure } = await harness.restore(harness.restoration(harness.newUrl(), command, result), {
      reached,
    });
    expect(failure).toBeUndefined();
    expect(seen).toMatchObject({ archive_checked: 2, loaded: 0 });
    expect(harness.left.working).toEqual([]);
  });
});

describe('SnapshotRunner.delete', () => {
  it('removes all attempts at fifty snapshots concurrently, and can be repeated', async () => {
    const { command } = await harness.snapshotOf(source.url, ['b']);
    const of = (snapshotId: string) => harness.left.stored.filter((path) => path.includes(snapshotId));
    const kept = of(command.snapshotId);
    const snapshots = Array.from({ length: 50 }, () => harness.creation(source.url).snapshotId);
    const store = harness.store();
    for (const id of snapshots.flatMap((snapshotId) => [`${snapshotId}-1`, `${snapshotId}-2`])) {
      const draft = await store.begin(id);
      await draft.write('toc.dat', Readable.from([Buffer.from('rows')]));
      // Half of the snapshots have an unfinished last attempt.
      if (id.endsWith('1') || snapshots.indexOf(id.slice(0, -2)) % 2 === 0) await draft.finish(DESCRIPTION);
    }
    const runner = harness.runner();
    const [first = ''] = snapshots;
    await runner.delete({ snapshotId: first, beforeEpoch: 2 });
    expect(of(`${first}-1`)).toEqual([]);
    expect(of(`${first}-2`).length).toBeGreaterThan(0);
    const twice = [...snapshots, ...snapshots];
    await Promise.all(twice.map((snapshotId) => runner.delete({ snapshotId, beforeEpoch: 0 })));
    expect(snapshots.flatMap(of)).toEqual([]);
    expect(of(command.snapshotId)).toEqual(kept);
  });

  it('stops a snapshot that is being created', async () => {
    const command = harness.creation(source.url);
    const environment = harness.environment();
    const runner = harness.runner(environment);
    const making = harness.create(command, {
      ...environment,
      reached: async (step) => {
        if (step === 'file_stored') await runner.delete({ snapshotId: command.snapshotId, beforeEpoch: 0 });
      },
    });
    expect((await making).result).toBeUndefined();
    expect(harness.left.stored.some((path) => path.includes(command.snapshotId))).toBe(false);
  });
});

const DESCRIPTION = {
  createdAt: new Date(0),
  expiresAt: new Date(1),
  database: 'd',
  serverVersion: '15',
  tables: [],
  attributes: {},
};
