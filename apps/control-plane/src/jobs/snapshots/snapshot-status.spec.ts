import fc from 'fast-check';

import { WORK_STATUSES } from '../../agents/agent-work/leases/work-state.js';
import { isCounted, isUnwanted, snapshotStatus } from './snapshot-status.js';

const instant = fc.option(fc.date({ noInvalidDate: true }), { nil: null });
const life = fc.record({
  status: fc.constantFrom(...WORK_STATUSES),
  expiredAt: instant,
  deleteRequestedAt: instant,
});

describe('snapshotStatus', () => {
  it.each([
    ['pending', 'creating'],
    ['running', 'creating'],
    ['completed', 'ready'],
    ['failed', 'failed'],
  ] as const)('maps the work status %s of a wanted snapshot to %s', (status, expected) => {
    expect(snapshotStatus({ status, expiredAt: null, deleteRequestedAt: null })).toBe(expected);
  });

  it('is expired or deleting after expiry or a deletion request, with any work status (S3)', () => {
    fc.assert(
      fc.property(life, (some) => {
        const now = new Date();
        expect(snapshotStatus({ ...some, deleteRequestedAt: now })).toBe('deleting');
        expect(snapshotStatus({ ...some, expiredAt: now, deleteRequestedAt: null })).toBe('expired');
      }),
    );
  });

  it('counts a snapshot exactly while it is wanted and has not failed (S1)', () => {
    fc.assert(
      fc.property(life, (some) => {
        expect(isCounted(some)).toBe(!isUnwanted(some) && some.status !== 'failed');
      }),
    );
  });
});
