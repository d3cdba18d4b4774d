import { errorDetail, quoteIdentifier, type ConnectionTarget } from '@understudy/postgres';
import type { RestoreSnapshotCommand } from '../job/snapshot-command.js';
import { onTargetServer } from '../postgres/server-session.js';
import type { SnapshotEnvironment } from '../snapshot-environment.js';
import { openRecordedTarget, recordedTarget, type OpenTarget } from './recorded-target.js';
import { RecoveryRecords } from './recovery-records.js';
import { keptPrefix } from './restore-database-names.js';

/**
 * Records the databases that earlier attempts at a restore replaced and kept, so that this agent drops them. The
 * agents that ran the earlier attempts may never start again.
 * @throws DatabaseError
 */
export async function adoptKeptDatabases(
  target: ConnectionTarget,
  command: RestoreSnapshotCommand,
  { policy, recordsFolder, now }: SnapshotEnvironment,
): Promise<void> {
  const records = RecoveryRecords.ofKeptDatabases(recordsFolder);
  const { restoreId } = command;
  for (const { name, oid, epoch } of await findKeptDatabases(target, keptPrefix(restoreId))) {
    const untilMs = now() + policy.keepReplacedMs;
    await records.write({ restoreId, epoch, ...recordedTarget(command, target), name, oid, untilMs });
  }
}

/**
 * Drops the replaced databases whose retention has ended. If a database is in use or its server is
 * unreachable, the next call tries again. Leaves out damaged records.
 * @throws the error of the file system if the records cannot be read
 */
export async function dropExpiredDatabases(
  environment: SnapshotEnvironment,
  openTarget: OpenTarget,
): Promise<void> {
  const { recordsFolder, now, log } = environment;
  const records = RecoveryRecords.ofKeptDatabases(recordsFolder);
  for (const kept of await records.all(log)) {
    const { restoreId, name, oid, untilMs } = kept;
    if (untilMs > now()) continue;
    try {
      const target = await openRecordedTarget(kept, environment, openTarget);
      const isDropped = await dropKeptDatabase(target, { name, oid });
      await records.remove(kept);
      log.info(
        { restoreId, database: name },
        isDropped
          ? 'the replaced database was dropped'
          : 'the replaced database was renamed or dropped by somebody else',
      );
    } catch (error) {
      log.warn(
        { restoreId, database: name, detail: errorDetail(error) },
        'the replaced database could not be dropped and is kept for longer',
      );
    }
  }
}

/**
 * Drops a replaced database. PostgreSQL waits up to five seconds for other sessions to leave.
 * @throws DatabaseError
 */
export function dropReplacedDatabase(target: ConnectionTarget, name: string): Promise<void> {
  return onTargetServer(target, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${quoteIdentifier(name)}`);
  });
}

/** Finds kept databases by name. @param prefix the part of the databases' names before the epoch */
function findKeptDatabases(
  target: ConnectionTarget,
  prefix: string,
): Promise<readonly { readonly name: string; readonly oid: string; readonly epoch: number }[]> {
  return onTargetServer(target, async (client) => {
    const { rows } = await client.query<{ name: string; oid: string }>(
      "SELECT datname::text AS name, oid::text AS oid FROM pg_catalog.pg_database WHERE datname ~ ('.' || $1 || '[0-9]+$')",
      [prefix],
    );
    return rows.map(({ name, oid }) => ({ name, oid, epoch: Number(/\d+$/.exec(name)?.[0]) }));
  });
}

/**
 * Drops a kept database if it still has its name and oid. Waits for sessions as {@link dropReplacedDatabase} does.
 * @returns false if no database has this name and oid
 * @throws DatabaseError
 */
function dropKeptDatabase(
  target: ConnectionTarget,
  { name, oid }: { readonly name: string; readonly oid: string },
): Promise<boolean> {
  return onTargetServer(target, async (client) => {
    const { rows } = await client.query(
      'SELECT FROM pg_catalog.pg_database WHERE oid = $1::oid AND datname = $2',
      [oid, name],
    );
    if (rows.length > 0) await client.query(`DROP DATABASE ${quoteIdentifier(name)}`);
    return rows.length > 0;
  });
}
