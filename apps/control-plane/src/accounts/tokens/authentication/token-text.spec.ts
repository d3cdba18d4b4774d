import fc from 'fast-check';

import { generateSecret, formatToken, hintOf, isWellFormedToken } from './token-text.js';

const secrets = fc.stringMatching(/^[0-9A-Za-z]{30}$/);

describe('token text', () => {
  it('accepts every token that it formats', () => {
    fc.assert(
      fc.property(secrets, (secret) => {
        expect(formatToken(secret)).toMatch(/^us_live_[0-9A-Za-z]{36}$/);
        expect(isWellFormedToken(formatToken(secret))).toBe(true);
      }),
    );
  });

  it('refuses a token with any one character changed', () => {
    fc.assert(
      fc.property(secrets, fc.nat(43), fc.stringMatching(/^[0-9A-Za-z]$/), (secret, at, other) => {
        const token = formatToken(secret);
        fc.pre(token[at] !== other);
        expect(isWellFormedToken(token.slice(0, at) + other + token.slice(at + 1))).toBe(false);
      }),
    );
  });

  it.each(['', 'us_live_', 'Bearer x', 'us_live_' + 'ä'.repeat(36), 'us_test_' + '0'.repeat(36)])(
    'refuses the malformed token %p',
    (text) => {
      expect(isWellFormedToken(text)).toBe(false);
    },
  );

  it('skips random bytes that would favour the first characters of the alphabet', () => {
    const bytes = [255, 248, ...Array.from({ length: 30 }, (_, i) => i)];
    expect(generateSecret(() => bytes.shift() ?? 0)).toBe('0123456789ABCDEFGHIJKLMNOPQRST');
  });

  it('shows at most four characters of the secret', () => {
    expect(hintOf(formatToken('abcdefghijklmnopqrstuvwxyz0123'))).toBe('us_live_abcd…');
  });
});
