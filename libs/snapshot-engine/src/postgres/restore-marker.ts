import { quoteIdentifier, quoteLiteral } from '@understudy/postgres';

const MARKER_SETTING = 'application_name';
const MARKER_VALUE_PREFIX = 'understudy restored ';

/**
 * How a restored database says which restore it is of: as what sessions of the agent's own role are called in it. Everybody may read that,
 * the role needs no other privilege to set it, nobody else's sessions have it, and it is gone with the database. It is set before the switch,
 * so that the switch brings it, and taken away when the control plane knows of the end; an attempt that comes in between finds it.
 * The text is how `pg_db_role_setting` has it; the id of the restore follows.
 */
export const MARKER_PREFIX = `${MARKER_SETTING}=${MARKER_VALUE_PREFIX}`;

/** @param database that is to be switched in @param restoreId an id of the control plane */
export function setMarker(database: string, restoreId: string): string {
  return `ALTER ROLE CURRENT_USER IN DATABASE ${quoteIdentifier(database)} SET ${MARKER_SETTING} TO ${quoteLiteral(MARKER_VALUE_PREFIX + restoreId)}`;
}

export function resetMarker(database: string): string {
  return `ALTER ROLE CURRENT_USER IN DATABASE ${quoteIdentifier(database)} RESET ${MARKER_SETTING}`;
}
