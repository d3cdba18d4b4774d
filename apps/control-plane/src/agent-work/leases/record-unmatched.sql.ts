import type { WorkTable } from './leased-work.js';

/** $1 = id, $2 = since when only agents that differ from the first one are connected, or null. */
export function recordUnmatched(table: WorkTable): string {
  return `UPDATE ${table} SET unmatched_since = $2 WHERE id = $1`;
}
