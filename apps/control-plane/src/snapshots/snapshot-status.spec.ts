import fc from 'fast-check';

import { WORK_STATUSES } from '../agent-work/leases/work-state.js';
import { isCounted, isUnwanted, snapshotStatus } from './snapshot-status.js';

const instant = fc.option(fc.date({ noInvalidDate: true }), { nil: null });
const life = fc.record({
  status: fc.constantFrom(...WORK_STATUSES),
  expiredAt: instant,
  deleteRequestedAt: instant,
});

describe('the status of a snapshot', () => {
  it.each([
    ['pending', 'creating'],
    ['running', 'creating'],
    ['completed', 'ready'],
    ['failed', 'failed'],
  ] as const)('whose making is %s is %s while it is wanted', (status, expected) => {
    expect(snapshotStatus({ status, expiredAt: null, deleteRequestedAt: null })).toBe(expected);
  });

  it('is what this side wishes, whatever came of the making (S3)', () => {
    fc.assert(
      fc.property(life, (some) => {
        const now = new Date();
        expect(snapshotStatus({ ...some, deleteRequestedAt: now })).toBe('deleting');
        expect(snapshotStatus({ ...some, expiredAt: now, deleteRequestedAt: null })).toBe('expired');
      }),
    );
  });

  it('counts exactly while it is wanted and has not failed (S1)', () => {
    fc.assert(
      fc.property(life, (some) => {
        expect(isCounted(some)).toBe(!isUnwanted(some) && some.status !== 'failed');
      }),
    );
  });
});
