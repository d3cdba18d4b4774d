import { LoginAttempts } from './login-attempts.js';

describe('LoginAttempts', () => {
  it('refuses an address after the allowed number of failures in a minute, and no other address', () => {
    const attempts = new LoginAttempts(3, () => 0);
    for (let i = 0; i < 3; i++) {
      expect(attempts.waitSeconds('192.0.2.1')).toBe(0);
      attempts.recordFailure('192.0.2.1');
    }
    expect([attempts.waitSeconds('192.0.2.1'), attempts.waitSeconds('192.0.2.2')]).toEqual([60, 0]);
  });

  it('accepts the address again one minute after its first failure', () => {
    let now = 0;
    const attempts = new LoginAttempts(1, () => now);
    attempts.recordFailure('192.0.2.1');
    now = 59_999;
    expect(attempts.waitSeconds('192.0.2.1')).toBe(1);
    now = 60_000;
    expect(attempts.waitSeconds('192.0.2.1')).toBe(0);
  });
});
