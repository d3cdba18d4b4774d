import {
  connect,
  disconnect,
  quoteIdentifier,
  serverFailure,
  SyncJobError,
  type ConnectionTarget,
} from '@understudy/sync-engine';
import type { Client } from 'pg';
import { SnapshotError } from '../snapshot-failure.js';
import {
  applyProperties,
  closeToPublic,
  createDatabase,
  type DatabaseProperties,
} from './database-properties.js';
import { requireUnused, type RestoreWay } from './inspect-target.js';
import { withServerSession } from './server-session.js';
import { readContent } from './target-state.js';

/** A database that is made beside a target. */
export interface Understudy {
  readonly target: ConnectionTarget;
  readonly loading: string;
  readonly replaced: string;
}

/** @returns its oid @throws SyncJobError */
export function createUnderstudy(
  { target, loading }: Understudy,
  properties: DatabaseProperties,
  owner: string | undefined,
): Promise<string> {
  return onServer(target, async (client) => {
    await client.query(createDatabase(loading, properties, owner));
    await client.query(closeToPublic(loading));
    const { rows } = await client.query<{ oid: string }>(
      'SELECT oid::text AS oid FROM pg_catalog.pg_database WHERE datname = $1',
      [loading],
    );
    return rows[0]?.oid ?? '';
  });
}

/**
 * Drops what attempts at the same restore left whose agents have not come back, and ends their sessions: an attempt that has lost its lease
 * cannot switch any more. @param stem names of theirs end in it, an epoch, and `o` for a replaced one @throws SyncJobError
 */
export function dropOtherAttempts(target: ConnectionTarget, stem: string): Promise<void> {
  return onServer(target, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "SELECT datname::text AS name FROM pg_catalog.pg_database WHERE datname ~ ('.' || $1 || '[0-9]+o?$')",
      [stem],
    );
    for (const { name } of rows)
      await client.query(`DROP DATABASE IF EXISTS ${quoteIdentifier(name)} WITH (FORCE)`);
  });
}

/** Gives the loaded database what its place has, or had where the snapshot comes from. */
export function dressUnderstudy(
  { target, loading }: Understudy,
  properties: DatabaseProperties,
  owner: string | undefined,
): Promise<void> {
  return onServer(target, async (client) => {
    await client.query('BEGIN');
    for (const statement of applyProperties(loading, owner ?? target.user, properties))
      await client.query(statement);
    await client.query('COMMIT');
  });
}

/**
 * Puts the loaded database in the target's place, the old one out of it, in one transaction.
 * @throws SnapshotError target_in_use, target_not_empty; then nothing has changed
 */
export async function switchDatabases(
  understudy: Understudy,
  oid: string,
  request: {
    readonly existing: Extract<RestoreWay, { kind: 'beside' }>['existing'];
    readonly overwrite: boolean;
    readonly graceMs: number;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const { target, loading, replaced } = understudy;
  const { existing, overwrite, graceMs, signal } = request;
  const rename = (from: string, to: string) =>
    `ALTER DATABASE ${quoteIdentifier(from)} RENAME TO ${quoteIdentifier(to)}`;
  try {
    await withServerSession(target, SESSION_NAME, async (session) => {
      const { client } = session;
      if (existing !== undefined) {
        if (!overwrite) await requireStillEmpty(target);
        await requireUnused(session, existing.oid, { graceMs, signal });
      }
      signal.throwIfAborted();
      await client.query('BEGIN');
      if (existing !== undefined) await client.query(rename(target.database, replaced));
      await client.query(rename(loading, target.database));
      await client.query('COMMIT');
    });
  } catch (cause) {
    // An answer to COMMIT that was lost may have been a yes.
    if (isLost(cause) && (await isSwitched(understudy, oid))) return;
    throw switchFailure(cause);
  }
}

/** Whether the database of this oid has the target's name. */
export function isSwitched({ target }: Pick<Understudy, 'target'>, oid: string): Promise<boolean> {
  return onServer(target, async (client) => {
    const { rows } = await client.query(
      'SELECT FROM pg_catalog.pg_database WHERE oid = $1::oid AND datname = $2',
      [oid, target.database],
    );
    return rows.length > 0;
  });
}

/** A database that a restore made, and whoever is in it: nobody but its own sessions has a reason to be. */
export function dropUnderstudy(target: ConnectionTarget, name: string): Promise<void> {
  return onServer(target, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${quoteIdentifier(name)} WITH (FORCE)`);
  });
}

/** A database that was replaced. Its sessions are others': they are waited for a moment, by the server. @throws SyncJobError */
export function dropReplaced(target: ConnectionTarget, name: string): Promise<void> {
  return onServer(target, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${quoteIdentifier(name)}`);
  });
}

async function onServer<T>(target: ConnectionTarget, work: (client: Client) => Promise<T>): Promise<T> {
  return withServerSession(target, SESSION_NAME, async ({ client }) => {
    try {
      return await work(client);
    } catch (cause) {
      throw new SyncJobError(serverFailure(cause, { side: 'target', otherwise: 'create_failed' }), { cause });
    }
  });
}

async function requireStillEmpty(target: ConnectionTarget): Promise<void> {
  const client = await connect(target, 'target', SESSION_NAME);
  try {
    const { hasObjects } = await readContent(client);
    if (hasObjects) throw new SnapshotError({ code: 'target_not_empty', side: 'target' });
  } finally {
    await disconnect(client);
  }
}

function switchFailure(cause: unknown): unknown {
  if (cause instanceof SnapshotError || cause instanceof SyncJobError) return cause;
  const { code } = cause as { code?: unknown };
  if (code === OBJECT_IN_USE) return new SnapshotError({ code: 'target_in_use', side: 'target' }, { cause });
  if (code === DUPLICATE_DATABASE)
    return new SnapshotError({ code: 'target_not_empty', side: 'target' }, { cause });
  return new SyncJobError(serverFailure(cause, { side: 'target' }), { cause });
}

function isLost(cause: unknown): boolean {
  return (
    !(cause instanceof SnapshotError || cause instanceof SyncJobError) &&
    serverFailure(cause, { side: 'target' }).code === 'connection_lost'
  );
}

const SESSION_NAME = 'understudy-agent';
const OBJECT_IN_USE = '55006';
const DUPLICATE_DATABASE = '42P04';
