/** The row of one use of a key. */
const ONE = 'organization_id = $1 AND operation = $2 AND key_hash = $3';
const HELD = `${ONE} AND holder = $4`;

/**
 * Takes the key for a request. No row when somebody has it: with an answer, or an effect, or held still. One whose holder
 * ended without an effect is free again for the same body. $4 = fingerprint, $5 = holder, $6 and $7 = milliseconds to hold and to keep.
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

/** Inside the transaction of the effect. No row when another request has taken the key over. $4 = holder. */
export const MARK_EFFECT = `UPDATE idempotency_keys SET effect_at = now() WHERE ${HELD} RETURNING 1`;

/** $4 = holder, $5 = status, $6 = answer, $7 = meta. */
export const KEEP_ANSWER = `UPDATE idempotency_keys SET status = $5, answer = $6, meta = $7 WHERE ${HELD}`;

/** After a refusal: nothing was done, so the key may be used again, with a mended body too. $4 = holder. */
export const RELEASE_KEY = `DELETE FROM idempotency_keys WHERE ${HELD} AND effect_at IS NULL`;

export const FORGET_EXPIRED_KEYS = `DELETE FROM idempotency_keys WHERE expires_at <= now()`;
