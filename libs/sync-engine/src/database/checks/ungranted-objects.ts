import type { Client } from '@understudy/postgres';
import type { SyncJobCommand, SyncWarning } from '@understudy/sync-job';
import type { SyncEnvironment } from '../../environment.js';
import { logNames } from '../../local-names.js';
import { readPrivileges, ungrantedObjects } from '../swap/object-privileges.js';

interface SidesOfPrivileges {
  readonly source: Client;
  /** A session in the replaced database; undefined if there is none. */
  readonly target: Client | undefined;
  /** The role that will own the objects. */
  readonly owner: string;
}

/**
 * Lists the objects that roles may use on the source, and that only their owner may use in the new database, because it
 * gets the privileges of the replaced one.
 * @returns a warning with their number
 */
export async function findUngranted(
  command: SyncJobCommand,
  { source, target, owner }: SidesOfPrivileges,
  environment: Pick<SyncEnvironment, 'log' | 'onNames'>,
): Promise<readonly SyncWarning[]> {
  if ((command.privileges ?? 'target') !== 'target') return [];
  const replaced = target && (await readPrivileges(target, command));
  const objects = ungrantedObjects(await readPrivileges(source, command), replaced, owner);
  if (objects.length === 0) return [];
  logNames(environment, { about: 'ungranted', objects });
  return [{ code: 'privilege_missing', count: objects.length }];
}
