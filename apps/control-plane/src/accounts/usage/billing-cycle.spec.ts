import fc from 'fast-check';

import { billingCycleEnd, monthOf, periodOf } from './billing-cycle.js';

const instants = fc.date({ min: new Date('2000-01-01'), max: new Date('9998-12-31'), noInvalidDate: true });

describe('the billing cycle', () => {
  it('ends at the start of the next cycle, within 31 days', () => {
    fc.assert(
      fc.property(instants, (now) => {
        const end = billingCycleEnd(now);
        expect(end > now && end.getTime() - now.getTime() <= 31 * 86_400_000).toBe(true);
        expect(monthOf(new Date(end.getTime() - 1))).toBe(monthOf(now));
        expect(monthOf(end)).not.toBe(monthOf(now));
      }),
    );
  });

  it('ends in December at the start of the next year', () => {
    expect(billingCycleEnd(new Date('2026-12-31T23:59:59.999Z')).toISOString()).toBe(
      '2027-01-01T00:00:00.000Z',
    );
  });

  it('does not apply to quotas of existing resources, which have one period without end', () => {
    const now = new Date('2026-05-05');
    expect(
      ['sync_jobs', 'api_calls', 'endpoints', 'snapshots'].map((quota) => periodOf(quota as never, now)),
    ).toEqual(['2026-05', '2026-05', 'standing', 'standing']);
  });
});
