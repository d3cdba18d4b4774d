import type { Client } from '@understudy/postgres';
import type { SyncJobCommand, SyncWarning } from '@understudy/sync-job';
import type { SyncEnvironment } from '../../environment.js';
import { logNames } from '../../local-names.js';
import { readPrivileges } from '../swap/object-privileges.js';
import { MISSING_ROLES } from '../swap/object-privileges.sql.js';

/**
 * Lists the roles of the source that should own objects of the new database or have privileges on them, and that the
 * target's server does not have.
 * @returns a warning with their number
 */
export async function findMissingRoles(
  command: SyncJobCommand,
  { source, target }: Readonly<Record<'source' | 'target', Client>>,
  environment: Pick<SyncEnvironment, 'log' | 'onNames'>,
): Promise<readonly SyncWarning[]> {
  const { owners = 'target', privileges = 'target' } = command;
  if (owners !== 'source' && privileges !== 'source') return [];
  const { objects, columns, defaults } = await readPrivileges(source, command);
  const granted = [...objects, ...columns, ...defaults].flatMap(({ grants }) => grants ?? []);
  const roles = [
    ...(owners === 'source' ? objects.map(({ owner }) => owner) : []),
    ...(privileges === 'source' ? defaults.map(({ role }) => role) : []),
    ...(privileges === 'source'
      ? granted.flatMap(({ grantee, isOwner }) => (isOwner ? [] : (grantee ?? [])))
      : []),
  ];
  const { rows } = await target.query<{ name: string }>(MISSING_ROLES, [[...new Set(roles)]]);
  if (rows.length === 0) return [];
  logNames(environment, { about: 'missing_roles', roles: rows.map(({ name }) => name) });
  return [{ code: 'role_missing', count: rows.length }];
}
