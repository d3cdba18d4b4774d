import { dropDatabase, dropReplacedDatabase, isSwitched } from '@understudy/database-swap';
import { errorDetail, type ConnectionTarget } from '@understudy/postgres';
import { RecoveryRecords, type RestoreRecord } from './recovery-records.js';
import type { SnapshotEnvironment } from '../snapshot-environment.js';

/** Result of an interrupted restore. */
export type RestoreOutcome = 'restored' | 'undone';

/**
 * Determines the result of a restore that was interrupted by an error or by the end of its process, and
 * cleans up. If the switch was committed, drops the replaced database unless it is kept. Otherwise, drops the database
 * that was being loaded.
 * @throws DatabaseError if the server cannot be reached. The record is then kept.
 */
export async function resolveRestore(
  target: ConnectionTarget,
  record: RestoreRecord,
  environment: SnapshotEnvironment,
): Promise<RestoreOutcome> {
  if (record.oid !== undefined && (await isSwitched(target, record.oid))) {
    await finishReplacement(target, record, environment);
    return 'restored';
  }
  await dropDatabase(target, record.names.loading);
  await RecoveryRecords.ofRestores(environment.recordsFolder).remove(record);
  return 'undone';
}

/**
 * Drops the replaced database unless it is kept. Never throws. If the drop fails, the record of the restore is kept, and
 * the agent tries again at its next start.
 */
export async function finishReplacement(
  target: ConnectionTarget,
  record: RestoreRecord,
  { recordsFolder, log }: SnapshotEnvironment,
): Promise<void> {
  try {
    if (record.keeps === undefined) await dropReplacedDatabase(target, record.names.replaced);
    await RecoveryRecords.ofRestores(recordsFolder).remove(record);
  } catch (error) {
    const { restoreId } = record;
    log.warn(
      { restoreId, detail: errorDetail(error) },
      'the replaced database could not be dropped; the next start tries again',
    );
  }
}
