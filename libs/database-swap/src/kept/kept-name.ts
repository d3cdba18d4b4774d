import { createHash } from 'node:crypto';
import { nameBeside } from '../database-names.js';

/**
 * Returns the name of the database that a change of the target has replaced and kept. The name shows which change was
 * the last one, so no other record of it is needed. Each change has a name of its own.
 * @param change the id of the job, restore or revert that replaced the database
 */
export function keptName(target: string, change: string): string {
  return `${keptPrefix(target)}${labelOf(change)}`;
}

/** Returns the beginning of the names of all kept databases of a target. Each target has its own. */
export function keptPrefix(target: string): string {
  if (Buffer.byteLength(target) <= MAX_TARGET_BYTES) return `${target}${SEPARATOR}`;
  const hash = createHash('sha256').update(target).digest('hex').slice(0, HASH_LENGTH);
  return nameBeside(target, `_${hash}${SEPARATOR}${' '.repeat(LABEL_LENGTH)}`).trimEnd();
}

const SEPARATOR = '_replaced_';
const LABEL_LENGTH = 26;
/** So that the whole name has at most 63 bytes. */
const MAX_TARGET_BYTES = 63 - SEPARATOR.length - LABEL_LENGTH;
const HASH_LENGTH = 8;

/** Matches the part of a kept database's name after the prefix. */
export const KEPT_LABEL = `^[0-9a-hjkmnp-tv-z]{${LABEL_LENGTH}}$`;

/** Returns the ULID of an id, or a hash of an id that has none. */
function labelOf(change: string): string {
  const ulid = change.slice(change.indexOf('_') + 1).toLowerCase();
  if (new RegExp(KEPT_LABEL).test(ulid)) return ulid;
  return createHash('sha256').update(change).digest('hex').slice(0, LABEL_LENGTH);
}
