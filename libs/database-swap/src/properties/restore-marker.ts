import { quoteIdentifier, quoteLiteral, type ConnectionTarget } from '@understudy/postgres';
import { onTargetServer } from '../server-session.js';

const MARKER_SETTING = 'application_name';
const OWN_VALUE_PREFIX = 'understudy ';
const MARKER_VALUE_PREFIX = `${OWN_VALUE_PREFIX}restored `;

/**
 * Text before the restores' ids in a restore marker. The marker records in `pg_db_role_setting` that a database
 * was restored. It is the default `application_name` of the agent's own role in the restored database. Every
 * role may read the marker, and the agent's role needs no additional privilege to set it. The marker does not
 * affect sessions of other roles, and it is dropped with the database. The agent sets it before the switch, so that a
 * later attempt finds it. The agent removes it after the control plane has acknowledged the end of the restore.
 */
export const MARKER_PREFIX = `${MARKER_SETTING}=${MARKER_VALUE_PREFIX}`;

/** Text with which the settings of all markers and claims begin. */
export const OWN_PREFIX = `${MARKER_SETTING}=${OWN_VALUE_PREFIX}`;

/**
 * Returns the statement that marks a loaded database.
 * @param restoreId the id that the control plane gave to the restore
 * @param earlier the ids in the marker of the replaced database. The ends of these restores may not be acknowledged yet.
 * Without their ids, another attempt at one of them would replace the database again. At most {@link MAX_EARLIER} are kept
 */
export function setMarker(database: string, restoreId: string, earlier: readonly string[] = []): string {
  const ids = earlier.filter((id) => id !== restoreId && RESTORE_ID.test(id));
  return setting(database, [...ids.slice(-MAX_EARLIER), restoreId]);
}

const MAX_EARLIER = 20;
/** Any role can write a marker. */
const RESTORE_ID = /^\w{1,40}$/;

/** @param restoreIds if empty, the statement removes the marker */
function setting(database: string, restoreIds: readonly string[]): string {
  const change = `ALTER ROLE CURRENT_USER IN DATABASE ${quoteIdentifier(database)}`;
  if (restoreIds.length === 0) return `${change} RESET ${MARKER_SETTING}`;
  return `${change} SET ${MARKER_SETTING} TO ${quoteLiteral(MARKER_VALUE_PREFIX + restoreIds.join(' '))}`;
}

/**
 * Removes a restore from the marker of its target. Another restore may have replaced the target since. Its id stays.
 * @throws DatabaseError, SyncJobError create_failed
 */
export function removeMarker(target: ConnectionTarget, restoreId: string): Promise<void> {
  const { database } = target;
  return onTargetServer(target, async (client) => {
    const { rows } = await client.query<{ ids: string[] }>(FIND_MARKER, [database, MARKER_PREFIX]);
    const ids = rows[0]?.ids ?? [];
    const others = ids.filter((id) => id !== restoreId);
    if (others.length < ids.length) await client.query(setting(database, others));
  });
}

/** Reads the marker that the current role has set. $1: name of the database, $2: `MARKER_PREFIX` */
const FIND_MARKER = `
  SELECT pg_catalog.string_to_array(pg_catalog.substr(c, pg_catalog.length($2) + 1), ' ') AS ids
    FROM pg_catalog.pg_db_role_setting s JOIN pg_catalog.pg_database d ON d.oid = s.setdatabase
    JOIN pg_catalog.pg_roles r ON r.oid = s.setrole, pg_catalog.unnest(s.setconfig) c
   WHERE d.datname = $1 AND r.rolname = current_user AND pg_catalog.starts_with(c, $2)
`;
