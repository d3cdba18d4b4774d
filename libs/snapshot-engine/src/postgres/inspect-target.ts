import { setTimeout as sleep } from 'node:timers/promises';
import {
  connect,
  disconnect,
  isLoopback,
  serverFailure,
  SyncJobError,
  type ConnectionTarget,
} from '@understudy/sync-engine';
import type { ArchiveManifest } from '@understudy/snapshot-store';
import type { Client } from 'pg';
import type { ArchiveAttributes } from '../archive-attributes.js';
import { SnapshotError, type SnapshotFailureCode } from '../snapshot-failure.js';
import type { FoundDatabase } from './database-properties.js';
import { withServerSession, type ServerSession } from './server-session.js';
import type { SnapshotEnvironment } from '../snapshot-environment.js';
import {
  canActFor,
  countUsers,
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
  /** How long others' sessions may take to leave. */
  readonly graceMs: number;
  readonly room: RoomToKeep | undefined;
  readonly signal: AbortSignal;
}

/** Asks for the room that is needed to keep a database that is replaced. Undefined in a request: none is kept. */
export type RoomToKeep = Pick<SnapshotEnvironment, 'freeBytesAt'>;

export function roomToKeep({ policy, freeBytesAt }: SnapshotEnvironment): RoomToKeep | undefined {
  return policy.keepReplacedMs > 0 ? { freeBytesAt } : undefined;
}

/** How a snapshot gets into its target so that a failure leaves it as it was. */
export type RestoreWay =
  /** Loaded into a database of its own, which then takes the target's name. */
  | { readonly kind: 'beside'; readonly existing?: FoundDatabase; readonly owner?: string }
  /** Into the target, which is empty, in one transaction: for roles that may create no database. */
  | { readonly kind: 'in_place' }
  /** Nothing is to be done: an attempt before this one did it all but report. */
  | { readonly kind: 'restored' };

/**
 * Looks whether the snapshot can be restored, and how. Changes nothing.
 * @throws SnapshotError or SyncJobError with what stands in the way
 */
export async function inspectTarget(request: RestoreRequest): Promise<RestoreWay> {
  try {
    return await withServerSession(request.target, 'understudy-agent', (session) =>
      inspect(request, session),
    );
  } catch (cause) {
    if (cause instanceof SnapshotError || cause instanceof SyncJobError) throw cause;
    request.signal.throwIfAborted();
    throw new SyncJobError(serverFailure(cause, { side: 'target' }), { cause });
  }
}

async function inspect(request: RestoreRequest, session: ServerSession): Promise<RestoreWay> {
  const { target, attributes } = request;
  const { client, isInTarget } = session;
  const server = await readTargetServer(client, target.database, attributes);
  const { database } = server;
  if (database?.restores.includes(request.restoreId) === true) return { kind: 'restored' };
  if (Math.floor(server.version / 10_000) < Math.floor(attributes.serverVersion / 10_000))
    throw obstacle('target_server_older');
  if (database !== undefined && isSource(server, database, attributes)) throw obstacle('same_database');
  if (server.missing.length > 0)
    throw obstacle('prerequisite_missing', `roles or tablespaces: ${JSON.stringify(server.missing)}`);
  if (database === undefined) {
    if (!server.canCreate) throw obstacle('restore_needs_createdb');
    const { owner } = attributes.properties;
    return { kind: 'beside', ...((await canActFor(client, owner)) ? { owner } : {}) };
  }
  if (database.isTemplate) throw obstacle('target_in_use', 'the target is a template for other databases');
  const content = await contentOf(target);
  if (content.hasObjects) refuseContent(content.tables, request);
  await requireUnused(session, database.oid, request);
  if (server.canCreate && database.isOwner && !isInTarget) {
    await requireRoomToKeep(client, request);
    return { kind: 'beside', existing: database, owner: database.properties.owner };
  }
  if (!content.hasObjects && content.canCreateIn) return { kind: 'in_place' };
  throw obstacle(server.canCreate && !isInTarget ? 'restore_needs_ownership' : 'restore_needs_createdb');
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

/** The target becomes what the snapshot is: of chosen tables, that would be the end of all others. */
function refuseContent(
  tables: readonly (readonly [string, string])[],
  { manifest, attributes, overwrite }: RestoreRequest,
): void {
  if (!overwrite) throw obstacle('target_not_empty');
  if (!attributes.chosen) return;
  const held = new Set(manifest.tables.map(({ schema, name }) => JSON.stringify([schema, name])));
  if (!tables.every((table) => held.has(JSON.stringify(table)))) throw obstacle('target_holds_other_tables');
}

/**
 * The replaced database stays beside the restored one, which may grow to its size meanwhile. Nothing is required of a disk that this
 * machine cannot look at: a server elsewhere, or one that does not tell the role where its files are.
 * @throws SnapshotError disk_full
 */
async function requireRoomToKeep(
  client: Client,
  { target, overwrite, attributes, room }: RestoreRequest,
): Promise<void> {
  if (room === undefined || !overwrite || !isLoopback(target.host)) return;
  const { bytes, folder } = await readDisk(client, target.database);
  const free = folder === undefined ? undefined : await room.freeBytesAt(folder);
  const restored = attributes.dumped.reduce((sum, table) => sum + table.bytes, 0);
  if (free !== undefined && free < restored + bytes)
    throw obstacle('disk_full', `${restored + bytes} bytes are needed, ${free} are free`);
}

/** Waits for others to leave; nobody is sent away. @throws SnapshotError target_in_use */
export async function requireUnused(
  { client, isInTarget }: ServerSession,
  databaseOid: string,
  { graceMs, signal }: Pick<RestoreRequest, 'graceMs' | 'signal'>,
): Promise<void> {
  if (isInTarget) return; // nothing will be renamed
  const until = performance.now() + graceMs;
  while ((await countUsers(client, databaseOid)) > 0) {
    if (performance.now() >= until) throw obstacle('target_in_use');
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}

function obstacle(code: SnapshotFailureCode, detail?: string): SnapshotError {
  return new SnapshotError(
    { code, side: 'target' },
    detail === undefined ? {} : { cause: new Error(detail) },
  );
}

const LOOK_EVERY_MS = 200;
