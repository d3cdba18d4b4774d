import { Logger } from '@nestjs/common';
import { errorDetail, type ConnectionTarget } from '@understudy/sync-engine';
import { dropReplaced, dropUnderstudy, isSwitched } from '../postgres/understudy-database.js';
import type { RestoreNote, RestoreNotes } from './restore-note.js';

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
  notes: RestoreNotes,
): Promise<SettledRestore> {
  if (note.oid !== undefined && (await isSwitched({ target }, note.oid))) {
    await finishReplacement(target, note, notes);
    return 'restored';
  }
  await dropUnderstudy(target, note.names.loading);
  await notes.remove(note);
  return 'undone';
}

/** Drops the database that was replaced. Never throws: while somebody is in it the note stays, and the next start tries again. */
export async function finishReplacement(
  target: ConnectionTarget,
  note: RestoreNote,
  notes: RestoreNotes,
): Promise<void> {
  try {
    await dropReplaced(target, note.names.replaced);
    await notes.remove(note);
  } catch (error) {
    const { restoreId } = note;
    logger.warn({ restoreId, detail: errorDetail(error) }, 'the replaced database is left for now');
  }
}
