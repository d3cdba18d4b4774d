import { dropEarlierKept, dropKeptDatabase } from '@understudy/database-swap';
import { type ConnectionTarget, type EngineLog, errorDetail } from '@understudy/postgres';
import type { SnapshotEnvironment } from '../snapshot-environment.js';
import { openRecordedTarget, type OpenTarget } from './recorded-target.js';
import { RecoveryRecords } from './recovery-records.js';

/**
 * Drops what earlier replacements of the target have kept. Never throws, because the restore is complete.
 * @param isKept whether the restore has kept the replaced database, if the server cannot be reached
 * @returns whether it is kept
 */
export async function dropEarlier(
  target: ConnectionTarget,
  restoreId: string,
  log: EngineLog,
  isKept: boolean,
): Promise<boolean> {
  try {
    return await dropEarlierKept(target, restoreId, log);
  } catch (error) {
    log.warn({ restoreId, detail: errorDetail(error) }, 'kept databases could not be dropped');
    return isKept;
  }
}

/**
 * Drops the databases that agents of earlier versions have kept, if their retention has ended. If a database is in use or
 * its server is unreachable, the next call tries again. Leaves out damaged records.
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
