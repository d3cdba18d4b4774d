import { nameBeside } from '@understudy/database-swap';

/** Names of the database that a restore loads, and of the replaced database until it is dropped. */
export interface RestoreDatabaseNames {
  /**
   * The part of each database name between the target's name and the epoch. It is equal for all attempts at the
   * restore, and contains only letters, digits and `_`. A kept database has {@link keptPrefix} instead.
   */
  readonly prefix: string;
  readonly loading: string;
  readonly replaced: string;
}

/** @returns the part before the epoch in the names of databases that the policy keeps after a restore */
export function keptPrefix(restoreId: string): string {
  return `_replaced_${uniquePart(restoreId)}_`;
}

/**
 * Derives the names of the databases of an attempt from the target's name.
 * @param restoreId the id that the control plane gave to the restore: a prefix, `_`, and a unique part
 * @param isKept whether the policy keeps the replaced database. A kept database has {@link keptPrefix} in its
 * name, so other attempts do not drop it.
 */
export function restoreDatabaseNames(
  database: string,
  restoreId: string,
  epoch: number,
  isKept = false,
): RestoreDatabaseNames {
  const prefix = `_understudy_${uniquePart(restoreId)}_`;
  const replaced = isKept ? `${keptPrefix(restoreId)}${epoch}` : `${prefix}${epoch}o`;
  return {
    prefix,
    loading: nameBeside(database, `${prefix}${epoch}`),
    replaced: nameBeside(database, replaced),
  };
}

function uniquePart(restoreId: string): string {
  return restoreId.slice(restoreId.indexOf('_') + 1).toLowerCase();
}
