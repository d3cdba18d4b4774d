import { type Client, quoteIdentifier } from '@understudy/postgres';
import type { SyncJobCommand } from '@understudy/sync-job';
import { SECURITY_DEFINER_FUNCTIONS } from '../build/security-definer.js';
import { grantedName, PUBLIC_GRANTS, readPrivileges, roleSql } from './object-privileges.js';

/**
 * Returns statements that withdraw all rights which the second login has given away on its objects, so that they have the
 * privileges of new objects. Unless the job keeps SECURITY DEFINER, its functions run with the rights of their caller.
 * Code of the source can grant privileges and change functions as long as it runs, so call this after its last session.
 * @param client a session of the agent's role in the new database
 * @param login the name of the second login
 */
export async function limitRights(
  client: Client,
  login: string,
  command: Pick<SyncJobCommand, 'largeObjects' | 'securityDefiner'>,
): Promise<readonly string[]> {
  const { objects, columns } = await readPrivileges(client, command);
  const withdrawn = objects
    .filter(({ owner }) => owner === login)
    .flatMap((object) => {
      const ofColumns = columns.filter(
        ({ identity }) => object.kind === 'TABLE' && identity === object.identity,
      );
      const grants = [...(object.grants ?? []), ...ofColumns.flatMap((column) => column.grants)];
      if (grants.length === 0) return [];
      const name = grantedName(object);
      const roles = new Set(['PUBLIC', ...grants.map(({ grantee }) => roleSql(grantee))]);
      // This includes the privileges on columns.
      return [
        `REVOKE ALL ON ${name} FROM ${[...roles].join(', ')} CASCADE`,
        `GRANT ALL ON ${name} TO ${quoteIdentifier(login)}`,
        ...(isPublic(object) ? [`GRANT USAGE ON ${name} TO PUBLIC`] : []),
        ...PUBLIC_GRANTS(object.objtype ?? '').map(
          ({ privilege }) => `GRANT ${privilege} ON ${name} TO PUBLIC`,
        ),
      ];
    });
  if (command.securityDefiner === 'keep') return withdrawn;
  const { rows } = await client.query<{ identity: string; owner: string }>(SECURITY_DEFINER_FUNCTIONS);
  const made = rows.filter(({ owner }) => owner === login);
  return [...withdrawn, ...made.map(({ identity }) => `ALTER ROUTINE ${identity} SECURITY INVOKER`)];
}

/** initdb lets every role use this schema. */
const isPublic = ({ kind, identity }: { readonly kind: string; readonly identity: string }) =>
  kind === 'SCHEMA' && identity === 'public';
