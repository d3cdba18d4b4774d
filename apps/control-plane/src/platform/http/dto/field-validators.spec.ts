import { parseInstant, startOfUtcDay } from '@understudy/sync-job';

describe('IsInstant', () => {
  it.each([
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T12:30:00Z', '2026-01-31T12:30:00.000Z'],
    ['2026-01-31T12:30:00.25+02:00', '2026-01-31T10:30:00.250Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ])('reads the instant %s', (text, iso) => {
    expect(parseInstant(text)?.toISOString()).toBe(iso);
  });

  it.each([
    '',
    'now',
    '2026',
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '2026-01-31T12:30:00',
    '0000-01-01',
    5,
    null,
  ])('refuses the invalid instant %j', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  it('reads a date as the start of that day in UTC', () => {
    expect(startOfUtcDay(new Date('2026-05-05T23:59:59.999Z')).toISOString()).toBe(
      '2026-05-05T00:00:00.000Z',
    );
  });
});
