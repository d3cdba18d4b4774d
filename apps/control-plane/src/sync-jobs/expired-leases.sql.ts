/** Locked, so that two sweepers do not count one loss twice. */
export const EXPIRED_LEASES = `
  SELECT id FROM sync_jobs
  WHERE lease_expires_at <= now()
  ORDER BY lease_expires_at
  LIMIT 100
  FOR UPDATE SKIP LOCKED`;
