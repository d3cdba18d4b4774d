import type { ArchiveManifest } from '@understudy/snapshot-store';
import type { DatabaseProperties } from '../postgres/database-properties.js';
import { SnapshotError } from '../job/snapshot-failure.js';

/** Counts the changes of what is in an archive: files of `pg_dump --format=directory`, {@link ENTRIES_FILE}, these attributes. */
export const ARCHIVE_FORMAT = 1;

/** In archives of chosen tables: the lines of `pg_restore --list` that are theirs. */
export const ENTRIES_FILE = 'entries.list';

/** What the maker of an archive knew that pg_dump does not keep. */
export interface ArchiveAttributes {
  /** By the clock of the agent that took the snapshot. Absent in archives of agents that did not write it down. */
  readonly takenAtMs?: number;
  readonly systemIdentifier: string;
  readonly databaseOid: string;
  /** `server_version_num` */
  readonly serverVersion: number;
  /** Whether it holds chosen tables alone. */
  readonly chosen: boolean;
  readonly properties: DatabaseProperties;
  /** Roles and tablespaces that a server must have before it can take the archive. */
  readonly roles: readonly string[];
  readonly tablespaces: readonly string[];
  /** Tables whose rows it holds, partitions and not their parents, without schemas as pg_restore names them: for a restore's progress. */
  readonly dumped: readonly { readonly name: string; readonly bytes: number }[];
}

export function writeAttributes(attributes: ArchiveAttributes): Readonly<Record<string, string>> {
  return { format: String(ARCHIVE_FORMAT), attributes: JSON.stringify(attributes) };
}

/** @throws SnapshotError snapshot_format_unknown. What an archive says was sealed by an agent, and is believed. */
export function readAttributes({ attributes }: ArchiveManifest): ArchiveAttributes {
  if (attributes['format'] !== String(ARCHIVE_FORMAT) || attributes['attributes'] === undefined)
    throw new SnapshotError({ code: 'snapshot_format_unknown' });
  return JSON.parse(attributes['attributes']) as ArchiveAttributes;
}
