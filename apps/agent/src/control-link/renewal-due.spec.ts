import { isRenewalDue } from './renewal-due.js';

const lifetime = { issuedAt: new Date(0), expiresAt: new Date(900_000) };

it.each([
  [449_999, false],
  [450_000, true],
  [2_000_000, true],
])('at %i ms of 900,000 a renewal is due: %s', (now, due) => {
  expect(isRenewalDue(lifetime, { now: new Date(now) })).toBe(due);
});
