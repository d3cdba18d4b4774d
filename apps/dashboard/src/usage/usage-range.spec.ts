import { firstDayOf, readUsageRange } from './usage-range.js';

describe('readUsageRange', () => {
  it('reads a range that the page offers, as a number or as a text', () => {
    expect(readUsageRange({ days: 7 })).toEqual({ days: '7' });
    expect(readUsageRange({ days: '90' })).toEqual({ days: '90' });
  });

  it('leaves out the default and everything else', () => {
    expect(readUsageRange({ days: 30 })).toEqual({});
    expect(readUsageRange({ days: 31 })).toEqual({});
    expect(readUsageRange({})).toEqual({});
  });
});

describe('firstDayOf', () => {
  it('includes the present day in UTC', () => {
    expect(firstDayOf('7', new Date('2026-03-03T00:30:00Z'))).toBe('2026-02-25');
  });
});
