import { withServerSession } from '@understudy/database-swap';
import { type Client, type ConnectionTarget, DatabaseError } from '@understudy/postgres';
import { defined, SyncJobError } from '@understudy/sync-job';
import { POWERFUL_ROLES } from '../swap/object-privileges.sql.js';

/**
 * Checks the roles of a job that replaces a database. The code of the source runs with the rights of the second login, so
 * this role may have no right outside of the new database. The owner of a database or a tablespace can change it from any
 * other database. Objects in other databases do not count: builds that have not ended have some, and only an extension
 * such as dblink reaches them. The agent's role must be able to create databases, and to
 * give the objects of the second login to the owner of the target. The owner may be no powerful role, because autovacuum
 * runs functions of indexes with the rights of the owner of the table.
 * @param client a session of the agent's role
 * @param owner the role that will own the objects
 * @throws SyncJobError build_login_refused, owner_refused, replace_denied
 */
export async function checkRoles(client: Client, login: string, owner: string): Promise<void> {
  const { rows } = await client.query<RolesRow>(ROLES, [login, owner]);
  const [roles] = rows;
  if (roles === undefined || roles.is_powerful || roles.is_same)
    throw new SyncJobError({ code: 'build_login_refused', side: 'target' });
  const powerful = await client.query(POWERFUL_ROLES, [[owner]]);
  if (powerful.rows.length > 0) throw new SyncJobError({ code: 'owner_refused', side: 'target' });
  if (!roles.may_create || !roles.may_give)
    throw new SyncJobError({ code: 'replace_denied', side: 'target' });
}

/**
 * Checks that the server admits the second login, in any database to which the role may connect.
 * @param agent the target, as the agent's role connects to it
 * @throws SyncJobError build_login_failed
 */
export async function requireLogin(agent: ConnectionTarget, login: ConnectionTarget): Promise<void> {
  try {
    await withServerSession(asLogin(agent, login), () => Promise.resolve());
  } catch (cause) {
    if (!(cause instanceof DatabaseError)) throw cause;
    // The server checks the password first. The role will get CONNECT on the new database.
    if (cause.code === 'permission_denied') return;
    if (cause.code !== 'authentication_failed') throw cause;
    throw new SyncJobError({ code: 'build_login_failed', side: 'target' }, { cause });
  }
}

/** Returns the target as the second login connects to it. @param login its server and its database do not count */
export function asLogin(agent: ConnectionTarget, login: ConnectionTarget): ConnectionTarget {
  const { host, port, sslMode, database } = agent;
  const { password, user, display } = login;
  return { host, port, user, display, database, ...defined({ password, sslMode }) };
}

interface RolesRow {
  readonly is_powerful: boolean;
  readonly is_same: boolean;
  readonly may_create: boolean;
  readonly may_give: boolean;
}

/** $1: the second login, $2: the owner of the target. */
const ROLES = `
  SELECT l.rolsuper OR l.rolcreatedb OR l.rolcreaterole OR l.rolreplication OR l.rolbypassrls
           OR EXISTS (SELECT FROM pg_catalog.pg_auth_members m WHERE m.member = l.oid)
           OR EXISTS (SELECT FROM pg_catalog.pg_database d WHERE d.datdba = l.oid)
           OR EXISTS (SELECT FROM pg_catalog.pg_tablespace t WHERE t.spcowner = l.oid) AS is_powerful,
         l.rolname = current_user OR l.rolname = $2 AS is_same,
         a.rolsuper OR a.rolcreatedb AS may_create,
         pg_catalog.pg_has_role(l.oid, 'USAGE') AND pg_catalog.pg_has_role($2, 'USAGE') AS may_give
    FROM pg_catalog.pg_roles l, pg_catalog.pg_roles a
   WHERE l.rolname = $1 AND a.rolname = current_user
`;
