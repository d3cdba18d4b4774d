import { emailKey, emailKeys, isSameMailbox } from './email-address.js';

it.each([
  ['Ann@X.io', 'ann@x.io', true],
  ['a@ä.de', 'A@xn--4ca.de', true],
  ['\u212aim@x.io', 'kim@x.io', false],
  ['a\u200b@x.io', 'a@x.io', false],
  ['ａ@x.io', 'a@x.io', false],
  ['"kim"@x.io', 'Kim@x.io', true],
  ['"k\\im.o"@x.io', 'kim.o@x.io', true],
  ['"a\\ b"@x.io', '"A b"@x.io', true],
])('%j and %j have the same key, and are the same mailbox: %p', (one, other, isSame) => {
  expect(emailKey(one)).toBe(emailKey(other));
  expect(isSameMailbox(one, other)).toBe(isSame);
});

it('keeps different addresses apart', () => {
  for (const [one, other] of [
    ['a@x.io', 'a@y.io'],
    ['É@x.io', 'é@x.io'],
    ['"a b"@x.io', 'ab@x.io'],
    ['"a..b"@x.io', 'a..b@x.io'],
    ['"a\\"@x.io', 'a@x.io'],
    ['"a', 'a'],
  ] as const) {
    expect(emailKey(one)).not.toBe(emailKey(other));
    expect(isSameMailbox(one, other)).toBe(false);
  }
});

it('finds members whose key an earlier version stored', () => {
  expect(emailKeys('A@xn--4ca.de')).toContain('a@xn--4ca.de');
  expect(emailKeys('"kim"@x.io')).toContain('"kim"@x.io');
  expect(emailKeys('A@\u00e4.de')).toContain('a@xn--4ca.de');
  expect(emailKeys('a\u200b@x.io')).toContain('a\u200b@x.io');
});
