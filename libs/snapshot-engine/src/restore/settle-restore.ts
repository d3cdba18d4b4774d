import { Logger } from '@nestjs/common';
import { errorDetail, type ConnectionTarget } from '@understudy/sync-engine';
import { dropReplaced, dropUnderstudy, isSwitched } from '../postgres/understudy-database.js';
import { Notes, type RestoreNote } from './restore-note.js';
import type { SnapshotEnvironment } from '../snapshot-environment.js';

const logger = new Logger('SettleRestore');

/** What an interrupted restore came to. */
export type SettledRestore = 'restored' | 'undone';

/**
 * Finds out what became of a restore whose process ended, and removes what it left: the half-loaded database, or the replaced one.
 * @throws SyncJobError when the server cannot be asked; the note stays
 */
export async function settleRestore(
  target: ConnectionTarget,
  note: RestoreNote,
  environment: SnapshotEnvironment,
): Promise<SettledRestore> {
  if (note.oid !== undefined && (await isSwitched({ target }, note.oid))) {
    await finishReplacement(target, note, environment);
    return 'restored';
  }
  await dropUnderstudy(target, note.names.loading);
  await Notes.ofRestores(environment.notesFolder).remove(note);
  return 'undone';
}

/**
 * Drops the database that was replaced, or notes when that is to be done. Never throws: while somebody is in it the note stays, and the next
 * start tries again.
 */
export async function finishReplacement(
  target: ConnectionTarget,
  note: RestoreNote,
  { notesFolder, now }: SnapshotEnvironment,
): Promise<void> {
  try {
    if (note.keeps === undefined) await dropReplaced(target, note.names.replaced);
    else {
      const { restoreId, epoch, sealedTarget, keeps, names } = note;
      const kept = { restoreId, epoch, sealedTarget, name: names.replaced, oid: keeps.oid };
      await Notes.ofKeptDatabases(notesFolder).write({ ...kept, untilMs: now() + keeps.forMs });
      logger.log({ restoreId, database: kept.name }, 'the replaced database is kept for a while');
    }
    await Notes.ofRestores(notesFolder).remove(note);
  } catch (error) {
    const { restoreId } = note;
    logger.warn({ restoreId, detail: errorDetail(error) }, 'the replaced database is left for now');
  }
}
