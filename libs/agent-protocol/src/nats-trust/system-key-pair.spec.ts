import { decode, encodeAccount } from '@nats-io/jwt';
import { createAccount, createOperator, createUser, fromPublic, fromSeed } from '@nats-io/nkeys';
import fc from 'fast-check';

import { isSignedBy, systemKeyPair } from './system-key-pair.js';

const pairs = fc.constantFrom(createOperator, createAccount, createUser).map((create) => create().getSeed());
const messages = fc.uint8Array({ maxLength: 300 });

// The library takes tens of milliseconds per signature, so the tests use few runs.
describe('the key pair of a seed', () => {
  it('has the same texts and the same signatures as the key pair of the library', () => {
    fc.assert(
      fc.property(pairs, messages, (seed, message) => {
        const ours = systemKeyPair(seed);
        const theirs = fromSeed(seed);
        expect(ours.getPublicKey()).toBe(theirs.getPublicKey());
        expect(ours.getPrivateKey()).toEqual(theirs.getPrivateKey());
        expect(ours.getSeed()).toEqual(theirs.getSeed());
        const signature = ours.sign(message);
        expect(signature).toEqual(theirs.sign(message));
        expect(ours.verify(message, signature)).toBe(true);
        expect(isSignedBy(ours.getPublicKey(), message, signature)).toBe(true);
      }),
      { numRuns: 10 },
    );
  });

  it("signs claims that the library can read, with the same bytes as the library's key pair", async () => {
    const operator = createOperator();
    const account = createAccount();
    const encode = (signer: ReturnType<typeof createOperator>) =>
      encodeAccount('A', systemKeyPair(account.getSeed()), { limits: { conn: -1 } }, { signer });
    const ours = await encode(systemKeyPair(operator.getSeed()));
    const [header, claims, signature] = ours.split('.');
    expect(Buffer.from(signature ?? '', 'base64url')).toEqual(
      Buffer.from(operator.sign(new TextEncoder().encode(`${header}.${claims}`))),
    );
    expect(decode(ours)).toMatchObject({ iss: operator.getPublicKey(), sub: account.getPublicKey() });
  });
});

describe('a signature', () => {
  it('is rejected if it was changed, truncated or made by another key, as in the library', () => {
    const seed = createUser().getSeed();
    const [pair, other] = [systemKeyPair(seed), createUser()];
    const message = new TextEncoder().encode('message');
    const good = pair.sign(message);
    fc.assert(
      fc.property(fc.nat(63), fc.nat(7), (at, bit) => {
        const bad = good.map((byte, i) => (i === at ? byte ^ (1 << bit) : byte));
        expect(isSignedBy(pair.getPublicKey(), message, bad)).toBe(false);
      }),
      { numRuns: 50 },
    );
    expect(fromPublic(pair.getPublicKey()).verify(message, good)).toBe(true);
    for (const length of [0, 32, 63]) {
      expect(isSignedBy(pair.getPublicKey(), message, good.slice(0, length))).toBe(false);
    }
    expect(isSignedBy(other.getPublicKey(), message, good)).toBe(false);
  });

  it('is checked against public keys only', () => {
    expect(() => isSignedBy('Unonsense', new Uint8Array(), new Uint8Array(64))).toThrow();
  });
});
