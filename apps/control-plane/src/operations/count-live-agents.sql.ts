export const COUNT_LIVE_AGENTS = `
  SELECT count(*)::integer AS live FROM agents
  WHERE revoked_at IS NULL AND last_seen_at > now() - interval '15 seconds'`;
