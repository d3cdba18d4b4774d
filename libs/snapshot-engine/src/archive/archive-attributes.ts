import type { ArchiveManifest } from '@understudy/snapshot-store';
import type { DatabaseProperties } from '@understudy/database-swap';
import { SnapshotError } from '../job/snapshot-failure.js';

/**
 * Version of the archive contents: the files of `pg_dump --format=directory`, {@link ENTRIES_FILE} and
 * {@link ArchiveAttributes}. Raise the version with every change of these contents.
 */
export const ARCHIVE_FORMAT = 1;

/**
 * Name of a file in archives of chosen tables. It lists the dump entries to restore, as lines of `pg_restore
 * --list`.
 */
export const ENTRIES_FILE = 'entries.list';

/** Facts about a snapshot's source that pg_dump does not record. */
export interface ArchiveAttributes {
  /** When the snapshot was taken, by the clock of its agent. Older agents did not write this field. */
  readonly takenAtMs?: number;
  readonly systemIdentifier: string;
  readonly databaseOid: string;
  /** PostgreSQL's `server_version_num`, such as 150014. */
  readonly serverVersion: number;
  /** True if the archive contains only chosen tables, false if it contains the whole database. */
  readonly chosen: boolean;
  readonly properties: DatabaseProperties;
  /**
   * Roles that must exist on a server before the archive can be restored there. The same applies to
   * `tablespaces`.
   */
  readonly roles: readonly string[];
  readonly tablespaces: readonly string[];
  /**
   * Tables whose rows the archive contains, for the progress of a restore. Partitions are listed instead of
   * their parents. The names have no schemas, like the names that pg_restore prints.
   */
  readonly dumped: readonly { readonly name: string; readonly bytes: number }[];
}

export function writeAttributes(attributes: ArchiveAttributes): Readonly<Record<string, string>> {
  return { format: String(ARCHIVE_FORMAT), attributes: JSON.stringify(attributes) };
}

/**
 * Parses the attributes of an archive. Does not validate them, because the manifest that contains them is
 * authenticated.
 * @throws SnapshotError `snapshot_format_unknown`
 */
export function readAttributes({ attributes }: ArchiveManifest): ArchiveAttributes {
  if (attributes['format'] !== String(ARCHIVE_FORMAT) || attributes['attributes'] === undefined)
    throw new SnapshotError({ code: 'snapshot_format_unknown' });
  return JSON.parse(attributes['attributes']) as ArchiveAttributes;
}
