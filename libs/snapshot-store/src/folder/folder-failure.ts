import { SnapshotStoreError, type SnapshotStoreCode } from '../store-error.js';

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
 * Runs what touches the folder; what the system refuses becomes an error of the store.
 * @throws SnapshotStoreError with the system's name for it; anything that is not the system's as it is
 */
export async function inFolder<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw folderFailure(error);
  }
}

export function folderFailure(error: unknown): unknown {
  const reason = isSystemError(error) ? error.code : undefined;
  return reason === undefined
    ? error
    : new SnapshotStoreError(CODES[reason] ?? 'store_unreachable', { reason });
}

/** @returns whether the system said there is nothing of that name */
export function isAbsent(error: unknown): boolean {
  return isSystemError(error) && error.code === 'ENOENT';
}

/** Only what a system call failed with: other errors with a code, of streams and aborts among them, have no number. */
export function isSystemError(error: unknown): error is { readonly code: string } {
  if (typeof error !== 'object' || error === null) return false;
  const { code, errno } = error as NodeJS.ErrnoException;
  return typeof errno === 'number' && typeof code === 'string' && /^E[A-Z0-9]+$/.test(code);
}
