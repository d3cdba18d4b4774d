import type { Session } from '@understudy/postgres';
import { openWithRetry, reachingAgain } from './open-session.js';
import { SyncJobError } from '@understudy/sync-job';

const never = new AbortController().signal;
const failing = (code: 'connection_failed' | 'authentication_failed') =>
  new SyncJobError({ code, side: 'target' });

it('opens a session once the server is reachable again', async () => {
  const session = {} as Session;
  const tries = [failing('connection_failed')];
  const open = () => {
    const error = tries.pop();
    return error === undefined ? Promise.resolve(session) : Promise.reject(error);
  };
  expect(await openWithRetry(open, () => 0, never)).toBe(session);
});

it('stops retrying after the time limit, and does not retry an error that waiting cannot fix', async () => {
  let now = 0;
  const late = openWithRetry(
    () => {
      now += 60_000;
      return Promise.reject(failing('connection_failed'));
    },
    () => now,
    never,
  );
  await expect(late).rejects.toMatchObject({ failure: { code: 'connection_failed' } });
  const refused = openWithRetry(
    () => Promise.reject(failing('authentication_failed')),
    () => 0,
    never,
  );
  await expect(refused).rejects.toMatchObject({ failure: { code: 'authentication_failed' } });
});

it("throws the signal's reason when the signal aborts", async () => {
  const abort = new AbortController();
  const waiting = openWithRetry(
    () => Promise.reject(failing('connection_failed')),
    () => 0,
    abort.signal,
  );
  const reason = new SyncJobError({ code: 'cancelled' });
  abort.abort(reason);
  await expect(waiting).rejects.toBe(reason);
});

it('reports a server that a job has reached before as lost, so that the job can be continued', async () => {
  const refused = reachingAgain(() => Promise.reject(failing('connection_failed')));
  await expect(refused).rejects.toMatchObject({ failure: { code: 'connection_lost', side: 'target' } });
  const wrong = failing('authentication_failed');
  await expect(reachingAgain(() => Promise.reject(wrong))).rejects.toBe(wrong);
});
