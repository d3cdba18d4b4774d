import { createHash, createHmac } from 'node:crypto';
import sodium from 'sodium-native';
import { archiveOf, bytesOf, KEY, storeOf } from '../laws/archives.js';
import { folderUnderTest } from '../laws/folder-under-test.js';

/**
 * A second reader that follows only docs/reference/snapshot-archive-format.md. It implements HKDF (RFC 5869)
 * itself and uses libsodium.
 */
describe('an archive', () => {
  it('matches its specification', async () => {
    const under = await folderUnderTest();
    const files = { 'toc.dat': bytesOf(300), '1.dat.gz': bytesOf(131_072), empty: bytesOf(0) };
    const written = await archiveOf(storeOf(under), 'snap_1-2', files);

    const manifest = await under.get('manifests/snap_1-2');
    expect(manifest.subarray(0, 8)).toEqual(Buffer.from('USTSNAP\x01', 'latin1'));
    expect(manifest.subarray(8, 16)).toEqual(derived('', ['key id']).subarray(0, 8));
    expect(manifest.subarray(-32)).toEqual(createHash('sha256').update(manifest.subarray(0, -32)).digest());
    const attempt = manifest.subarray(16, 32).toString('hex');
    const text = unsealed(manifest.subarray(32, -32), derived(attempt, ['manifest', 'snap_1-2']));
    const json = JSON.parse(text.toString('utf8')) as {
      format: number;
      id: string;
      expires_at: string;
      files: { name: string; number: number; bytes: number; stored_bytes: number; sha256: string }[];
    };
    expect(json).toMatchObject({ format: 1, id: 'snap_1-2', expires_at: written.expiresAt.toISOString() });
    expect(json.files.map(({ name }) => name).sort()).toEqual(Object.keys(files).sort());
    for (const file of json.files) {
      const stored = await under.get(`files/snap_1-2.${attempt}/${file.number}`);
      expect(stored).toHaveLength(file.stored_bytes);
      expect(file.stored_bytes).toBe(24 + file.bytes + 17 * Math.max(1, Math.ceil(file.bytes / 65_536)));
      expect(createHash('sha256').update(stored).digest('hex')).toBe(file.sha256);
      const plain = unsealed(stored, derived(attempt, ['file', 'snap_1-2', file.name]));
      expect(plain.equals(files[file.name as keyof typeof files])).toBe(true);
    }
    expect(await under.keys()).toHaveLength(4);
    await under.remove();
  });
});

/** Derives a key. One block of HKDF is enough for 32 bytes. */
function derived(salt: string, parts: readonly string[]): Buffer {
  const extracted = createHmac('sha256', salt === '' ? Buffer.alloc(32) : Buffer.from(salt, 'hex'))
    .update(KEY)
    .digest();
  const info = Buffer.from(['understudy snapshot archive v1', ...parts].join('\n'));
  return createHmac('sha256', extracted)
    .update(Buffer.concat([info, Buffer.from([1])]))
    .digest();
}

function unsealed(sealed: Buffer, key: Buffer): Buffer {
  const state = Buffer.alloc(sodium.crypto_secretstream_xchacha20poly1305_STATEBYTES);
  sodium.crypto_secretstream_xchacha20poly1305_init_pull(state, sealed.subarray(0, 24), key);
  const plain: Buffer[] = [];
  const tag = Buffer.alloc(1);
  for (let at = 24; at < sealed.length; at += 65_553) {
    const block = sealed.subarray(at, at + 65_553);
    const message = Buffer.alloc(block.length - 17);
    sodium.crypto_secretstream_xchacha20poly1305_pull(state, message, tag, block, null);
    expect(tag[0]).toBe(at + 65_553 < sealed.length ? 0 : 3);
    plain.push(message);
  }
  return Buffer.concat(plain);
}
