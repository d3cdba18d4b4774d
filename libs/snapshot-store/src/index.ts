export { ArchiveDraft, type FileOptions } from './archive/archive-draft.js';
export {
  storedBytesOf,
  type ArchiveDescription,
  type ArchiveManifest,
  type SnapshotTable,
  type StoredFile,
} from './archive/archive-manifest.js';
export { ArchiveReader } from './archive/archive-reader.js';
export type { SweepOptions } from './archive/sweep-unfinished.js';
export { FolderBackend } from './storage/folder/backend.js';
export type { StorageBackend } from './storage/storage-backend.js';
export {
  SnapshotStore,
  type Cancellable,
  type ListedArchive,
  type SnapshotStoreOptions,
  type VerifyProgress,
} from './snapshot-store.js';
export {
  SnapshotStoreError,
  type Damage,
  type SnapshotStoreCode,
  type StoreErrorDetails,
} from './store-error.js';
