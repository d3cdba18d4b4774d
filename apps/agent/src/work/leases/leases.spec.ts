import { LeaseLostError, Leases } from './leases.js';

const job = { jobId: 'job_1', epoch: 1 };
const granted = { ...job, graceSeconds: 0 };
const NOTHING = { lostLeases: [], cancelledLeases: [], revoked: false };

let now: number;
let leases: Leases;
beforeEach(() => {
  now = 0;
  leases = new Leases(30_000, () => now);
});

/** Returns the leases that the next heartbeat names. */
const named = () => leases.running().map(({ jobId, epoch }) => ({ jobId, epoch }));
const unansweredAt = (at: number) => {
  now = at;
  leases.unanswered();
};

describe('a lease', () => {
  it('is confirmed by the reply to a heartbeat that named it', async () => {
    const held = leases.hold(granted);
    leases.replied([job], NOTHING, 10);
    await held.confirmed;
    expect(held.signal.aborted).toBe(false);
    expect(named()).toEqual([job]);
  });

  it('is not confirmed by a reply to an earlier heartbeat', async () => {
    const held = leases.hold(granted);
    leases.replied([], NOTHING, 10);
    const winner = await Promise.race([held.confirmed.then(() => 'confirmed'), Promise.resolve('open')]);
    expect(winner).toBe('open');
  });

  it('is lost if the reply reports it as lost, and is not in later heartbeats', () => {
    const held = leases.hold({ ...job, graceSeconds: 3_600 });
    leases.replied([job], { ...NOTHING, lostLeases: [job] }, 10);
    expect(held.signal.reason).toBeInstanceOf(LeaseLostError);
    expect(named()).toEqual([]);
  });

  it('stays in heartbeats after a cancel request until the end of its job is reported', () => {
    const held = leases.hold(granted);
    leases.replied([job], { ...NOTHING, cancelledLeases: [job] }, 10);
    expect(held.signal.reason).toMatchObject({ failure: { code: 'cancelled' } });
    expect(named()).toEqual([job]);
    leases.replied([job], { ...NOTHING, lostLeases: [job] }, 20);
    expect(held.signal.reason).toMatchObject({ failure: { code: 'cancelled' } });
  });

  it('is not affected by the loss of another epoch', () => {
    const held = leases.hold({ ...granted, epoch: 2 });
    leases.replied([job, { ...job, epoch: 2 }], { ...NOTHING, lostLeases: [job] }, 10);
    expect(held.signal.aborted).toBe(false);
  });

  it('is lost after 30 s without a reply, counted from its start or from the last answered heartbeat', () => {
    now = 100_000;
    const held = leases.hold(granted);
    unansweredAt(129_999);
    expect(held.signal.aborted).toBe(false);
    leases.replied([job], NOTHING, 130_000);
    unansweredAt(159_999);
    expect(held.signal.aborted).toBe(false);
    unansweredAt(160_000);
    expect(held.signal.reason).toBeInstanceOf(LeaseLostError);
  });

  it('is not renewed by a reply that did not name it', () => {
    const held = leases.hold(granted);
    leases.replied([], NOTHING, 20_000);
    unansweredAt(30_000);
    expect(held.signal.reason).toBeInstanceOf(LeaseLostError);
  });
});

describe('a lease with a grace period', () => {
  it('is lost 30 s and the grace period after the last answered heartbeat', () => {
    const held = leases.hold({ ...job, graceSeconds: 60 });
    leases.replied([job], NOTHING, 1_000);
    unansweredAt(90_999);
    expect(held.signal.aborted).toBe(false);
    expect(leases.running()).toMatchObject([{ silentForMs: 89_999, remainingMs: 1 }]);
    unansweredAt(91_000);
    expect(held.signal.reason).toBeInstanceOf(LeaseLostError);
  });

  it('is lost after 30 s if the control plane never confirmed it', () => {
    const held = leases.hold({ ...job, graceSeconds: 60 });
    unansweredAt(30_000);
    expect(held.signal.reason).toBeInstanceOf(LeaseLostError);
  });

  it('begins its time again with each reply', () => {
    const held = leases.hold({ ...job, graceSeconds: 60 });
    for (let cut = 1; cut <= 10; cut++) {
      leases.replied([job], NOTHING, now);
      unansweredAt(now + 80_000);
    }
    expect(held.signal.aborted).toBe(false);
  });
});

describe('the snapshot of a held lease', () => {
  it('is renewed by each heartbeat, answered or not, until the lease is lost or the job releases it', () => {
    const held = leases.hold({ ...job, graceSeconds: 60 });
    let renewals = 0;
    const end = held.keepSnapshot(() => renewals++);
    leases.replied([], NOTHING, 10);
    expect(renewals).toBe(0);
    leases.replied([job], NOTHING, 20);
    unansweredAt(60_000);
    leases.replied([job], { ...NOTHING, cancelledLeases: [job] }, 60_000);
    expect(renewals).toBe(3);
    end();
    leases.replied([job], NOTHING, 60_010);
    held.keepSnapshot(() => renewals++);
    unansweredAt(160_000);
    expect(renewals).toBe(3);
  });

  it('has an age from the time when it was taken', () => {
    const held = leases.hold(granted);
    expect(leases.running()).toMatchObject([{ heldForMs: 0, snapshotAgeMs: undefined }]);
    now = 5_000;
    const end = held.keepSnapshot(() => undefined);
    now = 12_000;
    expect(leases.running()).toMatchObject([{ heldForMs: 12_000, snapshotAgeMs: 7_000 }]);
    end();
    expect(leases.running()).toMatchObject([{ snapshotAgeMs: undefined }]);
  });
});

it('cancels a job locally, and keeps its lease until the end is reported', () => {
  const held = leases.hold(granted);
  expect(leases.cancel('job_2')).toBe(false);
  expect(leases.cancel('job_1')).toBe(true);
  expect(held.signal.reason).toMatchObject({ failure: { code: 'cancelled' } });
  expect(named()).toEqual([job]);
});

it('stops all work with a failure that is not retried if the control plane has revoked the agent', () => {
  const held = [leases.hold(granted), leases.hold({ ...granted, jobId: 'job_2' })];
  leases.replied([job], { ...NOTHING, revoked: true }, 10);
  for (const { signal } of held) expect(signal.reason).toMatchObject({ failure: { code: 'agent_revoked' } });
});
