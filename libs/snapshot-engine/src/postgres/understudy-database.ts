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
import { resetMark, setMark } from './restore-mark.js';
import { withServerSession, type ServerSession } from './server-session.js';
import { readContent } from './target-state.js';

/** A database that is made beside a target. */
export interface Understudy {
  readonly target: ConnectionTarget;
  readonly loading: string;
  readonly replaced: string;
}

/** What a loaded database is given before it is switched in. */
export interface Dress {
  readonly properties: DatabaseProperties;
  readonly owner: string | undefined;
  readonly restoreId: string;
}

/** Makes the database that is to be loaded; before it, drops what other attempts left. @returns its oid @throws SyncJobError */
export function createUnderstudy(
  { target, loading }: Understudy,
  stem: string,
  { properties, owner }: Pick<Dress, 'properties' | 'owner'>,
): Promise<string> {
  return onServer(target, async (client) => {
    await dropOthers(client, stem);
    await client.query(createDatabase(loading, properties, owner));
    const settings = LOADING_SETTINGS.map(
      ([name, value]) => `ALTER DATABASE ${quoteIdentifier(loading)} SET ${name} TO ${value}`,
    );
    await client.query(inOneTransaction([closeToPublic(loading), ...settings]));
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
  return onServer(target, (client) => dropOthers(client, stem));
}

async function dropOthers(client: Client, stem: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT datname::text AS name FROM pg_catalog.pg_database WHERE datname ~ ('.' || $1 || '[0-9]+o?$')",
    [stem],
  );
  for (const { name } of rows)
    await client.query(`DROP DATABASE IF EXISTS ${quoteIdentifier(name)} WITH (FORCE)`);
}

/**
 * Gives the loaded database what its place has, or had where the snapshot comes from, and the mark of its restore.
 * @throws SyncJobError
 */
export async function dressUnderstudy(
  { client }: ServerSession,
  { target, loading }: Understudy,
  { properties, owner, restoreId }: Dress,
): Promise<void> {
  const reset = LOADING_SETTINGS.map(([name]) => `ALTER DATABASE ${quoteIdentifier(loading)} RESET ${name}`);
  const dress = applyProperties(loading, owner ?? target.user, properties);
  await asCreation(() => client.query(inOneTransaction([...reset, ...dress, setMark(loading, restoreId)])));
}

/** Takes the mark of a restore away. @throws SyncJobError */
export function unmark(target: ConnectionTarget): Promise<void> {
  return onServer(target, async (client) => void (await client.query(resetMark(target.database))));
}

/**
 * Puts the loaded database in the target's place, the old one out of it, in one transaction. When this resolves it is on the server's disk, with
 * everything that was loaded before it.
 * @throws SnapshotError target_in_use, target_not_empty; then nothing has changed
 */
export async function switchDatabases(
  session: ServerSession,
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
  const { client } = session;
  try {
    if (existing !== undefined) {
      if (!overwrite) await requireStillEmpty(target);
      await requireUnused(session, existing.oid, { graceMs, signal });
    }
    signal.throwIfAborted();
    await client.query(COMMIT_TO_DISK);
    await client.query('BEGIN');
    if (existing !== undefined) await client.query(rename(target.database, replaced));
    await client.query(rename(loading, target.database));
    await client.query('COMMIT');
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

/** The replaced databases of a restore that are kept. @param stem names of theirs end in it and an epoch @throws SyncJobError */
export function findKept(
  target: ConnectionTarget,
  stem: string,
): Promise<readonly { readonly name: string; readonly oid: string; readonly epoch: number }[]> {
  return onServer(target, async (client) => {
    const { rows } = await client.query<{ name: string; oid: string }>(
      "SELECT datname::text AS name, oid::text AS oid FROM pg_catalog.pg_database WHERE datname ~ ('.' || $1 || '[0-9]+$')",
      [stem],
    );
    return rows.map(({ name, oid }) => ({ name, oid, epoch: Number(/\d+$/.exec(name)?.[0]) }));
  });
}

/**
 * Drops a replaced database that was kept, unless it has another name by now or another database has its name. Sessions in it are waited for
 * as by {@link dropReplaced}.
 * @returns whether it was there @throws SyncJobError
 */
export function dropKept(
  target: ConnectionTarget,
  { name, oid }: { readonly name: string; readonly oid: string },
): Promise<boolean> {
  return onServer(target, async (client) => {
    const { rows } = await client.query(
      'SELECT FROM pg_catalog.pg_database WHERE oid = $1::oid AND datname = $2',
      [oid, name],
    );
    if (rows.length > 0) await client.query(`DROP DATABASE ${quoteIdentifier(name)}`);
    return rows.length > 0;
  });
}

async function onServer<T>(target: ConnectionTarget, work: (client: Client) => Promise<T>): Promise<T> {
  return withServerSession(target, SESSION_NAME, ({ client }) => asCreation(() => work(client)));
}

/** In one round trip, whose commit the disk need not know of: what it is for is worth nothing before a later one, which the disk waits for. */
function inOneTransaction(statements: readonly string[]): string {
  return ['BEGIN', 'SET LOCAL synchronous_commit = off', ...statements, 'COMMIT'].join(';\n');
}

async function asCreation<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new SyncJobError(serverFailure(cause, { side: 'target', otherwise: 'create_failed' }), { cause });
  }
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

export const SESSION_NAME = 'understudy-agent';

/**
 * Of the database while it is loaded: no commit of a load waits for the disk, as the load is worth nothing until the switch, whose commit waits for the
 * whole log before it. Checking foreign keys is one query each, which is not worth compiling. Set on the database because poolers refuse
 * settings of a connection.
 */
const LOADING_SETTINGS = [
  ['synchronous_commit', 'off'],
  ['jit', 'off'],
] as const;

/** Whatever the server, the role or the database would have it be; what waits for standbys too stays as it is. */
const COMMIT_TO_DISK = `
  SELECT pg_catalog.set_config('synchronous_commit', 'on', false)
   WHERE pg_catalog.current_setting('synchronous_commit') = 'off'
`;

const OBJECT_IN_USE = '55006';
const DUPLICATE_DATABASE = '42P04';
