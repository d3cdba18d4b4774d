import type { SnapshotFailureCode } from '@understudy/agent-protocol';
import {
  DatabaseInUseError,
  readChanges,
  waitUntilUnused,
  type FoundDatabase,
  type IgnoredSessions,
  type ServerSession,
} from '@understudy/database-swap';
import {
  disconnect,
  openSession,
  refusePooler,
  isLoopback,
  DatabaseError,
  databaseError,
  type ConnectionTarget,
  type Client,
} from '@understudy/postgres';
import type { ArchiveManifest } from '@understudy/snapshot-store';
import type { ArchiveAttributes } from '../archive/archive-attributes.js';
import { SnapshotError } from '../job/snapshot-failure.js';
import type { SnapshotEnvironment } from '../snapshot-environment.js';
import {
  canActFor,
  findPublication,
  readContent,
  readDisk,
  readTargetServer,
  type TargetServer,
} from './target-state.js';

export interface RestoreRequest {
  readonly restoreId: string;
  readonly target: ConnectionTarget;
  readonly manifest: ArchiveManifest;
  readonly attributes: ArchiveAttributes;
  readonly overwrite: boolean;
  /** How long to wait for other sessions to leave the target. */
  readonly graceMs: number;
  /** Sessions of jobs can be ignored if the restore will wait for them. */
  readonly ignores: IgnoredSessions;
  readonly diskSpace: DiskSpaceCheck | undefined;
  readonly signal: AbortSignal;
}

/** Reads the free space of a disk. Used only if the policy keeps replaced databases. */
export type DiskSpaceCheck = Pick<SnapshotEnvironment, 'freeBytesAt'>;

export function diskSpaceCheck({ policy, freeBytesAt }: SnapshotEnvironment): DiskSpaceCheck | undefined {
  return policy.keepReplacedMs > 0 ? { freeBytesAt } : undefined;
}

/** How a snapshot is loaded. With each method, a failure leaves the target unchanged. */
export type RestoreMethod =
  /** Loads the snapshot into a new database and then renames it to the target's name. */
  | { readonly kind: 'new_database'; readonly existing?: FoundDatabase; readonly owner?: string }
  /** Loads the snapshot into the empty target in one transaction, for roles that may not create databases. */
  | { readonly kind: 'in_place' }
  /**
   * Loads nothing, because an earlier attempt completed the restore but did not report it. A later change may have
   * replaced the target since.
   */
  | { readonly kind: 'restored'; readonly isReplacedAgain: boolean };

/**
 * Checks whether the snapshot can be restored, and chooses the method. Changes nothing.
 * @throws SnapshotError, DatabaseError or DatabaseInUseError if the snapshot cannot be restored
 */
export async function inspectTarget(request: RestoreRequest, session: ServerSession): Promise<RestoreMethod> {
  try {
    return await inspect(request, session);
  } catch (cause) {
    if (KNOWN_ERRORS.some((known) => cause instanceof known)) throw cause;
    request.signal.throwIfAborted();
    throw databaseError(cause, 'target');
  }
}

const KNOWN_ERRORS = [SnapshotError, DatabaseError, DatabaseInUseError];

async function inspect(request: RestoreRequest, session: ServerSession): Promise<RestoreMethod> {
  const { target, attributes } = request;
  const { client, isInTarget } = session;
  const server = await readTargetServer(client, target.database, attributes);
  const { database } = server;
  const changes = await readChanges(client, target.database);
  if (changes.includes(request.restoreId))
    return { kind: 'restored', isReplacedAgain: changes.at(-1) !== request.restoreId };
  if (Math.floor(server.version / 10_000) < Math.floor(attributes.serverVersion / 10_000))
    throw blocker('target_server_older');
  if (database !== undefined && isSource(server, database, attributes)) throw blocker('same_database');
  if (server.missing.length > 0)
    throw blocker('prerequisite_missing', `roles or tablespaces: ${JSON.stringify(server.missing)}`);
  if (database === undefined) {
    if (!server.canCreate) throw blocker('restore_needs_createdb');
    const { owner } = attributes.properties;
    return { kind: 'new_database', ...((await canActFor(client, owner)) ? { owner } : {}) };
  }
  if (database.isTemplate) throw blocker('target_in_use', 'the target is a template for other databases');
  const content = await contentOf(request);
  if (content.hasObjects) checkContent(content.tables, request);
  await waitUntilUnused(session, database.oid, request);
  if (server.canCreate && database.isOwner && !isInTarget) {
    await checkDiskSpace(client, request);
    return { kind: 'new_database', existing: database, owner: database.properties.owner };
  }
  if (!content.hasObjects && content.canCreateIn) {
    if (content.publication !== undefined) throw blocker(content.publication);
    return { kind: 'in_place' };
  }
  throw blocker(server.canCreate && !isInTarget ? 'restore_needs_ownership' : 'restore_needs_createdb');
}

function isSource(server: TargetServer, { oid }: FoundDatabase, attributes: ArchiveAttributes): boolean {
  return server.systemIdentifier === attributes.systemIdentifier && oid === attributes.databaseOid;
}

async function contentOf({ target, manifest }: RestoreRequest) {
  const session = await openSession(target, 'target');
  const { client } = session;
  try {
    await refusePooler(session);
    const schemas = [...new Set(manifest.tables.map(({ schema }) => schema))];
    return { ...(await readContent(client)), publication: await findPublication(client, schemas) };
  } finally {
    await disconnect(client);
  }
}

/**
 * Checks that the restore may replace the target's content. A restore replaces the whole database. Therefore, if
 * the snapshot contains only chosen tables, the target must not contain other tables.
 */
function checkContent(
  tables: readonly (readonly [string, string])[],
  { manifest, attributes, overwrite }: RestoreRequest,
): void {
  if (!overwrite) throw blocker('target_not_empty');
  if (!attributes.chosen) return;
  const held = new Set(manifest.tables.map(({ schema, name }) => JSON.stringify([schema, name])));
  if (!tables.every((table) => held.has(JSON.stringify(table)))) throw blocker('target_holds_other_tables');
}

/**
 * Checks that the server's disk has enough free space for the restored database, plus a reserve of the
 * target's present size. Checks nothing if the server is on another machine, or if the role may not read the
 * server's data folder.
 * @throws SnapshotError `disk_full`
 */
async function checkDiskSpace(
  client: Client,
  { target, overwrite, attributes, diskSpace }: RestoreRequest,
): Promise<void> {
  if (diskSpace === undefined || !overwrite || !isLoopback(target.host)) return;
  const { bytes, folder } = await readDisk(client, target.database);
  const free = folder === undefined ? undefined : await diskSpace.freeBytesAt(folder);
  const restored = attributes.dumped.reduce((sum, table) => sum + table.bytes, 0);
  if (free !== undefined && free < restored + bytes)
    throw blocker(
      'disk_full',
      `expected at least ${restored + bytes} free bytes on the target's disk, found ${free}`,
    );
}

function blocker(code: SnapshotFailureCode, detail?: string): SnapshotError {
  return new SnapshotError(
    { code, side: 'target' },
    detail === undefined ? {} : { cause: new Error(detail) },
  );
}
