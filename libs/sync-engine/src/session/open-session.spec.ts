import type { Session } from '@understudy/postgres';
import { openPatiently } from './open-session.js';
import { SyncJobError } from '@understudy/sync-job';

const never = new AbortController().signal;
const failing = (code: 'connection_failed' | 'authentication_failed') =>
  new SyncJobError({ code, side: 'target' });

it('opens once the server is back', async () => {
  const session = {} as Session;
  const tries = [failing('connection_failed')];
  const open = () => {
    const error = tries.pop();
    return error === undefined ? Promise.resolve(session) : Promise.reject(error);
  };
  expect(await openPatiently(open, () => 0, never)).toBe(session);
});

it('gives up when the time is over, and at once for what waiting cannot mend', async () => {
  let now = 0;
  const late = openPatiently(
    () => {
      now += 60_000;
      return Promise.reject(failing('connection_failed'));
    },
    () => now,
    never,
  );
  await expect(late).rejects.toMatchObject({ failure: { code: 'connection_failed' } });
  const refused = openPatiently(
    () => Promise.reject(failing('authentication_failed')),
    () => 0,
    never,
  );
  await expect(refused).rejects.toMatchObject({ failure: { code: 'authentication_failed' } });
});

it('ends with the signal', async () => {
  const abort = new AbortController();
  const waiting = openPatiently(
    () => Promise.reject(failing('connection_failed')),
    () => 0,
    abort.signal,
  );
  const reason = new SyncJobError({ code: 'cancelled' });
  abort.abort(reason);
  await expect(waiting).rejects.toBe(reason);
});
