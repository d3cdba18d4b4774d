import { silentWarnings, toLinkResponse } from './lease-view.js';

const at = (seconds: number) => new Date(seconds * 1000);
const HELD = {
  leasedAt: at(0),
  leaseExpiresAt: at(3_700),
  graceSeconds: 3_600,
  renewedAt: at(55),
  snapshotTakenAt: at(7),
};

it('shows the times of a held lease, and nothing without a lease', () => {
  expect(toLinkResponse(HELD)).toEqual({
    last_heard_at: '1970-01-01T00:00:55.000Z',
    grace_period_seconds: 3_600,
    held_until: '1970-01-01T01:01:40.000Z',
    snapshot_taken_at: '1970-01-01T00:00:07.000Z',
  });
  expect(toLinkResponse({ ...HELD, renewedAt: null, snapshotTakenAt: null })).toMatchObject({
    last_heard_at: null,
    snapshot_taken_at: null,
  });
  expect(toLinkResponse({ ...HELD, leaseExpiresAt: null })).toBeNull();
});

it.each([
  ['the last heartbeat', HELD, 70, 71],
  ['the lease, before any heartbeat', { ...HELD, renewedAt: null }, 15, 16],
])('warns when more than 15 s have passed since %s', (_, held, quiet, silent) => {
  expect(silentWarnings(held, { now: at(quiet) })).toEqual([]);
  expect(silentWarnings(held, { now: at(silent) })).toMatchObject([{ code: 'agent_silent' }]);
});

it('does not warn about work that no agent holds', () => {
  expect(silentWarnings({ ...HELD, leaseExpiresAt: null }, { now: at(10_000) })).toEqual([]);
});
