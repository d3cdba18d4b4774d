import { readAddressSecret } from './address-secret.js';

describe('readAddressSecret', () => {
  it.each([
    ['/dashboard/sign-in', '#link=abc_-9', { kind: 'link', secret: 'abc_-9' }],
    ['/a/b/dashboard/sign-in', '#link=abc', { kind: 'link', secret: 'abc' }],
    ['/dashboard/accept-invitation', '#us_invite_abc', { kind: 'invitation', secret: 'us_invite_abc' }],
  ])('finds the secret of %s%s', (path, hash, secret) => {
    expect(readAddressSecret(path, hash)).toEqual(secret);
  });

  it.each([
    ['/dashboard/sign-in', ''],
    ['/dashboard/sign-in', '#link='],
    ['/dashboard/sign-in', '#abc'],
    ['/dashboard/sign-in', '#link=a b'],
    ['/dashboard/sign-in', `#link=${'x'.repeat(513)}`],
    ['/dashboard/accept-invitation', '#'],
    ['/dashboard/agents', '#link=abc'],
  ])('finds nothing in %s%s', (path, hash) => {
    expect(readAddressSecret(path, hash)).toBeUndefined();
  });

  it('accepts a secret of 512 characters', () => {
    expect(readAddressSecret('/dashboard/sign-in', `#link=${'x'.repeat(512)}`)?.secret).toHaveLength(512);
  });
});
