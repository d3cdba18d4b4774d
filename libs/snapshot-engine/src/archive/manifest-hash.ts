import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { ArchiveManifest } from '@understudy/snapshot-store';

/**
 * Computes a keyed hash of a manifest, which includes the checksums of all files of the archive. Without the key, the
 * hash can neither be computed nor be checked.
 * @param key a key of the store
 * @returns 64 hex digits
 */
export function manifestHash(manifest: ArchiveManifest, key: Uint8Array): string {
  const own = Buffer.from(hkdfSync('sha256', key, '', 'understudy snapshot manifest hash v1', 32));
  return createHmac('sha256', own).update(canonical(manifest)).digest('hex');
}

/**
 * Checks whether a hash is that of the manifest under any of the keys.
 * @param keys the store's present key and the earlier ones, because the snapshot may be older than the
 * present key
 */
export function hasManifestHash(
  manifest: ArchiveManifest,
  keys: readonly Uint8Array[],
  hash: string,
): boolean {
  const expected = Buffer.from(hash);
  return keys.some((key) => {
    const own = Buffer.from(manifestHash(manifest, key));
    return own.length === expected.length && timingSafeEqual(own, expected);
  });
}

function canonical(manifest: ArchiveManifest): string {
  const { id, createdAt, database, serverVersion, tables, attributes, files } = manifest;
  return JSON.stringify([
    id,
    createdAt.toISOString(),
    database,
    serverVersion,
    tables.map(({ schema, name, bytes }) => [schema, name, bytes]),
    Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1)),
    files.map(({ name, number, bytes, storedBytes, sha256 }) => [name, number, bytes, storedBytes, sha256]),
  ]);
}
