import { type Client, quoteIdentifier } from '@understudy/postgres';
import type { SyncJobCommand } from '@understudy/sync-job';
import { grantedName, PUBLIC_GRANTS, readPrivileges, roleSql } from './object-privileges.js';

/**
 * Returns statements that withdraw all rights which the second login has given away on its objects, so that they have the
 * privileges of new objects. Unless the job keeps SECURITY DEFINER, its functions run with the rights of their caller.
 * Code of the source can grant privileges and change functions as long as it runs, so call this after its last session.
 * It can also create large objects, and add objects to the extensions of the second login, so these are included.
 * @param client a session of the agent's role in the new database
 * @param login the name of the second login
 */
export async function limitRights(
  client: Client,
  login: string,
  { securityDefiner }: Pick<SyncJobCommand, 'securityDefiner'>,
): Promise<readonly string[]> {
  const { objects, columns } = await readPrivileges(client, { largeObjects: 'copy' }, true);
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
        // An extension can have withdrawn them.
        ...PUBLIC_GRANTS(object.objtype ?? '')
          .filter(({ privilege }) =>
            grants.some((grant) => grant.grantee === null && grant.privilege === privilege),
          )
          .map(({ privilege }) => `GRANT ${privilege} ON ${name} TO PUBLIC`),
      ];
    });
  if (securityDefiner === 'keep') return withdrawn;
  const { rows } = await client.query<{ identity: string }>(DEFINERS, [login]);
  return [...withdrawn, ...rows.map(({ identity }) => `ALTER ROUTINE ${identity} SECURITY INVOKER`)];
}

/** Lists the SECURITY DEFINER functions of a role. $1: the name of the role. */
const DEFINERS = `
  SELECT i.identity
    FROM pg_catalog.pg_proc p CROSS JOIN LATERAL pg_catalog.pg_identify_object('pg_catalog.pg_proc'::regclass, p.oid, 0) i
   WHERE p.prosecdef AND pg_catalog.pg_get_userbyid(p.proowner) = $1
`;

/** initdb lets every role use this schema. */
const isPublic = ({ kind, identity }: { readonly kind: string; readonly identity: string }) =>
  kind === 'SCHEMA' && identity === 'public';
