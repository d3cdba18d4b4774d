import type { EngineLog } from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';
import { type LockHolder, type LockRetry, pauseAfterMs, untilUnlocked } from './lock-retry.js';

const LOCKED = new SyncJobError({ code: 'lock_timeout', side: 'target' });
const HOLDERS: readonly LockHolder[] = [
  { pid: 4711, name: 'report' },
  { pid: 4712, name: null, tableIndex: 3 },
  { pid: null, name: null },
];

interface Told {
  readonly waits: number[];
  readonly messages: string[];
}

function retry(told: Told, more: Partial<LockRetry> = {}): LockRetry {
  const ignore = () => undefined;
  const warn = (_: object, message: string) => void told.messages.push(message);
  const log: EngineLog = { error: ignore, warn, info: ignore, debug: ignore };
  return {
    ...{ tryMs: 1, totalMs: 0, now: () => 0, signal: new AbortController().signal, log },
    onWait: () => void told.waits.push(1),
    ...more,
  };
}

/** Fails so many times, then says `done`. */
function lockedFor(times: number, error: unknown = LOCKED) {
  let tries = 0;
  return () => (tries++ < times ? Promise.reject(error as Error) : Promise.resolve('done'));
}

describe('work that is tried until nobody holds what it needs', () => {
  const holders = () => Promise.resolve(HOLDERS);
  let told: Told;
  beforeEach(() => {
    told = { waits: [], messages: [] };
  });

  it('is done once when nothing stands in its way', async () => {
    expect(await untilUnlocked(retry(told), lockedFor(0), holders)).toBe('done');
    expect(told).toEqual({ waits: [], messages: [] });
  });

  it.each([
    ['a lock', LOCKED],
    ['a deadlock', new SyncJobError({ code: 'create_failed', side: 'target', sqlstate: '40P01' })],
  ])('is tried again after %s, and tells which processes are in its way', async (_, error) => {
    expect(await untilUnlocked(retry(told, { totalMs: 1e9 }), lockedFor(1, error), holders)).toBe('done');
    expect(told.waits).toHaveLength(1);
    expect(told.messages).toEqual([
      'the job waits for tables that are locked by process 4711, 4712 and a prepared transaction',
    ]);
  });

  it('fails when the time is over, with the processes in the cause and the table in the failure', async () => {
    const failing = untilUnlocked(retry(told), lockedFor(Infinity), holders);
    const error = await failing.catch((caught: unknown) => caught as SyncJobError);
    expect(error).toMatchObject({ failure: { code: 'lock_timeout', side: 'target', tableIndex: 3 } });
    expect(String((error as SyncJobError).cause)).toContain('process 4711, 4712 and a prepared transaction');
    expect(told.waits).toEqual([]);
  });

  it('tries a last time when the time is over, however long a pause would have been', async () => {
    let now = 0;
    const clock = () => (now += 600);
    const failing = untilUnlocked(retry(told, { totalMs: 601, now: clock }), lockedFor(Infinity), holders);
    await expect(failing).rejects.toMatchObject({ failure: { code: 'lock_timeout' } });
    expect(told.waits).toHaveLength(1);
  });

  it.each([
    ['on the source', new SyncJobError({ code: 'lock_timeout', side: 'source' })],
    ['of another kind', new SyncJobError({ code: 'disk_full', side: 'target' })],
    ['of its own', new TypeError('a fault')],
  ])('is not tried again after a failure %s', async (_, error) => {
    await expect(untilUnlocked(retry(told, { totalMs: 1e9 }), lockedFor(1, error), holders)).rejects.toBe(
      error,
    );
  });

  it('ends with the signal between two tries', async () => {
    const abort = new AbortController();
    const reason = new SyncJobError({ code: 'cancelled' });
    const waiting = untilUnlocked(
      retry(told, { totalMs: 1e9, signal: abort.signal, onWait: () => abort.abort(reason) }),
      lockedFor(Infinity),
      holders,
    );
    await expect(waiting).rejects.toBe(reason);
  });

  it('waits longer after each try, and never longer than half a minute', () => {
    expect([1, 2, 3, 6, 7, 8, 5_000].map(pauseAfterMs)).toEqual([
      500, 1_000, 2_000, 16_000, 30_000, 30_000, 30_000,
    ]);
  });
});
