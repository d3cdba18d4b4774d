import { instantsOf, readAuditFilters } from './audit-filters.js';

describe('readAuditFilters', () => {
  it('reads each filter from the address', () => {
    const filters = {
      action: 'token.created',
      actor: 'mem_1',
      target: 'tok_1',
      request: 'req_1',
      from: '2026-11-01',
      to: '2026-11-30',
    };
    expect(readAuditFilters(filters)).toEqual(filters);
  });

  it.each([
    ['an empty id', { actor: '  ' }],
    ['an id that is too long', { target: 'x'.repeat(301) }],
    ['a value that is not a text', { action: 7, actor: ['a'], from: 20261101 }],
    ['a day that does not exist', { from: '2026-02-30' }],
    ['a time instead of a day', { to: '2026-11-01T00:00:00Z' }],
    ['a year before 1000', { to: '0026-11-01' }],
  ])('leaves out %s', (_, search) => {
    expect(readAuditFilters(search)).toEqual({});
  });
});

describe('instantsOf', () => {
  it('includes the last day', () => {
    const { occurred_after: after, occurred_before: before } = instantsOf({
      from: '2026-11-30',
      to: '2026-11-30',
    });
    expect(after).toBe(new Date(2026, 10, 30).toISOString());
    expect(before).toBe(new Date(2026, 11, 1).toISOString());
  });

  it('leaves out a bound that is not set', () => {
    expect(instantsOf({})).toEqual({});
  });
});
