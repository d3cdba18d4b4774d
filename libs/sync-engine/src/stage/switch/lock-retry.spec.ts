import type { EngineLog } from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';
import { type LockHolder, type LockRetry, pauseAfterMs, untilUnlocked } from './lock-retry.js';

const LOCKED = new SyncJobError({ code: 'lock_timeout', side: 'target' });
const HOLDERS: readonly LockHolder[] = [
  { pid: 4711, name: 'report' },
  { pid: 4712, name: null, tableIndex: 3 },
  { pid: null, name: null },
];

interface Reported {
  readonly waits: number[];
  readonly messages: string[];
}

function retry(reported: Reported, more: Partial<LockRetry> = {}): LockRetry {
  const ignore = () => undefined;
  const warn = (_: object, message: string) => void reported.messages.push(message);
  const log: EngineLog = { error: ignore, warn, info: ignore, debug: ignore };
  return {
    ...{ tryMs: 1, totalMs: 0, now: () => 0, signal: new AbortController().signal, log },
    onWait: () => void reported.waits.push(1),
    ...more,
  };
}

/** Returns an attempt that rejects the given number of times, and then resolves with `done`. */
function lockedFor(times: number, error: unknown = LOCKED) {
  let tries = 0;
  return () => (tries++ < times ? Promise.reject(error as Error) : Promise.resolve('done'));
}

describe('untilUnlocked', () => {
  const holders = () => Promise.resolve(HOLDERS);
  let reported: Reported;
  beforeEach(() => {
    reported = { waits: [], messages: [] };
  });

  it('runs the work once if no lock blocks it', async () => {
    expect(await untilUnlocked(retry(reported), lockedFor(0), holders)).toBe('done');
    expect(reported).toEqual({ waits: [], messages: [] });
  });

  it.each([
    ['a lock', LOCKED],
    ['a deadlock', new SyncJobError({ code: 'create_failed', side: 'target', sqlstate: '40P01' })],
  ])('tries again after %s and logs the processes that hold the locks', async (_, error) => {
    expect(await untilUnlocked(retry(reported, { totalMs: 1e9 }), lockedFor(1, error), holders)).toBe('done');
    expect(reported.waits).toHaveLength(1);
    expect(reported.messages).toEqual([
      'the job waits for tables that are locked by process 4711, 4712 and a prepared transaction',
    ]);
  });

  it('reports the processes and the table when the time is over', async () => {
    const failing = untilUnlocked(retry(reported), lockedFor(Infinity), holders);
    const error = await failing.catch((caught: unknown) => caught as SyncJobError);
    expect(error).toMatchObject({ failure: { code: 'lock_timeout', side: 'target', tableIndex: 3 } });
    expect(String((error as SyncJobError).cause)).toContain('process 4711, 4712 and a prepared transaction');
    expect(reported.waits).toEqual([]);
  });

  it('fails at once, and names the process, if a session of the job itself holds the lock', async () => {
    const own = () => Promise.resolve([...HOLDERS, { pid: 4713, name: 'understudy j 1', isOwn: true }]);
    const failing = untilUnlocked(retry(reported, { totalMs: 1e9 }), lockedFor(Infinity), own);
    const error = await failing.catch((caught: unknown) => caught as SyncJobError);
    expect(error).toMatchObject({ failure: { code: 'locked_by_itself', side: 'target' } });
    expect(String((error as SyncJobError).cause)).toContain('process 4713, at each of 1 tries');
    expect(reported).toEqual({ waits: [], messages: [] });
  });

  it('makes the last try when the time is over, and not after a longer pause', async () => {
    let now = 0;
    const clock = () => (now += 600);
    const failing = untilUnlocked(
      retry(reported, { totalMs: 601, now: clock }),
      lockedFor(Infinity),
      holders,
    );
    await expect(failing).rejects.toMatchObject({ failure: { code: 'lock_timeout' } });
    expect(reported.waits).toHaveLength(1);
  });

  it.each([
    ['on the source', new SyncJobError({ code: 'lock_timeout', side: 'source' })],
    ['with another code', new SyncJobError({ code: 'disk_full', side: 'target' })],
    ['that is not a SyncJobError', new TypeError('a fault')],
  ])('does not try again after a failure %s', async (_, error) => {
    await expect(untilUnlocked(retry(reported, { totalMs: 1e9 }), lockedFor(1, error), holders)).rejects.toBe(
      error,
    );
  });

  it('stops between two tries if the signal aborts', async () => {
    const abort = new AbortController();
    const reason = new SyncJobError({ code: 'cancelled' });
    const waiting = untilUnlocked(
      retry(reported, { totalMs: 1e9, signal: abort.signal, onWait: () => abort.abort(reason) }),
      lockedFor(Infinity),
      holders,
    );
    await expect(waiting).rejects.toBe(reason);
  });

  it('doubles the pause after each try up to half a minute', () => {
    expect([1, 2, 3, 6, 7, 8, 5_000].map(pauseAfterMs)).toEqual([
      500, 1_000, 2_000, 16_000, 30_000, 30_000, 30_000,
    ]);
  });
});
