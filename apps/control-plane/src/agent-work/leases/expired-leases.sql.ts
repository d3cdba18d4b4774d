import type { WorkTable } from './leased-work.js';

/** Locked, so that two sweepers do not count one loss twice. */
export function expiredLeases(table: WorkTable): string {
  return `
  SELECT id FROM ${table}
  WHERE lease_expires_at <= now()
  ORDER BY lease_expires_at
  LIMIT 100
  FOR UPDATE SKIP LOCKED`;
}
