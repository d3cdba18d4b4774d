import { createHash } from 'node:crypto';
import { ATTEMPT_BYTES, keyId, KEY_ID_BYTES, manifestKey, type StoreKeys } from '../sealing/archive-keys.js';
import { BlockOpener } from '../sealing/block-opener.js';
import { BlockSealer } from '../sealing/block-sealer.js';
import type { ArchiveAttempt } from '../storage/archive-attempt.js';
import { SnapshotStoreError } from '../store-error.js';
import type { ArchiveManifest } from './archive-manifest.js';
import { manifestText, ManifestTextError, parseManifest } from './manifest-text.js';

/** Enough for about 100,000 files. A manifest is read into memory as a whole. */
export const MAX_MANIFEST_BYTES = 32 * 2 ** 20;

const MAGIC = Buffer.from('USTSNAP\x01', 'latin1');
const SHA256_BYTES = 32;
const HEADER_BYTES = MAGIC.length + KEY_ID_BYTES + ATTEMPT_BYTES;

export interface OpenedManifest {
  readonly manifest: ArchiveManifest;
  readonly attemptId: string;
  /** The store key that sealed the archive. */
  readonly key: Uint8Array;
}

/**
 * Encodes a manifest: magic, key id, attempt id, sealed stream of the manifest's text, and the SHA-256 of all
 * these.
 * @throws RangeError if the result is too large
 */
export function sealManifest(manifest: ArchiveManifest, attemptId: string, key: Uint8Array): Buffer {
  const sealer = new BlockSealer(manifestKey(key, { archiveId: manifest.id, attemptId }));
  const sealed = Buffer.concat([
    ...[MAGIC, keyId(key), Buffer.from(attemptId, 'hex')],
    ...[sealer.update(Buffer.from(manifestText(manifest))), sealer.final()],
  ]);
  if (sealed.length + SHA256_BYTES > MAX_MANIFEST_BYTES)
    throw new RangeError('the manifest of the archive is too large');
  return Buffer.concat([sealed, sha256(sealed)]);
}

/**
 * Authenticates and parses a manifest.
 * @throws SnapshotStoreError `archive_damaged` if the checksum is wrong or the manifest cannot be opened;
 * `archive_key_mismatch` if it is intact but none of the keys sealed it
 */
export function openManifest(bytes: Uint8Array, archiveId: string, keys: StoreKeys): OpenedManifest {
  const attemptId = attemptIdOf(bytes);
  const end = bytes.length - SHA256_BYTES;
  if (
    attemptId === undefined ||
    end < HEADER_BYTES ||
    !sha256(bytes.subarray(0, end)).equals(bytes.subarray(end))
  )
    throw new SnapshotStoreError('archive_damaged', { archiveId, damage: 'manifest' });
  const key = keys.find(bytes.subarray(MAGIC.length, MAGIC.length + KEY_ID_BYTES));
  if (key === undefined) throw new SnapshotStoreError('archive_key_mismatch', { archiveId });
  try {
    const text = unseal(bytes.subarray(HEADER_BYTES, end), key, { archiveId, attemptId });
    return { manifest: parseManifest(text, archiveId), attemptId, key };
  } catch (error) {
    const damage = error instanceof ManifestTextError ? error.damage : 'manifest';
    throw new SnapshotStoreError('archive_damaged', { archiveId, damage });
  }
}

/**
 * Reads the attempt's id without a key, because a sweep has none.
 * @returns undefined if the bytes are not a manifest
 */
export function attemptIdOf(bytes: Uint8Array): string | undefined {
  if (bytes.length < HEADER_BYTES || !MAGIC.equals(bytes.subarray(0, MAGIC.length))) return undefined;
  return Buffer.from(bytes.subarray(HEADER_BYTES - ATTEMPT_BYTES, HEADER_BYTES)).toString('hex');
}

function unseal(sealed: Uint8Array, key: Uint8Array, attempt: ArchiveAttempt): string {
  const opener = new BlockOpener(manifestKey(key, attempt));
  return Buffer.concat([opener.update(sealed), opener.final()]).toString('utf8');
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
