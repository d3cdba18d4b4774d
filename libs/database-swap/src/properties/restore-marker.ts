import { quoteIdentifier, quoteLiteral, type ConnectionTarget } from '@understudy/postgres';
import { onTargetServer } from '../server-session.js';

const MARKER_SETTING = 'application_name';
const OWN_VALUE_PREFIX = 'understudy ';
const MARKER_VALUE_PREFIX = `${OWN_VALUE_PREFIX}restored `;

/**
 * Text before the restore's id in a restore marker. The marker records in `pg_db_role_setting` that a database
 * was restored. It is the default `application_name` of the agent's own role in the restored database. Every
 * role may read the marker, and the agent's role needs no additional privilege to set it. The marker does not
 * affect sessions of other roles, and it is dropped with the database. The agent sets it before the switch, so that a
 * later attempt finds it. The agent removes it after the control plane has acknowledged the end of the restore.
 */
export const MARKER_PREFIX = `${MARKER_SETTING}=${MARKER_VALUE_PREFIX}`;

/** Text with which the settings of all markers and claims begin. */
export const OWN_PREFIX = `${MARKER_SETTING}=${OWN_VALUE_PREFIX}`;

/** @returns the statement that sets the marker @param restoreId the id that the control plane gave to the restore */
export function setMarker(database: string, restoreId: string): string {
  const value = quoteLiteral(MARKER_VALUE_PREFIX + restoreId);
  return `ALTER ROLE CURRENT_USER IN DATABASE ${quoteIdentifier(database)} SET ${MARKER_SETTING} TO ${value}`;
}

function resetMarker(database: string): string {
  return `ALTER ROLE CURRENT_USER IN DATABASE ${quoteIdentifier(database)} RESET ${MARKER_SETTING}`;
}

/**
 * Removes the marker of a restore from its target. Another restore may have replaced the target since. Its marker stays.
 * @throws DatabaseError, SyncJobError create_failed
 */
export function removeMarker(target: ConnectionTarget, restoreId: string): Promise<void> {
  return onTargetServer(target, async (client) => {
    const { rows } = await client.query(FIND_MARKER, [target.database, MARKER_PREFIX + restoreId]);
    if (rows.length > 0) await client.query(resetMarker(target.database));
  });
}

/** $1: name of the database, $2: the setting */
const FIND_MARKER = `
  SELECT FROM pg_catalog.pg_db_role_setting s JOIN pg_catalog.pg_database d ON d.oid = s.setdatabase
   WHERE d.datname = $1 AND $2 = ANY (s.setconfig)
`;
