export interface SnapshotTable {
  readonly schema: string;
  readonly name: string;
  /**
   * Size of the table when the snapshot was taken. The caller decides whether it includes indexes and TOAST.
   */
  readonly bytes: number;
}

/** Facts about a snapshot that its creator provides. */
export interface ArchiveDescription {
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Name of the database, without quotes. */
  readonly database: string;
  /** The server's `server_version`, such as `15.14 (Debian 15.14-0+deb12u1)`. */
  readonly serverVersion: string;
  readonly tables: readonly SnapshotTable[];
  /** Any facts that the creator needs later, such as options of the dump. They are sealed like the rest. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** A file of an archive. */
export interface StoredFile {
  readonly name: string;
  /** Number of the file in the store, unique within the archive. Failed writes leave gaps. */
  readonly number: number;
  /** Length of the content. */
  readonly bytes: number;
  /** Length of the sealed file in the store. */
  readonly storedBytes: number;
  /** Checksum of the sealed file, in lower-case hexadecimal digits. */
  readonly sha256: string;
}

/** Description of an archive and its files. An archive exists if its manifest is stored. */
export interface ArchiveManifest extends ArchiveDescription {
  readonly id: string;
  /** Sorted by `number`. */
  readonly files: readonly StoredFile[];
}

/** @returns the total size of the archive's files in the store, without its manifest */
export function storedBytesOf(manifest: ArchiveManifest): number {
  return manifest.files.reduce((total, file) => total + file.storedBytes, 0);
}
