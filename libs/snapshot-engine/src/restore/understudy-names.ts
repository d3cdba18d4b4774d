const LONGEST_NAME = 63;

/** Names of the databases that a restore makes beside its target: the one that is loaded, and the old one for the moment until it is dropped. */
export interface UnderstudyNames {
  /** What the names of all attempts at the restore have, before the number of each. Letters, digits and `_` alone. */
  readonly stem: string;
  readonly loading: string;
  readonly replaced: string;
}

/** @param restoreId an id of the control plane: a prefix, `_`, and what makes it one of a kind */
export function understudyNames(database: string, restoreId: string, epoch: number): UnderstudyNames {
  const stem = `_understudy_${restoreId.slice(restoreId.indexOf('_') + 1).toLowerCase()}_`;
  const named = (suffix: string) => `${cut(database, LONGEST_NAME - Buffer.byteLength(suffix))}${suffix}`;
  return { stem, loading: named(`${stem}${epoch}`), replaced: named(`${stem}${epoch}o`) };
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
