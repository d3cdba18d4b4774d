import { keptName, nameBeside } from '@understudy/database-swap';

/** Names of the database that a restore loads, and of the replaced database until it is dropped. */
export interface RestoreDatabaseNames {
  /**
   * The part of each database name between the target's name and the epoch. It is equal for all attempts at the
   * restore, and contains only letters, digits and `_`. A kept database has another name.
   */
  readonly prefix: string;
  readonly loading: string;
  readonly replaced: string;
}

/**
 * Derives the names of the databases of an attempt from the target's name.
 * @param restoreId the id that the control plane gave to the restore: a prefix, `_`, and a unique part
 * @param isKept whether the policy keeps the replaced database. A kept database has {@link keptName}, so other attempts
 * do not drop it.
 */
export function restoreDatabaseNames(
  database: string,
  restoreId: string,
  epoch: number,
  isKept = false,
): RestoreDatabaseNames {
  const prefix = `_understudy_${uniquePart(restoreId)}_`;
  return {
    prefix,
    loading: nameBeside(database, `${prefix}${epoch}`),
    replaced: isKept ? keptName(database, restoreId) : nameBeside(database, `${prefix}${epoch}o`),
  };
}

function uniquePart(restoreId: string): string {
  return restoreId.slice(restoreId.indexOf('_') + 1).toLowerCase();
}
