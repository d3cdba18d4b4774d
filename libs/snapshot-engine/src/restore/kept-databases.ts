import { Logger } from '@nestjs/common';
import { errorDetail, type ConnectionTarget, type DatabaseReference } from '@understudy/sync-engine';
import { dropKept, findKept } from '../postgres/understudy-database.js';
import type { RestoreSnapshotCommand } from '../snapshot-command.js';
import type { SnapshotEnvironment } from '../snapshot-environment.js';
import { Notes } from './restore-note.js';
import { keptStem } from './understudy-names.js';

const logger = new Logger('KeptDatabases');

/** Opens what `sealedTarget` of a restore's command was. */
export type OpenTarget = (sealedTarget: string, restoreId: string) => Promise<DatabaseReference>;

/**
 * Takes over the databases that earlier attempts at a restore have replaced and kept: the agents that were to drop them may not come back.
 * @throws SyncJobError
 */
export async function adoptKept(
  target: ConnectionTarget,
  { restoreId, sealedTarget }: RestoreSnapshotCommand,
  { policy, notesFolder, now }: SnapshotEnvironment,
): Promise<void> {
  const notes = Notes.ofKeptDatabases(notesFolder);
  for (const { name, oid, epoch } of await findKept(target, keptStem(restoreId))) {
    const untilMs = now() + policy.keepReplacedMs;
    await notes.write({ restoreId, epoch, sealedTarget, name, oid, untilMs });
  }
}

/**
 * Drops the replaced databases whose time is over. One that somebody uses, or whose server is away, is left to the next call.
 * @throws when the notes cannot be read
 */
export async function dropKeptDatabases(
  { policy, notesFolder, now }: SnapshotEnvironment,
  openTarget: OpenTarget,
): Promise<void> {
  const notes = Notes.ofKeptDatabases(notesFolder);
  for (const kept of await notes.all()) {
    const { restoreId, sealedTarget, name, oid, untilMs } = kept;
    if (untilMs > now()) continue;
    try {
      const target = policy.resolveDatabase(await openTarget(sealedTarget, restoreId), 'restore');
      const isDropped = await dropKept(target, { name, oid });
      await notes.remove(kept);
      logger.log(
        { restoreId, database: name },
        isDropped ? 'dropped' : 'renamed or dropped by somebody else',
      );
    } catch (error) {
      logger.warn({ restoreId, database: name, detail: errorDetail(error) }, 'kept for longer');
    }
  }
}
