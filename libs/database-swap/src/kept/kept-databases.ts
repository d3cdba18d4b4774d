import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Client,
  type ConnectionTarget,
  databaseError,
  type EngineLog,
  errorDetail,
  isUnreachable,
  quoteIdentifier,
} from '@understudy/postgres';
import { onTargetServer } from '../server-session.js';
import { keptOids, readChanges } from '../properties/changes.js';
import { KEPT_LABEL, keptName, keptPrefix } from './kept-name.js';

/** The database that has the name of the one that a change of a target has replaced. */
interface FoundKept {
  readonly name: string;
  readonly oid: string;
  /** The recorded oid of the replaced database; undefined if an agent of an earlier version has replaced it. */
  readonly expectedOid: string | undefined;
  /** False if its owner was changed to a role of which the session's role is no member, or if it is a template. */
  readonly mayDrop: boolean;
}

/** Why a kept database was left: it is another database, or the role may not drop it. */
export type KeptLeft = 'kept_database_changed' | 'replace_denied';

/** @param changes the recorded changes of the target @returns undefined if there is no database with the name */
export async function findKept(
  client: Client,
  target: string,
  change: string,
  changes: readonly string[],
): Promise<FoundKept | undefined> {
  const name = keptName(target, change);
  const { rows } = await client.query<Pick<FoundKept, 'oid' | 'mayDrop'>>(FIND, [name]);
  const [found] = rows;
  return found && { name, ...found, expectedOid: keptOids(changes).get(change) };
}

const FIND = `
  SELECT oid::text AS oid, pg_catalog.pg_has_role(datdba, 'USAGE') AND NOT datistemplate AS "mayDrop"
    FROM pg_catalog.pg_database WHERE datname = $1
`;

/** Returns whether the database is the one that was replaced. */
export function isReplaced({ oid, expectedOid = oid }: Pick<FoundKept, 'oid' | 'expectedOid'>): boolean {
  return oid === expectedOid;
}

/**
 * Drops the database that a change of the target has replaced, if it exists. PostgreSQL waits up to five seconds for
 * other sessions to leave.
 * @returns undefined, or why the database is left
 * @throws DatabaseError, SyncJobError create_failed
 */
export function dropKept(target: ConnectionTarget, change: string): Promise<KeptLeft | undefined> {
  const { database } = target;
  return onTargetServer(target, async (client) => {
    const found = await findKept(client, database, change, await readChanges(client, database));
    if (found === undefined) return undefined;
    if (!isReplaced(found)) return 'kept_database_changed';
    if (!found.mayDrop) return 'replace_denied';
    await client.query(`DROP DATABASE IF EXISTS ${quoteIdentifier(found.name)}`);
    return undefined;
  });
}

/**
 * Drops the kept databases of a target, except for that of its last change. Logs a failure, because such a database does
 * no harm. Retries for a minute while the server cannot be reached. If another change has followed, its kept database is
 * the last one, and nothing is dropped. The caller must hold the lock on the target's name, except after a lost link.
 * @param change the id of the change that calls this function
 * @returns whether the change is the last one, and the database that it has replaced is kept
 */
export async function dropEarlierKept(
  target: ConnectionTarget,
  change: string,
  log: EngineLog,
): Promise<boolean> {
  const until = performance.now() + RETRY_FOR_MS;
  for (;;) {
    try {
      return await onTargetServer(target, (client) => dropEarlier(client, target.database, change, log));
    } catch (error) {
      if (!isUnreachable(error) || performance.now() >= until) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

async function dropEarlier(client: Client, target: string, change: string, log: EngineLog): Promise<boolean> {
  const { rows } = await client.query<{ name: string; oid: string }>(KEPT, [keptPrefix(target), KEPT_LABEL]);
  const own = keptName(target, change);
  const changes = await readChanges(client, target);
  const expected = new Map([...keptOids(changes)].map(([one, oid]) => [keptName(target, one), oid]));
  const kept = rows.filter(({ name, oid }) => isReplaced({ oid, expectedOid: expected.get(name) }));
  // After a later change, the record of the control plane is that of this change.
  if (changes.at(-1) !== change) return false;
  for (const { name } of kept) {
    if (name === own) continue;
    try {
      await client.query(`DROP DATABASE IF EXISTS ${quoteIdentifier(name)}`);
      log.info({ database: name }, 'dropped the database that was kept after an earlier replacement');
    } catch (error) {
      if (isUnreachable(databaseError(error, 'target'))) throw error;
      log.warn({ database: name, detail: errorDetail(error) }, 'a kept database could not be dropped');
    }
  }
  return kept.some(({ name }) => name === own);
}

/** The time in which a crashed server usually replays its log, or a short loss of the link ends. */
const RETRY_FOR_MS = 60_000;
const PAUSE_MS = 1_000;

/** Lists the kept databases of a target that the role may drop. $1: the beginning of their names, $2: the rest. */
const KEPT = `
  SELECT d.datname::text AS name, d.oid::text AS oid FROM pg_catalog.pg_database d
   WHERE pg_catalog.starts_with(d.datname, $1) AND pg_catalog.substr(d.datname, pg_catalog.length($1) + 1) ~ $2
     AND pg_catalog.pg_has_role(d.datdba, 'USAGE')
`;

/** A replaced database that an agent of an earlier version has kept. */
export interface KeptDatabase {
  readonly name: string;
  readonly oid: string;
}

/**
 * Drops a kept database if it still has its name and oid. PostgreSQL waits up to five seconds for other sessions to
 * leave.
 * @returns false if no database has this name and oid
 * @throws DatabaseError, SyncJobError create_failed
 */
export function dropKeptDatabase(target: ConnectionTarget, { name, oid }: KeptDatabase): Promise<boolean> {
  return onTargetServer(target, async (client) => {
    const { rows } = await client.query(
      'SELECT FROM pg_catalog.pg_database WHERE oid = $1::oid AND datname = $2',
      [oid, name],
    );
    if (rows.length > 0) await client.query(`DROP DATABASE ${quoteIdentifier(name)}`);
    return rows.length > 0;
  });
}

/**
 * Drops a replaced database if it exists. Waits for sessions as {@link dropKeptDatabase} does.
 * @throws DatabaseError, SyncJobError create_failed
 */
export function dropReplacedDatabase(target: ConnectionTarget, name: string): Promise<void> {
  return onTargetServer(target, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${quoteIdentifier(name)}`);
  });
}
