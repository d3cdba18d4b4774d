import type { WorkTable } from './leased-work.js';

/**
 * Selects and locks up to 100 rows with an expired lease. The lock ensures that only one process reclaims
 * each row.
 */
export function expiredLeases(table: WorkTable): string {
  return `
  SELECT id FROM ${table}
  WHERE lease_expires_at <= now()
  ORDER BY lease_expires_at
  LIMIT 100
  FOR UPDATE SKIP LOCKED`;
}
