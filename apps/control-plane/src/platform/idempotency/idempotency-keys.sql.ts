/** The condition that selects the row of a key. */
const ONE = 'organization_id = $1 AND operation = $2 AND key_hash = $3';
const HELD = `${ONE} AND holder = $4`;

/**
 * Reserves the key for a request. Returns no row if the key has a response or an effect, or is still
 * reserved. A key that has expired can be used again. If the reservation has expired without an effect,
 * another request with the same body can reserve the key. $4 = fingerprint, $5 = holder, $6 = milliseconds
 * until the reservation expires, $7 = milliseconds until the key expires.
 */
export const RESERVE_KEY = `
  INSERT INTO idempotency_keys AS kept
    (organization_id, operation, key_hash, fingerprint, holder, held_until, expires_at)
  VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 millisecond', now() + $7 * interval '1 millisecond')
  ON CONFLICT (organization_id, operation, key_hash) DO UPDATE
  SET fingerprint = EXCLUDED.fingerprint, holder = EXCLUDED.holder, held_until = EXCLUDED.held_until,
    expires_at = EXCLUDED.expires_at, effect_at = NULL, status = NULL, answer = NULL, meta = NULL
  WHERE kept.expires_at <= now()
    OR (kept.effect_at IS NULL AND kept.status IS NULL AND kept.held_until <= now()
      AND kept.fingerprint = EXCLUDED.fingerprint)
  RETURNING 1`;

export const FIND_KEY = `
  SELECT fingerprint, status, answer, meta, effect_at IS NOT NULL AS "hasEffect", held_until > now() AS "isHeld"
  FROM idempotency_keys WHERE ${ONE}`;

/**
 * Records in the key's row that the request had an effect. Run it in the transaction of the effect. Returns
 * no row if another request has taken over the key. $4 = holder.
 */
export const MARK_EFFECT = `UPDATE idempotency_keys SET effect_at = now() WHERE ${HELD} RETURNING 1`;

/** Stores the response. $4 = holder, $5 = status, $6 = response data, $7 = meta. */
export const KEEP_RESPONSE = `UPDATE idempotency_keys SET status = $5, answer = $6, meta = $7 WHERE ${HELD}`;

/**
 * Releases the key of a request that failed without an effect. The key can then be used again, even with
 * another body. $4 = holder.
 */
export const RELEASE_KEY = `DELETE FROM idempotency_keys WHERE ${HELD} AND effect_at IS NULL`;

/** $1 = limit. */
export const FORGET_EXPIRED_KEYS = `
  DELETE FROM idempotency_keys WHERE (organization_id, operation, key_hash) IN (
    SELECT organization_id, operation, key_hash FROM idempotency_keys
    WHERE expires_at <= now() LIMIT $1 FOR UPDATE SKIP LOCKED
  )`;
