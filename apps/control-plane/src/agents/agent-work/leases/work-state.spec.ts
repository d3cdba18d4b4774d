import fc from 'fast-check';

import {
  advance,
  contactLost,
  isEnded,
  WORK_STATUSES,
  TRANSITIONS,
  type WorkState,
  type Trigger,
} from './work-state.js';

const ACCEPTED: WorkState = {
  status: 'pending',
  attempts: 0,
  lostLeases: 0,
  epoch: 0,
  lastSeq: 0,
  agentId: null,
  leasedAt: null,
  leaseExpiresAt: null,
  graceSeconds: 0,
  renewedAt: null,
  snapshotTakenAt: null,
  startedAt: null,
  completedAt: null,
  error: null,
  cancelRequestedAt: null,
};

const error = fc.record({ code: fc.constantFrom('internal', 'lease_lost'), message: fc.string() });
const trigger: fc.Arbitrary<Trigger> = fc.oneof(
  fc.record({
    type: fc.constant('lease_taken' as const),
    agentId: fc.constantFrom('agt_a', 'agt_b'),
    leaseMs: fc.integer({ min: 1, max: 100_000 }),
    graceSeconds: fc.integer({ min: 0, max: 86_400 }),
  }),
  fc.constant<Trigger>({ type: 'agent_alive' }),
  fc.constant<Trigger>({ type: 'agent_completed' }),
  fc.constant<Trigger>({ type: 'attempt_lost' }),
  fc.constant<Trigger>({ type: 'lease_lost' }),
  fc.constant<Trigger>({ type: 'lease_returned' }),
  fc.constant<Trigger>({ type: 'cancel_requested' }),
  fc.record({ type: fc.constant('agent_failed' as const), error }),
  fc.record({ type: fc.constant('attempts_exhausted' as const), error }),
);
const history = fc.array(fc.tuple(trigger, fc.integer({ min: 0, max: 2_000_000_000_000 })), {
  maxLength: 20,
});

/** Runs random histories and calls `check` for each step. */
function everyStep(check: (before: WorkState, after: WorkState, trigger: Trigger) => void): void {
  fc.assert(
    fc.property(history, (steps) => {
      let state = ACCEPTED;
      for (const [step, at] of steps) {
        const next = advance(state, step, { now: new Date(at) });
        check(state, next, step);
        state = next;
      }
    }),
  );
}

describe('the state machine of leased work', () => {
  it('has a transition for every status and trigger', () => {
    for (const status of WORK_STATUSES) expect(Object.keys(TRANSITIONS[status])).toHaveLength(9);
  });

  it('I1: no trigger changes a job that has ended', () => {
    everyStep((before, after) => {
      if (isEnded(before.status)) expect(after).toBe(before);
    });
  });

  it('I2: only a new lease increments epoch and attempts, each by one', () => {
    everyStep((before, after, { type }) => {
      const mayTake = !isEnded(before.status) && before.cancelRequestedAt === null;
      const grown = type === 'lease_taken' && mayTake ? 1 : 0;
      expect(after.epoch - before.epoch).toBe(grown);
      expect(Math.max(0, after.attempts - before.attempts)).toBe(grown);
    });
  });

  it('I3: a lease is held only while the job is pending or running', () => {
    everyStep((_, after) => {
      if (isEnded(after.status)) expect(after.leaseExpiresAt).toBeNull();
    });
  });

  it('I4: startedAt never changes after it is set', () => {
    everyStep((before, after) => {
      if (before.startedAt) expect(after.startedAt).toBe(before.startedAt);
      if (after.status === 'pending') expect(after.startedAt).toBeNull();
    });
  });

  it('I5: only an ended job has completedAt, and only a failed job has an error', () => {
    everyStep((_, after) => {
      expect(after.completedAt !== null).toBe(isEnded(after.status));
      expect(after.error !== null).toBe(after.status === 'failed');
    });
  });

  it('I6: a running job has startedAt, and no job ends before it started', () => {
    everyStep((_, after) => {
      if (after.status === 'running') expect(after.startedAt).not.toBeNull();
      if (after.startedAt && after.completedAt) expect(after.startedAt <= after.completedAt).toBe(true);
    });
  });

  it('I7: a lost attempt or lease does not change the status of a job without a cancel request', () => {
    const released = ['attempt_lost', 'lease_lost', 'lease_returned'];
    everyStep((before, after, { type }) => {
      if (released.includes(type) && before.cancelRequestedAt === null)
        expect(after.status).toBe(before.status);
    });
  });

  it('I8: a job with a cancel request ends as completed, or as failed with the error cancelled', () => {
    everyStep((before, after) => {
      if (before.cancelRequestedAt !== null) expect(after.cancelRequestedAt).toBe(before.cancelRequestedAt);
      if (after.cancelRequestedAt !== null && after.status === 'failed')
        expect(after.error?.code).toBe('cancelled');
    });
  });

  it('I9: a job with a cancel request ends as soon as no agent holds its lease, and not before', () => {
    everyStep((before, after, { type }) => {
      if (after.cancelRequestedAt !== null && after.leaseExpiresAt === null)
        expect(isEnded(after.status)).toBe(true);
      if (type === 'cancel_requested' && before.leaseExpiresAt !== null)
        expect(after.status).toBe(before.status);
    });
  });

  it('I10: only a lost or returned lease takes its attempt back, once, and never below zero', () => {
    everyStep((before, after, { type }) => {
      const isHeld = before.leaseExpiresAt !== null;
      const isTakenBack = isHeld && (type === 'lease_lost' || type === 'lease_returned');
      expect(after.attempts < before.attempts).toBe(isTakenBack && before.attempts > 0);
      if (isTakenBack) expect(after.attempts).toBe(Math.max(0, before.attempts - 1));
      expect(after.lostLeases - before.lostLeases).toBe(isHeld && type === 'lease_lost' ? 1 : 0);
      expect(after.attempts).toBeGreaterThanOrEqual(0);
    });
  });

  it('gives each new lease its own grace period, and forgets what was reported about the last one', () => {
    everyStep((before, after, trigger) => {
      if (trigger.type !== 'lease_taken' || after.epoch === before.epoch) return;
      expect(after).toMatchObject({
        graceSeconds: trigger.graceSeconds,
        renewedAt: null,
        snapshotTakenAt: null,
      });
    });
  });
});

describe('work that loses its lease again and again', () => {
  const error = { code: 'lease_lost', message: 'lost' };
  const now = new Date(0);

  it('fails with the last of the leases that it may lose', () => {
    let state = ACCEPTED;
    const lost: string[] = [];
    while (!isEnded(state.status) && lost.length < 100) {
      state = advance(state, { type: 'lease_taken', agentId: 'agt_a', leaseMs: 1, graceSeconds: 0 }, { now });
      const trigger = contactLost(state, { maxLostLeases: 3, error });
      lost.push(trigger.type);
      state = advance(state, trigger, { now });
    }
    expect(lost).toEqual(['lease_lost', 'lease_lost', 'attempts_exhausted']);
    expect(state).toMatchObject({ status: 'failed', error, epoch: 3 });
  });

  it('does not fail because the agent reports a loss that is already counted', () => {
    const state = { ...ACCEPTED, lostLeases: 2 };
    expect(contactLost(state, { maxLostLeases: 3, error })).toEqual({ type: 'lease_lost' });
    expect(advance(state, { type: 'lease_lost' }, { now })).toEqual(state);
  });
});
