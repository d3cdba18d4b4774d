export type SnapshotStoreCode =
  | 'store_denied'
  | 'store_missing'
  | 'store_unreachable'
  | 'store_full'
  | 'archive_damaged'
  | 'archive_not_found'
  | 'archive_key_mismatch'
  | 'archive_exists'
  | 'name_invalid';

/** Kind of damage to an archive's manifest or to one of its files. */
export type Damage = 'manifest' | 'newer_format' | 'file_missing' | 'file_length' | 'file_content';

export interface StoreErrorDetails {
  readonly archiveId?: string;
  /** Name of the file in the archive, never a path of the store. */
  readonly fileName?: string;
  readonly damage?: Damage;
  /**
   * Error code of the file system or the bucket, such as `ENOSPC` or `AccessDenied`. It contains only
   * letters, digits and `_`.
   */
  readonly reason?: string;
}

const MESSAGES: Record<SnapshotStoreCode, { message: string; hint: string }> = {
  store_denied: {
    message: 'the snapshot store denies access to the agent',
    hint: 'check the owner and mode of the folder, or the credentials and the policy of the bucket',
  },
  store_missing: {
    message: 'the snapshot store does not exist',
    hint: 'check that the folder exists and is mounted, or the name, region and endpoint of the bucket',
  },
  store_unreachable: {
    message: 'the snapshot store cannot be reached or does not respond',
    hint: 'check the network, the endpoint and the health of the disk; then try again',
  },
  store_full: {
    message: 'the snapshot store is full',
    hint: 'delete snapshots that are not needed, or enlarge the store',
  },
  archive_damaged: {
    message: 'the archive is damaged',
    hint: 'the archive cannot be restored: delete it and take another snapshot; if this happens again, check the storage',
  },
  archive_not_found: { message: 'the archive does not exist', hint: 'list the archives of this store' },
  archive_key_mismatch: {
    message: 'the archive was sealed with another key',
    hint: "give the agent the key that sealed the archive; list it among the older keys if the agent's own key is a newer one",
  },
  archive_exists: {
    message: 'an archive of this id already exists',
    hint: 'remove the archive first, or use another id',
  },
  name_invalid: {
    message: 'the name of an archive or file is invalid',
    hint: 'ids have 1 to 64 letters, digits, - and _; file names up to 255 bytes without / \\ and control characters',
  },
};

/** Thrown if an operation of a store fails. Contains no path, no address, no credentials and no content. */
export class SnapshotStoreError extends Error {
  /** Advice to the operator. */
  readonly hint: string;

  constructor(
    readonly code: SnapshotStoreCode,
    readonly details: StoreErrorDetails = {},
  ) {
    super(MESSAGES[code].message);
    this.name = 'SnapshotStoreError';
    this.hint = MESSAGES[code].hint;
  }
}

/** @returns a copy of a SnapshotStoreError with the archive and the file added; any other error unchanged */
export function withDetails(error: unknown, details: StoreErrorDetails): unknown {
  if (!(error instanceof SnapshotStoreError)) return error;
  return new SnapshotStoreError(error.code, { ...details, ...error.details });
}
