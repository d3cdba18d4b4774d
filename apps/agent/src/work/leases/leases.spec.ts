import { LeaseLostError, Leases } from './leases.js';

const job = { jobId: 'job_1', epoch: 1 };

describe('a lease', () => {
  it('is confirmed by the reply to a heartbeat that named it', async () => {
    const leases = new Leases(30_000, 0);
    const held = leases.hold(job, 0);
    leases.replied([job], { lost: [], cancelled: [] }, 10);
    await held.confirmed;
    expect(held.signal.aborted).toBe(false);
    expect(leases.current()).toEqual([job]);
  });

  it('is not confirmed by a reply to an earlier heartbeat', async () => {
    const leases = new Leases(30_000, 0);
    const held = leases.hold(job, 0);
    leases.replied([], { lost: [], cancelled: [] }, 10);
    const winner = await Promise.race([held.confirmed.then(() => 'confirmed'), Promise.resolve('open')]);
    expect(winner).toBe('open');
  });

  it('is lost if the reply reports it as lost, and is not in later heartbeats', () => {
    const leases = new Leases(30_000, 0);
    const held = leases.hold(job, 0);
    leases.replied([job], { lost: [job], cancelled: [] }, 10);
    expect(held.signal.reason).toBeInstanceOf(LeaseLostError);
    expect(leases.current()).toEqual([]);
  });

  it('stays in heartbeats after a cancel request until the end of its job is reported', () => {
    const leases = new Leases(30_000, 0);
    const held = leases.hold(job, 0);
    leases.replied([job], { lost: [], cancelled: [job] }, 10);
    expect(held.signal.reason).toMatchObject({ failure: { code: 'cancelled' } });
    expect(leases.current()).toEqual([job]);
    leases.replied([job], { lost: [job], cancelled: [] }, 20);
    expect(held.signal.reason).toMatchObject({ failure: { code: 'cancelled' } });
  });

  it('is cancelled by the operator, and stays in heartbeats until the end of its job is reported', () => {
    const leases = new Leases(30_000, 0);
    const held = leases.hold(job, 0);
    expect(leases.cancel('job_2')).toBe(false);
    expect(leases.cancel('job_1')).toBe(true);
    expect(held.signal.reason).toMatchObject({ failure: { code: 'cancelled' } });
    expect(leases.running(10)).toEqual([{ ...job, heldForMs: 10 }]);
  });

  it('notifies its listeners of each renewal until it is lost', () => {
    const leases = new Leases(30_000, 0);
    const held = leases.hold(job, 0);
    let renewals = 0;
    const stop = held.onRenewed(() => renewals++);
    leases.replied([], { lost: [], cancelled: [] }, 10);
    expect(renewals).toBe(0);
    leases.replied([job], { lost: [], cancelled: [] }, 20);
    leases.replied([job], { lost: [], cancelled: [job] }, 30);
    expect(renewals).toBe(2);
    leases.replied([job], { lost: [job], cancelled: [] }, 40);
    expect(renewals).toBe(2);
    stop();
  });

  it('is not affected by the loss of another epoch', () => {
    const leases = new Leases(30_000, 0);
    const held = leases.hold({ ...job, epoch: 2 }, 0);
    leases.replied([job, { ...job, epoch: 2 }], { lost: [job], cancelled: [] }, 10);
    expect(held.signal.aborted).toBe(false);
  });

  it('is lost after 30 s without a reply, counted from the last reply or from its start', () => {
    const leases = new Leases(30_000, 0);
    const held = leases.hold(job, 100_000);
    leases.unanswered(129_999);
    expect(held.signal.aborted).toBe(false);
    leases.replied([job], { lost: [], cancelled: [] }, 130_000);
    leases.unanswered(159_999);
    expect(held.signal.aborted).toBe(false);
    leases.unanswered(160_000);
    expect(held.signal.reason).toBeInstanceOf(LeaseLostError);
  });
});
