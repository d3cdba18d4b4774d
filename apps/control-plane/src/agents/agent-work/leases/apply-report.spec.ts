import { clampAgentTime } from './apply-report.js';

it('clamps the time of an agent to the possible range', () => {
  const range = { earliest: new Date('2026-01-01'), latest: new Date('2026-01-02') };
  const within = new Date('2026-01-01T12:00:00Z');
  expect(clampAgentTime(within, range)).toBe(within);
  expect(clampAgentTime(new Date('2030-01-01'), range)).toBe(range.latest);
  expect(clampAgentTime(new Date('1999-01-01'), range)).toBe(range.earliest);
  expect(clampAgentTime(new Date(Number.NaN), range)).toBe(range.latest);
});
