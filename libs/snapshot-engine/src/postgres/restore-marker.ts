import { quoteIdentifier, quoteLiteral } from '@understudy/postgres';

const MARKER_SETTING = 'application_name';
const MARKER_VALUE_PREFIX = 'understudy restored ';

/**
 * Precedes the restore's id in `pg_db_role_setting`. The marker is the default `application_name` of the agent's own role
 * in the restored database. Everybody may read it, the role needs no other privilege to set it, it does not affect the
 * sessions of others, and it is dropped with the database. It is set before the switch and removed when the control
 * plane knows that the restore has ended, so that a later attempt finds it.
 */
export const MARKER_PREFIX = `${MARKER_SETTING}=${MARKER_VALUE_PREFIX}`;

/** @returns the statement that sets the marker @param restoreId an id of the control plane */
export function setMarker(database: string, restoreId: string): string {
  const value = quoteLiteral(MARKER_VALUE_PREFIX + restoreId);
  return `ALTER ROLE CURRENT_USER IN DATABASE ${quoteIdentifier(database)} SET ${MARKER_SETTING} TO ${value}`;
}

export function resetMarker(database: string): string {
  return `ALTER ROLE CURRENT_USER IN DATABASE ${quoteIdentifier(database)} RESET ${MARKER_SETTING}`;
}
