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

/** What is wrong with an archive: its manifest, or one of its files. */
export type Damage = 'manifest' | 'newer_format' | 'file_missing' | 'file_length' | 'file_content';

export interface StoreErrorDetails {
  readonly archiveId?: string;
  /** The name it was written under; of the archive, never a path. */
  readonly fileName?: string;
  readonly damage?: Damage;
  /** What the file system or the bucket called it: `ENOSPC`, `AccessDenied`. Letters, digits and `_` alone. */
  readonly reason?: string;
}

const MESSAGES: Record<SnapshotStoreCode, { message: string; hint: string }> = {
  store_denied: {
    message: 'the snapshot store refuses the agent',
    hint: 'check the owner and mode of the folder, or the credentials and the policy of the bucket',
  },
  store_missing: {
    message: 'the snapshot store is not there',
    hint: 'check that the folder exists and is mounted, or the name, region and endpoint of the bucket',
  },
  store_unreachable: {
    message: 'the snapshot store cannot be reached, or does not answer',
    hint: 'check the network, the endpoint and the health of the disk; then try again',
  },
  store_full: {
    message: 'the snapshot store is full',
    hint: 'delete snapshots that are not needed, or give the store more room',
  },
  archive_damaged: {
    message: 'the archive is damaged',
    hint: 'it cannot be restored: delete it and make another; if it happens again, check the storage',
  },
  archive_not_found: { message: 'there is no such archive', hint: 'list the archives of this store' },
  archive_key_mismatch: {
    message: 'the archive was sealed with another key',
    hint: "give the agent the key it was sealed with, among its older keys if it is no longer the agent's own",
  },
  archive_exists: { message: 'there is an archive of this id', hint: 'remove it first, or take another id' },
  name_invalid: {
    message: 'an archive or file cannot have this name',
    hint: 'ids have 1 to 64 letters, digits, - and _; file names up to 255 bytes without / \\ and control characters',
  },
};

/** A store, or an archive in it, cannot do what was asked. Holds no path, address, credential or byte of content. */
export class SnapshotStoreError extends Error {
  /** What to do about it. */
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

/** @returns the same error that also says which archive and file it was about */
export function withDetails(error: unknown, details: StoreErrorDetails): unknown {
  if (!(error instanceof SnapshotStoreError)) return error;
  return new SnapshotStoreError(error.code, { ...details, ...error.details });
}
