import { dropKeptDatabase, findKeptDatabases } from '@understudy/database-swap';
import { errorDetail, type ConnectionTarget } from '@understudy/postgres';
import type { RestoreSnapshotCommand } from '../job/snapshot-command.js';
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
