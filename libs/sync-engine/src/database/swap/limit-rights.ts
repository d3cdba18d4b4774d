import { type Client, quoteIdentifier } from '@understudy/postgres';
import type { SyncJobCommand } from '@understudy/sync-job';
import { stagingSchema } from '../../stage/staging-names.js';
import {
  type Grant,
  grantedName,
  keyOf,
  type OwnedObject,
  PUBLIC_GRANTS,
  readPrivileges,
  roleSql,
  type Statements,
} from './object-privileges.js';

/**
 * Returns the statements that withdraw all rights which the second login has given away on its objects, so that they have
 * the privileges of new objects. Unless the job keeps SECURITY DEFINER, its functions run with the rights of their caller.
 * Code of the source can grant privileges and change functions as long as it runs, so call this after its last session.
 * It can also create large objects, add objects to the extensions of the second login, and create schemas that have names
 * like those of ledgers, so these are included. The ledger of the job is not, because it is created again.
 * @param client a session of the agent's role in the new database
 * @param login the name of the second login
 * @returns the statements by the words that name the object; none if nothing is to withdraw
 */
export async function limitRights(
  client: Client,
  login: string,
  { jobId, securityDefiner }: Pick<SyncJobCommand, 'jobId' | 'securityDefiner'>,
): Promise<ReadonlyMap<string, Statements>> {
  const { objects, columns } = await readPrivileges(client, { largeObjects: 'copy' }, true);
  const ofColumns = new Map<string, Grant[]>();
  for (const { identity, grants } of columns) {
    const key = `TABLE ${identity}`;
    ofColumns.set(key, [...(ofColumns.get(key) ?? []), ...grants]);
  }
  const limits = new Map<string, Statements>();
  const ledger = stagingSchema(jobId);
  for (const object of objects.filter(({ owner, schema }) => owner === login && schema !== ledger)) {
    const key = keyOf(object);
    const grants = [...(object.grants ?? []), ...(ofColumns.get(key) ?? [])];
    limits.set(key, grants.length === 0 ? [] : withdrawing(object, grants));
  }
  if (securityDefiner === 'keep') return limits;
  const { rows } = await client.query<{ identity: string }>(DEFINERS, [login]);
  for (const { identity } of rows) {
    const key = `ROUTINE ${identity}`;
    limits.set(key, [...(limits.get(key) ?? []), `ALTER ${key} SECURITY INVOKER`]);
  }
  return limits;
}

function withdrawing(object: OwnedObject, grants: readonly Grant[]): Statements {
  const name = grantedName(object);
  const roles = new Set(['PUBLIC', ...grants.map(({ grantee }) => roleSql(grantee))]);
  // An extension can have withdrawn those that PostgreSQL gives.
  const kept = PUBLIC_GRANTS(object.objtype ?? '').filter(({ privilege }) =>
    grants.some((grant) => grant.grantee === null && grant.privilege === privilege),
  );
  const toPublic = isPublic(object) ? [{ privilege: 'USAGE' }] : kept;
  return [
    // This includes the privileges on columns.
    `REVOKE ALL ON ${name} FROM ${[...roles].join(', ')} CASCADE`,
    `GRANT ALL ON ${name} TO ${quoteIdentifier(object.owner)}`,
    ...toPublic.map(({ privilege }) => `GRANT ${privilege} ON ${name} TO PUBLIC`),
  ];
}

/** Lists the SECURITY DEFINER functions of a role. $1: the name of the role. */
const DEFINERS = `
  SELECT i.identity
    FROM pg_catalog.pg_proc p CROSS JOIN LATERAL pg_catalog.pg_identify_object('pg_catalog.pg_proc'::regclass, p.oid, 0) i
   WHERE p.prosecdef AND pg_catalog.pg_get_userbyid(p.proowner) = $1
`;

/** initdb lets every role use this schema. */
const isPublic = ({ kind, identity }: OwnedObject) => kind === 'SCHEMA' && identity === 'public';
