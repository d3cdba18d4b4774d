import { inOurTime } from './take-report.js';

it("keeps an agent's clock within what is possible", () => {
  const range = { earliest: new Date('2026-01-01'), latest: new Date('2026-01-02') };
  const within = new Date('2026-01-01T12:00:00Z');
  expect(inOurTime(within, range)).toBe(within);
  expect(inOurTime(new Date('2030-01-01'), range)).toBe(range.latest);
  expect(inOurTime(new Date('1999-01-01'), range)).toBe(range.earliest);
  expect(inOurTime(new Date(Number.NaN), range)).toBe(range.latest);
});
