import { isArchiveId } from '../storage/archive-attempt.js';
import { SnapshotStoreError } from '../store-error.js';

const MAX_FILE_NAME_BYTES = 255;
// oxlint-disable-next-line no-control-regex -- the pattern must match control characters
const FORBIDDEN_IN_FILE_NAMES = /[\u0000-\u001f\u007f/\\]/;

/** @throws SnapshotStoreError `name_invalid` */
export function checkArchiveId(id: string): void {
  if (typeof id !== 'string' || !isArchiveId(id)) throw new SnapshotStoreError('name_invalid');
}

/**
 * Checks that a name is a single component of a path, and not `.` or `..`. The store itself never uses file
 * names in paths, but a restore may.
 * @throws SnapshotStoreError `name_invalid`
 */
export function checkFileName(name: string): void {
  const fits =
    typeof name === 'string' &&
    name.length > 0 &&
    Buffer.byteLength(name) <= MAX_FILE_NAME_BYTES &&
    name !== '.' &&
    name !== '..' &&
    Buffer.from(name).toString() === name && // rejects a lone surrogate
    !FORBIDDEN_IN_FILE_NAMES.test(name);
  if (!fits) throw new SnapshotStoreError('name_invalid');
}
