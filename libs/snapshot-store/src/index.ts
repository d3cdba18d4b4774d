export { ArchiveDraft, type FileOptions } from './archive/archive-draft.js';
export {
  storedBytesOf,
  type ArchiveDescription,
  type ArchiveManifest,
  type SnapshotTable,
  type StoredFile,
} from './archive/archive-manifest.js';
export { OpenArchive } from './archive/open-archive.js';
export type { SweepOptions } from './archive/sweep-unfinished.js';
export { FolderPlace } from './folder/folder-place.js';
export type { ArchivePlace, Body, WriteOptions } from './place/archive-place.js';
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
