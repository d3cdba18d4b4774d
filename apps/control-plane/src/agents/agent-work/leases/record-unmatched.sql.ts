import type { WorkTable } from './leased-work.js';

/**
 * Records the time since which no connected agent has the masking key and policy of the first attempt. $1 =
 * id of the work, $2 = this time, or null if the work no longer waits for such an agent.
 */
export function recordUnmatched(table: WorkTable): string {
  return `UPDATE ${table} SET unmatched_since = $2 WHERE id = $1`;
}
