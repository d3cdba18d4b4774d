import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  startTestServices,
  createTestDatabase,
  waitFor,
  type TestDatabase,
  type TestServices,
} from '@understudy/testing';
import { parseConnectionUrl, disconnect, openSession } from '@understudy/postgres';
import {
  holdSnapshot,
  type HeldSnapshot,
  type HoldSnapshotRequest,
} from '../../../src/source/snapshot-keeper.js';
import { joinSnapshot } from '../../../src/source/join-snapshot.js';
import { takeSnapshot } from '../../../src/source/take-snapshot.js';
import { locatedSession } from '../../../src/session/located-client.js';

const never = new AbortController().signal;
const TABLES = [{ index: 0, name: { schema: 'public', table: 't' } }];

describe('the snapshot keeper', () => {
  let services: TestServices;
  let source: TestDatabase;
  const held: HeldSnapshot[] = [];
  beforeAll(async () => {
    services = await startTestServices({ postgres: true });
  });
  beforeEach(async () => {
    source = await createTestDatabase(
      services.postgresUrl,
      'CREATE TABLE t (id int); INSERT INTO t VALUES (1)',
    );
  });
  afterEach(async () => {
    await Promise.all(held.splice(0).map((snapshot) => snapshot.release()));
    await source.drop();
  });
  afterAll(() => services.stop());

  const hold = async (more: Partial<HoldSnapshotRequest> = {}): Promise<HeldSnapshot> => {
    const snapshot = await holdSnapshot({
      source: parseConnectionUrl(source.url),
      sessionName: 'holder',
      tables: TABLES,
      signal: never,
      ...more,
    });
    held.push(snapshot);
    return snapshot;
  };
  const rowsSeenIn = async (snapshotId: string): Promise<number> => {
    const { client } = await openSession(parseConnectionUrl(source.url), 'source');
    try {
      await joinSnapshot(client, snapshotId);
      const { rows } = await client.query<{ n: number }>('SELECT count(*)::int AS n FROM public.t');
      return rows[0]?.n ?? -1;
    } finally {
      await disconnect(client);
    }
  };
  const truncateWithin = (milliseconds: number) =>
    source.query(`SET lock_timeout = ${milliseconds}; TRUNCATE t; RESET lock_timeout`);
  const expectLocked = () => expect(truncateWithin(100)).rejects.toMatchObject({ code: '55P03' });
  /** Allows time, because the server may need long to end a session after its client. */
  const expectUnlocked = () => truncateWithin(60_000);

  it('shows one instant to all sessions that join it, and blocks a TRUNCATE until it is released', async () => {
    const snapshot = await hold();
    await source.query('INSERT INTO t VALUES (2)');
    expect(await rowsSeenIn(snapshot.snapshotId)).toBe(1);
    await expectLocked();
    await snapshot.confirm();
    await snapshot.release();
    await expectUnlocked();
    await expect(rowsSeenIn(snapshot.snapshotId)).rejects.toMatchObject({
      failure: { code: 'snapshot_lost' },
    });
  });

  it('keeps the snapshot available in a second keeper after the first keeper is killed', async () => {
    const first = await hold();
    await source.query('INSERT INTO t VALUES (2)');
    const second = await hold({ importId: first.snapshotId });
    const lost = once(first.lost, 'abort');
    await source.query('SELECT pg_terminate_backend($1)', [first.backendPid]);
    await lost;
    await expect(first.confirm()).rejects.toMatchObject({ failure: { code: 'snapshot_lost' } });
    expect(await rowsSeenIn(second.snapshotId)).toBe(1);
    await expectLocked();
  });

  it('fails with snapshot_lost if the snapshot to join is no longer held', async () => {
    const first = await hold();
    await first.release();
    await expect(hold({ importId: first.snapshotId })).rejects.toMatchObject({
      failure: { code: 'snapshot_lost' },
    });
    await expect(hold({ importId: "'; DROP TABLE t; --" })).rejects.toMatchObject({
      failure: { code: 'snapshot_lost' },
    });
  });

  it('exits by itself if it is not renewed', async () => {
    const snapshot = await hold({ expiresAfterMs: 300 });
    if (!snapshot.lost.aborted) await once(snapshot.lost, 'abort');
    await expectUnlocked();
  });

  it('reports a table that does not exist, and then holds nothing', async () => {
    const tables = [...TABLES, { index: 4, name: { schema: 'nowhere', table: 'x' } }];
    await expect(hold({ tables })).rejects.toMatchObject({
      failure: { code: 'table_not_found', side: 'source', tableIndex: 4 },
    });
    await expectUnlocked();
  });

  it('reports the session that blocks it, and stops waiting when it is aborted', async () => {
    const blocker = await openSession(parseConnectionUrl(source.url), 'source');
    await blocker.client.query('BEGIN; LOCK TABLE public.t');
    const abort = new AbortController();
    const blockers: number[] = [];
    const waiting = hold({
      signal: abort.signal,
      onBlocked: (pids) => {
        blockers.push(...pids);
        abort.abort(new Error('aborted by the test'));
      },
    });
    await expect(waiting).rejects.toThrow('aborted by the test');
    expect(blockers).toEqual([blocker.backendPid]);
    await disconnect(blocker.client);
    await expectUnlocked();
  });

  const takePresent = async (onBlocked: (pids: readonly number[]) => void = () => undefined) => {
    const own = await openSession(parseConnectionUrl(source.url), 'source');
    const request = {
      source: locatedSession(own, { side: 'source' }),
      sessionName: 'holder',
      tables: TABLES,
      signal: never,
      onBlocked,
    };
    return { own, taking: takeSnapshot({ ...request, earlierId: undefined }) };
  };

  it('takes over the snapshot and the locks of the session that took the snapshot, without a gap', async () => {
    const { own, taking } = await takePresent();
    const snapshot = await taking;
    const early = snapshot.id;
    await source.query('INSERT INTO t VALUES (2)');
    expect(await rowsSeenIn(early)).toBe(1);
    await expectLocked();
    await snapshot.held.confirm();
    expect(snapshot.id).not.toBe(early);
    await disconnect(own.client);
    expect(await rowsSeenIn(snapshot.id)).toBe(1);
    await expectLocked();
    await snapshot.held.release();
    expect(snapshot.held.lost.aborted).toBe(true);
    await expectUnlocked();
  });

  it('can be released before it holds the snapshot', async () => {
    const { own, taking } = await takePresent();
    const snapshot = await taking;
    await snapshot.held.release();
    await expect(snapshot.held.confirm()).rejects.toThrow();
    await disconnect(own.client);
    await expectUnlocked();
  });

  it('reports the session that blocks the first lock of the snapshot', async () => {
    const blocker = await openSession(parseConnectionUrl(source.url), 'source');
    await blocker.client.query('BEGIN; LOCK TABLE public.t');
    const reported: (readonly number[])[] = [];
    const { own, taking } = await takePresent((pids) => {
      reported.push(pids);
      void disconnect(blocker.client);
    });
    await (await taking).held.release();
    await disconnect(own.client);
    expect(reported).toEqual([[blocker.backendPid]]);
  });

  it('has no secret in its arguments or in its environment', async () => {
    const snapshot = await hold();
    const password = new URL(source.url).password;
    for (const file of ['cmdline', 'environ']) {
      const text = readFileSync(`/proc/${snapshot.processId}/${file}`, 'latin1');
      expect(text).not.toContain(password);
      expect(text).not.toContain('postgres');
    }
  });

  const startAgent = async (more: object) => {
    const agent = fork(join(import.meta.dirname, '../engine/hold-and-wait.mjs'), [], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const request = { source: parseConnectionUrl(source.url), sessionName: 'holder', tables: TABLES };
    agent.send({ ...request, ...more });
    const [reply] = (await once(agent, 'message')) as [{ snapshotId: string; processId: number }];
    return { agent, ...reply };
  };

  it('outlives a killed agent, so that another agent can join its snapshot', async () => {
    const { agent, snapshotId, processId } = await startAgent({ expiresAfterMs: 600_000 });
    await source.query('INSERT INTO t VALUES (2)');
    agent.kill('SIGKILL');
    await once(agent, 'exit');
    const second = await hold({ importId: snapshotId });
    process.kill(processId, 'SIGKILL');
    await waitFor('the first to be gone', async () => {
      const { rows } = await source.query(
        'SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> $1 AND xact_start < now() AND pid <> pg_backend_pid()',
        [second.backendPid],
      );
      return rows.length === 0;
    });
    expect(await rowsSeenIn(second.snapshotId)).toBe(1);
    await expectLocked();
  });

  it('uses its process again after a release, but only for its next order', async () => {
    const first = await hold();
    const releasing = first.release();
    first.renew();
    await expect(first.confirm()).rejects.toMatchObject({ failure: { code: 'snapshot_lost' } });
    await releasing;
    const sessions = "SELECT FROM pg_stat_activity WHERE application_name = 'holder'";
    expect((await source.query(sessions)).rows).toEqual([]);
    await source.query('INSERT INTO t VALUES (2)');
    const second = await hold();
    expect(second.processId).toBe(first.processId);
    first.leave();
    await first.release();
    await second.confirm();
    expect(await rowsSeenIn(second.snapshotId)).toBe(2);
    await expectLocked();
  });

  it('starts another process while it holds a snapshot, or after its process was killed', async () => {
    const [first, second] = [await hold(), await hold()];
    expect(second.processId).not.toBe(first.processId);
    await second.release();
    process.kill(second.processId, 'SIGKILL');
    await waitFor('the process to be collected', () =>
      Promise.resolve(!existsSync(`/proc/${second.processId}`)),
    );
    const third = await hold();
    expect([first.processId, second.processId]).not.toContain(third.processId);
    await Promise.all([first.confirm(), third.confirm()]);
  });

  it.each<[string, (agent: ChildProcess) => unknown]>([
    ['is killed', (agent) => agent.kill('SIGKILL')],
    ['has nothing more to do', (agent) => agent.disconnect()],
  ])('ends after a release if its agent %s', async (_, end) => {
    const { agent, processId } = await startAgent({ isReleased: true });
    expect(hasEnded(processId)).toBe(false);
    const exit = once(agent, 'exit');
    end(agent);
    await exit;
    await waitFor('the process to end', () => Promise.resolve(hasEnded(processId)));
  });

  it('ends after a release if no other order follows', async () => {
    const snapshot = await hold();
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    await snapshot.release();
    jest.runAllTimers();
    jest.useRealTimers();
    await waitFor('the process to end', () => Promise.resolve(hasEnded(snapshot.processId)));
  });
});

/** Tests whether a process has ended. Its parent may not have collected it yet. */
function hasEnded(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}
