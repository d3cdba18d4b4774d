/** A table that the archive holds. */
export interface SnapshotTable {
  readonly schema: string;
  readonly name: string;
  /** Of the table in the database when the snapshot was taken, indexes and TOAST as the maker decided. */
  readonly bytes: number;
}

/** What the maker of an archive says about it. */
export interface ArchiveDescription {
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Name of the database, as PostgreSQL shows it. */
  readonly database: string;
  /** As `server_version` shows it: `15.14 (Debian 15.14-0+deb12u1)`. */
  readonly serverVersion: string;
  readonly tables: readonly SnapshotTable[];
  /** For the maker's own use, such as the dump's options. Sealed like the rest. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** A file of an archive. */
export interface StoredFile {
  readonly name: string;
  /** What the store calls it. No two of an archive have the same; failed writes leave gaps. */
  readonly number: number;
  /** As written. */
  readonly bytes: number;
  /** As sealed and stored. */
  readonly storedBytes: number;
  /** Of the sealed bytes, in lower-case hex. */
  readonly sha256: string;
}

/** What an archive is: it exists when its manifest does. */
export interface ArchiveManifest extends ArchiveDescription {
  readonly id: string;
  /** In the order of `number`. */
  readonly files: readonly StoredFile[];
}

/** @returns what the archive takes in the store, its manifest left out */
export function storedBytesOf(manifest: ArchiveManifest): number {
  return manifest.files.reduce((total, file) => total + file.storedBytes, 0);
}
