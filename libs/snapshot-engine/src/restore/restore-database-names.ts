const MAX_NAME_BYTES = 63;

/** Names of a restore's databases: the one that it loads, and the replaced one until it is dropped. */
export interface RestoreDatabaseNames {
  /** Precedes the attempt's number in the names of all attempts at the restore. Only letters, digits and `_`. */
  readonly prefix: string;
  readonly loading: string;
  readonly replaced: string;
}

/** Precedes the attempt's number in the names of databases that the policy keeps after a restore. */
export function keptPrefix(restoreId: string): string {
  return `_replaced_${uniquePart(restoreId)}_`;
}

/**
 * @param restoreId an id of the control plane: a prefix, `_`, and a unique part
 * @param isKept whether the old database is kept for a while; other attempts do not drop databases with its name
 */
export function restoreDatabaseNames(
  database: string,
  restoreId: string,
  epoch: number,
  isKept = false,
): RestoreDatabaseNames {
  const prefix = `_understudy_${uniquePart(restoreId)}_`;
  const named = (suffix: string) =>
    `${truncateToBytes(database, MAX_NAME_BYTES - Buffer.byteLength(suffix))}${suffix}`;
  const replaced = isKept ? `${keptPrefix(restoreId)}${epoch}` : `${prefix}${epoch}o`;
  return { prefix, loading: named(`${prefix}${epoch}`), replaced: named(replaced) };
}

function uniquePart(restoreId: string): string {
  return restoreId.slice(restoreId.indexOf('_') + 1).toLowerCase();
}

/** Keeps as many whole characters as fit. */
function truncateToBytes(text: string, bytes: number): string {
  let kept = '';
  for (const character of text) {
    if (Buffer.byteLength(kept + character) > bytes) return kept;
    kept += character;
  }
  return kept;
}
