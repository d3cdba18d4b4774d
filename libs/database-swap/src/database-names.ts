/** The limit of the server. It cuts longer names, at any byte. */
const MAX_NAME_BYTES = 63;

/**
 * Derives the name of a database that is beside another one on its server for a while.
 * @param suffix at most 63 bytes. The other name is cut, so that the result is not longer than a name may be
 */
export function nameBeside(database: string, suffix: string): string {
  return `${truncateToBytes(database, MAX_NAME_BYTES - Buffer.byteLength(suffix))}${suffix}`;
}

/** Truncates a text to at most `bytes` bytes of UTF-8 without splitting a character. */
function truncateToBytes(text: string, bytes: number): string {
  let kept = '';
  for (const character of text) {
    if (Buffer.byteLength(kept + character) > bytes) return kept;
    kept += character;
  }
  return kept;
}
