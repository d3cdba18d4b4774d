import { isOlderAttempt } from './older-attempts.js';

describe('isOlderAttempt', () => {
  it.each([
    ['understudy rst_1 1', 'understudy rst_1 2', true],
    ['understudy rst_1 9', 'understudy rst_1 10', true],
    ['understudy rst_1 2', 'understudy rst_1 2', false],
    ['understudy rst_1 3', 'understudy rst_1 2', false],
    ['understudy rst_2 1', 'understudy rst_1 2', false],
    ['understudy rst_1', 'understudy rst_1 2', false],
    ['', '', false],
    ['psql', 'psql', false],
  ])('compares %j with %j', (name, than, expected) => {
    expect(isOlderAttempt(name, than)).toBe(expected);
  });

  it('compares no number that is longer than an epoch', () => {
    expect(isOlderAttempt('understudy rst_1 1234567890', 'understudy rst_1 12345678901')).toBe(false);
  });
});
