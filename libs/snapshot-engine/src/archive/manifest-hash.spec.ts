import type { ArchiveManifest } from '@understudy/snapshot-store';

import { hasManifestHash, manifestHash } from './manifest-hash.js';

const KEY = new Uint8Array(32).fill(1);
const EARLIER = new Uint8Array(32).fill(2);
const manifest: ArchiveManifest = {
  id: 'snp_1',
  createdAt: new Date(0),
  expiresAt: new Date(1),
  database: 'shop',
  serverVersion: '15.14',
  tables: [],
  attributes: {},
  files: [],
};
const hash = manifestHash(manifest, EARLIER);

describe('the hash of a manifest', () => {
  it('is that of the present key or of an earlier one', () => {
    expect(hasManifestHash(manifest, [KEY, EARLIER], hash)).toBe(true);
    expect(hasManifestHash(manifest, [KEY], hash)).toBe(false);
  });

  it.each(['', hash.slice(1), `${hash}0`, hash.toUpperCase(), `é${hash.slice(1)}`, '\ud800'.repeat(64)])(
    'is not equal to another text: %j',
    (other) => {
      expect(hasManifestHash(manifest, [KEY, EARLIER], other)).toBe(false);
    },
  );
});
