/**
 * Jobs whose agent has said nothing of them since it got their lease: the command may be lost, with the store of NATS.
 * $1 = milliseconds that a command may take.
 */
export const UNHEARD_COMMANDS = `
  SELECT id FROM sync_jobs
  WHERE lease_expires_at > now() AND last_seq = 0 AND leased_at < now() - $1 * interval '1 millisecond'
  ORDER BY leased_at
  LIMIT 100`;
