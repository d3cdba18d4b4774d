/**
 * Stores a nonce and deletes expired ones. Returns no row if the nonce was used before. $1 = agent, $2 = nonce, $3 =
 * time to keep the nonce in milliseconds.
 */
export const SPEND_NONCE = `
  WITH forgotten AS (DELETE FROM agent_nonces WHERE expires_at < now())
  INSERT INTO agent_nonces (agent_id, nonce, expires_at)
  VALUES ($1, $2, now() + $3 * interval '1 millisecond')
  ON CONFLICT (agent_id, nonce) DO NOTHING
  RETURNING nonce`;
