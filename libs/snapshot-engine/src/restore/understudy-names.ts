const LONGEST_NAME = 63;

/** Names of the databases that a restore makes beside its target: the one that is loaded, and the old one until it is dropped. */
export interface UnderstudyNames {
  /** What the names of all attempts at the restore have, before the number of each. Letters, digits and `_` alone. */
  readonly stem: string;
  readonly loading: string;
  readonly replaced: string;
}

/** What the names of databases have that the policy keeps after a restore, before the number of the attempt. */
export function keptStem(restoreId: string): string {
  return `_replaced_${uniquePart(restoreId)}_`;
}

/**
 * @param restoreId an id of the control plane: a prefix, `_`, and what makes it one of a kind
 * @param isKept whether the old database is kept for a while: its name is then none that another attempt drops
 */
export function understudyNames(
  database: string,
  restoreId: string,
  epoch: number,
  isKept = false,
): UnderstudyNames {
  const stem = `_understudy_${uniquePart(restoreId)}_`;
  const named = (suffix: string) => `${cut(database, LONGEST_NAME - Buffer.byteLength(suffix))}${suffix}`;
  const replaced = isKept ? `${keptStem(restoreId)}${epoch}` : `${stem}${epoch}o`;
  return { stem, loading: named(`${stem}${epoch}`), replaced: named(replaced) };
}

function uniquePart(restoreId: string): string {
  return restoreId.slice(restoreId.indexOf('_') + 1).toLowerCase();
}

/** As many whole characters as there is room for. */
function cut(text: string, bytes: number): string {
  let kept = '';
  for (const character of text) {
    if (Buffer.byteLength(kept + character) > bytes) return kept;
    kept += character;
  }
  return kept;
}
