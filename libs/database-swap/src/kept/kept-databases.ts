import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Client,
  type ConnectionTarget,
  DatabaseError,
  databaseError,
  type EngineLog,
  errorDetail,
  quoteIdentifier,
} from '@understudy/postgres';
import { onTargetServer } from '../server-session.js';
import { readChanges } from '../properties/changes.js';
import { KEPT_LABEL, keptName, keptPrefix } from './kept-name.js';

/** Returns whether the database is there that a change of the target has replaced. */
export async function isKept(client: Client, target: string, change: string): Promise<boolean> {
  const { rows } = await client.query('SELECT FROM pg_catalog.pg_database WHERE datname = $1', [
    keptName(target, change),
  ]);
  return rows.length > 0;
}

/**
 * Drops the database that a change of the target has replaced, if it exists. PostgreSQL waits up to five seconds for
 * other sessions to leave.
 * @throws DatabaseError, SyncJobError create_failed
 */
export function dropKept(target: ConnectionTarget, change: string): Promise<void> {
  return dropReplacedDatabase(target, keptName(target.database, change));
}

/**
 * Drops the kept databases of a target, except for that of its last change. Logs a failure, because such a database does
 * no harm. Retries for a minute while the server cannot be reached. If another change has followed, its kept database is
 * the last one, and nothing is dropped. The caller must hold the lock on the target's name, except after a lost link.
 * @param change the id of the change that calls this function
 * @returns whether the database that the change has replaced is kept
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
  const { rows } = await client.query<{ name: string }>(KEPT, [keptPrefix(target), KEPT_LABEL]);
  const own = keptName(target, change);
  const isLast = (await readChanges(client, target)).at(-1) === change;
  for (const { name } of isLast ? rows : []) {
    if (name === own) continue;
    try {
      await client.query(`DROP DATABASE IF EXISTS ${quoteIdentifier(name)}`);
      log.info({ database: name }, 'dropped the database that was kept after an earlier replacement');
    } catch (error) {
      if (isUnreachable(databaseError(error, 'target'))) throw error;
      log.warn({ database: name, detail: errorDetail(error) }, 'a kept database could not be dropped');
    }
  }
  return rows.some(({ name }) => name === own);
}

function isUnreachable(error: unknown): boolean {
  return error instanceof DatabaseError && UNREACHABLE.has(error.code);
}

const UNREACHABLE = new Set(['connection_failed', 'connection_lost', 'too_few_sessions']);
/** The time in which a crashed server usually replays its log, or a short loss of the link ends. */
const RETRY_FOR_MS = 60_000;
const PAUSE_MS = 1_000;

/** Lists the kept databases of a target that the role may drop. $1: the beginning of their names, $2: the rest. */
const KEPT = `
  SELECT d.datname::text AS name FROM pg_catalog.pg_database d
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
