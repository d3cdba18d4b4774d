import {
  DUPLICATE_DATABASE,
  SESSION_NAME,
  switchDatabases,
  type ServerSession,
  type SwitchRequest,
} from '@understudy/database-swap';
import { connect, disconnect, DatabaseError, type ConnectionTarget } from '@understudy/postgres';
import { SnapshotError } from '../job/snapshot-failure.js';
import type { RestoreDatabaseNames } from './restore-database-names.js';
import { readContent } from './target-state.js';

/**
 * Switches to the loaded database, as {@link switchDatabases} does. Without `overwrite`, the existing target must still
 * be empty.
 * @throws SnapshotError `target_not_empty`. No database was renamed then.
 * @throws as {@link switchDatabases} does
 */
export async function switchRestore(
  session: ServerSession,
  target: ConnectionTarget,
  names: RestoreDatabaseNames,
  request: SwitchRequest & { readonly overwrite: boolean },
): Promise<void> {
  if (request.existing !== undefined && !request.overwrite) await checkStillEmpty(target);
  try {
    await switchDatabases(session, target, names, request);
  } catch (cause) {
    if (!(cause instanceof DatabaseError) || cause.sqlstate !== DUPLICATE_DATABASE) throw cause;
    throw new SnapshotError({ code: 'target_not_empty', side: 'target' }, { cause });
  }
}

async function checkStillEmpty(target: ConnectionTarget): Promise<void> {
  const client = await connect(target, 'target', SESSION_NAME);
  try {
    const { hasObjects } = await readContent(client);
    if (hasObjects) throw new SnapshotError({ code: 'target_not_empty', side: 'target' });
  } finally {
    await disconnect(client);
  }
}
