import fc from 'fast-check';

import { SecretBox, SecretUnreadableError } from './secret-box.js';

const box = new SecretBox('a key of at least thirty-two characters');

describe('SecretBox', () => {
  it('opens the secrets that it sealed, and never seals a secret twice to the same bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (secret, context) => {
        const [one, other] = [box.seal(secret, context), box.seal(secret, context)];
        expect([box.open(one, context), box.open(other, context)]).toEqual([secret, secret]);
        expect(one.equals(other)).toBe(false);
      }),
    );
  });

  it('refuses to open after any change, for another context, or with another key', () => {
    const sealed = box.seal('whsec_canary', 'wh_1');
    expect(sealed.includes('canary')).toBe(false);
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => box.open(changed, 'wh_1')).toThrow(SecretUnreadableError);
    }
    for (let length = 0; length < sealed.length; length++)
      expect(() => box.open(sealed.subarray(0, length), 'wh_1')).toThrow(SecretUnreadableError);
    expect(() => box.open(sealed, 'wh_2')).toThrow(SecretUnreadableError);
    expect(() => new SecretBox('another key of thirty-two characters').open(sealed, 'wh_1')).toThrow(
      SecretUnreadableError,
    );
  });
});
