import type { WorkTable } from './leased-work.js';

/**
 * Records the time since which no connected agent has the masking key and policy of the first attempt. $1 = id of the
 * work, $2 = that time, or null if an agent matches.
 */
export function recordUnmatched(table: WorkTable): string {
  return `UPDATE ${table} SET unmatched_since = $2 WHERE id = $1`;
}
