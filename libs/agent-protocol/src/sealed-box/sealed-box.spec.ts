import { createDecipheriv, createHmac, createPrivateKey, createPublicKey, diffieHellman } from 'node:crypto';
import { generateKeyPair, open, seal, SealedBoxError, sealingPurpose } from './sealed-box.js';

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');
const bytes = (value: string) => new TextEncoder().encode(value);
const info = sealingPurpose({ organizationId: 'org_1', jobId: 'job_1', field: 'source' });

describe('a sealed box', () => {
  it('opens with the private key and the same purpose', async () => {
    const keys = await generateKeyPair();
    const box = await seal(keys.publicKey, bytes('postgresql://u:p@h/d'), info);
    expect(text(await open(keys.privateKey, box, info))).toBe('postgresql://u:p@h/d');
    expect(keys.publicKey).toHaveLength(32);
    expect(keys.privateKey).toHaveLength(32);
    expect(box.encapsulatedKey).toHaveLength(32);
  });

  it('does not open with another key', async () => {
    const box = await seal((await generateKeyPair()).publicKey, bytes('secret'), info);
    await expect(open((await generateKeyPair()).privateKey, box, info)).rejects.toThrow(SealedBoxError);
  });

  it.each([
    ['organisation', { organizationId: 'org_2', jobId: 'job_1', field: 'source' } as const],
    ['job', { organizationId: 'org_1', jobId: 'job_2', field: 'source' } as const],
    ['field', { organizationId: 'org_1', jobId: 'job_1', field: 'target' } as const],
  ])('does not open for another %s', async (_, purpose) => {
    const keys = await generateKeyPair();
    const box = await seal(keys.publicKey, bytes('secret'), info);
    await expect(open(keys.privateKey, box, sealingPurpose(purpose))).rejects.toThrow(SealedBoxError);
  });

  it('does not open after one of its bits has changed', async () => {
    const keys = await generateKeyPair();
    const box = await seal(keys.publicKey, bytes('secret'), info);
    const changed = box.ciphertext.map((byte, index) => (index === 0 ? byte ^ 1 : byte));
    await expect(open(keys.privateKey, { ...box, ciphertext: changed }, info)).rejects.toThrow(
      SealedBoxError,
    );
    await expect(open(keys.privateKey, { ...box, ciphertext: new Uint8Array(3) }, info)).rejects.toThrow(
      SealedBoxError,
    );
  });

  it('is different each time that the same text is sealed', async () => {
    const { publicKey } = await generateKeyPair();
    const [first, second] = [
      await seal(publicKey, bytes('x'), info),
      await seal(publicKey, bytes('x'), info),
    ];
    expect(text(first.ciphertext)).not.toBe(text(second.ciphertext));
  });

  it('refuses a purpose with a line feed, because it could imitate another purpose', () => {
    expect(() => sealingPurpose({ organizationId: 'a\nb', jobId: 'c', field: 'source' })).toThrow(RangeError);
  });
});

describe('against an independent implementation of RFC 9180', () => {
  it('confirms that the independent implementation reproduces the vector of appendix A.1.1', () => {
    const opened = openByTheBook({
      aead: 1,
      privateKey: hex('4612c550263fc8ad58375df3f557aac531d26850903e55a9f23f21d8534e8ac8'),
      enc: hex('37fda3567bdbd628e88668c3c8d7e97d1d1253b6d4ea6d44c150f741f1bf4431'),
      info: hex('4f6465206f6e2061204772656369616e2055726e'),
      aad: hex('436f756e742d30'),
      ciphertext: hex(
        'f938558b5d72f1a23810b4be2ab4f84331acc02fc97babc53a52ae8218a355a96d8770ac83d07bea87e13c512a',
      ),
    });
    expect(text(opened)).toBe('Beauty is truth, truth beauty');
  });

  it('seals boxes that the independent implementation opens with AES-256-GCM', async () => {
    const keys = await generateKeyPair();
    const box = await seal(keys.publicKey, bytes('between two implementations'), info);
    const opened = openByTheBook({
      aead: 2,
      privateKey: Buffer.from(keys.privateKey),
      enc: Buffer.from(box.encapsulatedKey),
      info: Buffer.from(info),
      aad: Buffer.alloc(0),
      ciphertext: Buffer.from(box.ciphertext),
    });
    expect(text(opened)).toBe('between two implementations');
  });
});

function openByTheBook(box: {
  aead: 1 | 2;
  privateKey: Buffer;
  enc: Buffer;
  info: Buffer;
  aad: Buffer;
  ciphertext: Buffer;
}): Buffer {
  const key = createPrivateKey({
    key: Buffer.concat([hex('302e020100300506032b656e04220420'), box.privateKey]),
    format: 'der',
    type: 'pkcs8',
  });
  const sender = createPublicKey({
    key: Buffer.concat([hex('302a300506032b656e032100'), box.enc]),
    format: 'der',
    type: 'spki',
  });
  const own = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);

  const kemSuite = Buffer.concat([Buffer.from('KEM'), i2osp(0x20)]);
  const prk = extract(
    kemSuite,
    Buffer.alloc(0),
    'eae_prk',
    diffieHellman({ privateKey: key, publicKey: sender }),
  );
  const shared = expand(kemSuite, prk, 'shared_secret', Buffer.concat([box.enc, own]), 32);

  const suite = Buffer.concat([Buffer.from('HPKE'), i2osp(0x20), i2osp(1), i2osp(box.aead)]);
  const context = Buffer.concat([
    Buffer.from([0]),
    extract(suite, Buffer.alloc(0), 'psk_id_hash', Buffer.alloc(0)),
    extract(suite, Buffer.alloc(0), 'info_hash', box.info),
  ]);
  const secret = extract(suite, shared, 'secret', Buffer.alloc(0));
  const keyLength = box.aead === 1 ? 16 : 32;
  const decipher = createDecipheriv(
    box.aead === 1 ? 'aes-128-gcm' : 'aes-256-gcm',
    expand(suite, secret, 'key', context, keyLength),
    expand(suite, secret, 'base_nonce', context, 12),
  );
  decipher.setAAD(box.aad);
  decipher.setAuthTag(box.ciphertext.subarray(-16));
  return Buffer.concat([decipher.update(box.ciphertext.subarray(0, -16)), decipher.final()]);
}

function extract(suite: Buffer, salt: Buffer, label: string, ikm: Buffer): Buffer {
  return hmac(salt, Buffer.concat([Buffer.from('HPKE-v1'), suite, Buffer.from(label), ikm]));
}

/** Implements LabeledExpand of HPKE for a length of at most 32 bytes, which needs only one block of HKDF. */
function expand(suite: Buffer, prk: Buffer, label: string, info: Buffer, length: number): Buffer {
  const labelled = Buffer.concat([i2osp(length), Buffer.from('HPKE-v1'), suite, Buffer.from(label), info]);
  return hmac(prk, Buffer.concat([labelled, Buffer.from([1])])).subarray(0, length);
}

function hmac(key: Buffer, data: Buffer): Buffer {
  return createHmac('sha256', key).update(data).digest();
}

function i2osp(value: number): Buffer {
  return Buffer.from([value >> 8, value & 255]);
}

function hex(value: string): Buffer {
  return Buffer.from(value, 'hex');
}
