import { setTimeout as sleep } from 'node:timers/promises';
import {
  connect,
  disconnect,
  isLoopback,
  DatabaseError,
  databaseError,
  type ConnectionTarget,
  type Client,
} from '@understudy/postgres';
import type { ArchiveManifest } from '@understudy/snapshot-store';
import type { ArchiveAttributes } from '../archive/archive-attributes.js';
import { SnapshotError, type SnapshotFailureCode } from '../job/snapshot-failure.js';
import type { FoundDatabase } from '../postgres/database-properties.js';
import { withServerSession, type ServerSession } from '../postgres/server-session.js';
import type { SnapshotEnvironment } from '../snapshot-environment.js';
import {
  canActFor,
  countBlockingUses,
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
  /** How long to wait for the sessions of others to leave. */
  readonly graceMs: number;
  readonly diskSpace: DiskSpaceCheck | undefined;
  readonly signal: AbortSignal;
}

/** Checks that the disk has room for the replaced database. Undefined in a request if none is kept. */
export type DiskSpaceCheck = Pick<SnapshotEnvironment, 'freeBytesAt'>;

export function diskSpaceCheck({ policy, freeBytesAt }: SnapshotEnvironment): DiskSpaceCheck | undefined {
  return policy.keepReplacedMs > 0 ? { freeBytesAt } : undefined;
}

/** How a snapshot is loaded so that a failure leaves the target unchanged. */
export type RestoreMethod =
  /** Loads a new database, which then takes the target's name. */
  | { readonly kind: 'new_database'; readonly existing?: FoundDatabase; readonly owner?: string }
  /** Loads the empty target in one transaction, for roles that may not create databases. */
  | { readonly kind: 'in_place' }
  /** Does nothing: an earlier attempt did everything but report. */
  | { readonly kind: 'restored' };

/**
 * Checks whether and how the snapshot can be restored. Changes nothing.
 * @throws SnapshotError or DatabaseError with the blocker
 */
export async function inspectTarget(request: RestoreRequest): Promise<RestoreMethod> {
  try {
    return await withServerSession(request.target, (session) => inspect(request, session));
  } catch (cause) {
    if (cause instanceof SnapshotError || cause instanceof DatabaseError) throw cause;
    request.signal.throwIfAborted();
    throw databaseError(cause, 'target');
  }
}

async function inspect(request: RestoreRequest, session: ServerSession): Promise<RestoreMethod> {
  const { target, attributes } = request;
  const { client, isInTarget } = session;
  const server = await readTargetServer(client, target.database, attributes);
  const { database } = server;
  if (database?.restores.includes(request.restoreId) === true) return { kind: 'restored' };
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
  const content = await contentOf(target);
  if (content.hasObjects) checkContent(content.tables, request);
  await waitUntilUnused(session, database.oid, request);
  if (server.canCreate && database.isOwner && !isInTarget) {
    await checkDiskSpace(client, request);
    return { kind: 'new_database', existing: database, owner: database.properties.owner };
  }
  if (!content.hasObjects && content.canCreateIn) return { kind: 'in_place' };
  throw blocker(server.canCreate && !isInTarget ? 'restore_needs_ownership' : 'restore_needs_createdb');
}

function isSource(server: TargetServer, { oid }: FoundDatabase, attributes: ArchiveAttributes): boolean {
  return server.systemIdentifier === attributes.systemIdentifier && oid === attributes.databaseOid;
}

async function contentOf(target: ConnectionTarget): ReturnType<typeof readContent> {
  const client = await connect(target, 'target');
  try {
    return await readContent(client);
  } finally {
    await disconnect(client);
  }
}

/** The target is replaced as a whole: a snapshot of chosen tables must not drop other tables. */
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
 * The replaced database is kept in addition to the restored one, which may grow to the same size. Checks nothing if this
 * machine cannot see the disk: the server is remote, or does not tell the role where its files are.
 * @throws SnapshotError disk_full
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
    throw blocker('disk_full', `${restored + bytes} bytes are needed, ${free} are free`);
}

/** Waits for the sessions of others to leave; ends none. @throws SnapshotError target_in_use */
export async function waitUntilUnused(
  { client, isInTarget }: ServerSession,
  databaseOid: string,
  { graceMs, signal }: Pick<RestoreRequest, 'graceMs' | 'signal'>,
): Promise<void> {
  if (isInTarget) return; // nothing will be renamed
  const until = performance.now() + graceMs;
  while ((await countBlockingUses(client, databaseOid)) > 0) {
    if (performance.now() >= until) throw blocker('target_in_use');
    await sleep(POLL_INTERVAL_MS, undefined, { signal });
  }
}

function blocker(code: SnapshotFailureCode, detail?: string): SnapshotError {
  return new SnapshotError(
    { code, side: 'target' },
    detail === undefined ? {} : { cause: new Error(detail) },
  );
}

const POLL_INTERVAL_MS = 200;
