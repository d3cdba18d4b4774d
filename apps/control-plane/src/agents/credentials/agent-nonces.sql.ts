/**
 * Spends a nonce, and forgets those whose signatures are too old by now. No row when it was spent before. $1 = agent, $2 = nonce, $3 = how many
 * milliseconds it is remembered.
 */
export const SPEND_NONCE = `
  WITH forgotten AS (DELETE FROM agent_nonces WHERE expires_at < now())
  INSERT INTO agent_nonces (agent_id, nonce, expires_at)
  VALUES ($1, $2, now() + $3 * interval '1 millisecond')
  ON CONFLICT (agent_id, nonce) DO NOTHING
  RETURNING nonce`;
