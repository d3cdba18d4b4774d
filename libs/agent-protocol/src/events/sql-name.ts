import type { SqlName } from '@understudy/sync-job';

import type { SqlName as WireSqlName } from '../schema/index.js';

const MAX_NAME_BYTES = 63;

export function wireName(name: SqlName | undefined): { text: string } | undefined {
  return name === undefined ? undefined : { text: name };
}

/**
 * Decodes an SQL identifier.
 * @returns undefined if the text is empty, contains NUL or is longer than 63 bytes. A genuine agent sends no
 *   such text.
 */
export function sqlName(wire: WireSqlName | undefined): string | undefined {
  const text = wire?.text ?? '';
  const isName = text !== '' && !text.includes('\0') && Buffer.byteLength(text) <= MAX_NAME_BYTES;
  return isName ? text : undefined;
}
