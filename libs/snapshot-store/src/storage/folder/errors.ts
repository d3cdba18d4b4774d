import { SnapshotStoreError, type SnapshotStoreCode } from '../../store-error.js';

const CODES: Readonly<Record<string, SnapshotStoreCode>> = {
  ENOSPC: 'store_full',
  EDQUOT: 'store_full',
  EFBIG: 'store_full',
  EMFILE: 'store_unreachable',
  EACCES: 'store_denied',
  EPERM: 'store_denied',
  EROFS: 'store_denied',
  ENOENT: 'store_missing',
  ENOTDIR: 'store_missing',
  ELOOP: 'store_missing',
};

/**
 * Runs file operations and converts system errors.
 * @throws SnapshotStoreError with the name of the system error; other errors unchanged
 */
export async function withFolderErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw folderError(error);
  }
}

export function folderError(error: unknown): unknown {
  const reason = isSystemError(error) ? error.code : undefined;
  return reason === undefined
    ? error
    : new SnapshotStoreError(CODES[reason] ?? 'store_unreachable', { reason });
}

/** @returns whether the system reported that the name does not exist */
export function isNotFound(error: unknown): boolean {
  return isSystemError(error) && error.code === 'ENOENT';
}

/**
 * @returns whether the error is that of a system call. Other errors with a code, such as those of streams and
 * aborts, have no `errno`
 */
export function isSystemError(error: unknown): error is { readonly code: string } {
  if (typeof error !== 'object' || error === null) return false;
  const { code, errno } = error as NodeJS.ErrnoException;
  return typeof errno === 'number' && typeof code === 'string' && /^E[A-Z0-9]+$/.test(code);
}
