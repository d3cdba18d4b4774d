/**
 * Claims the oldest rows of the outbox. Rows that another relay has claimed are skipped until that claim
 * ends. A claim is not a row lock, because the relay calls Redis only after this transaction has ended. $1 =
 * limit, $2 = duration of the claim in milliseconds.
 */
export const CLAIM_OUTBOX = `
  UPDATE outbox SET claimed_until = now() + $2 * interval '1 millisecond'
  WHERE id IN (
    SELECT id FROM outbox
    WHERE published_at IS NULL AND (claimed_until IS NULL OR claimed_until < now())
    ORDER BY id
    LIMIT $1
    FOR UPDATE SKIP LOCKED
  )
  RETURNING id, topic, key`;

export const MARK_PUBLISHED = `UPDATE outbox SET published_at = now() WHERE id = ANY($1::bigint[])`;

/** Releases rows that were not added to the queue, so that a relay can claim them again immediately. */
export const RELEASE_CLAIMED = `
  UPDATE outbox SET claimed_until = NULL WHERE id = ANY($1::bigint[]) AND published_at IS NULL`;

/** Deletes rows that were published more than a day ago. $1 = limit. */
export const FORGET_PUBLISHED = `
  DELETE FROM outbox WHERE id IN (
    SELECT id FROM outbox WHERE published_at < now() - interval '1 day' LIMIT $1 FOR UPDATE SKIP LOCKED
  )`;

export const OUTBOX_LAG = `
  SELECT count(*)::integer AS waiting,
    coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS "oldestSeconds"
  FROM outbox WHERE published_at IS NULL`;
