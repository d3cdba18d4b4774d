/**
 * Oldest first; rows that another relay claimed are its own until its claim ends. Nothing stays locked: Redis is asked after
 * the commit. $1 = how many, $2 = milliseconds that a claim lasts.
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

/** What was not brought to the queue may be claimed again at once. */
export const GIVE_BACK_CLAIMED = `
  UPDATE outbox SET claimed_until = NULL WHERE id = ANY($1::bigint[]) AND published_at IS NULL`;

/** What was published long ago is of no use any more. */
export const FORGET_PUBLISHED = `DELETE FROM outbox WHERE published_at < now() - interval '1 day'`;

export const OUTBOX_LAG = `
  SELECT count(*)::integer AS waiting,
    coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS "oldestSeconds"
  FROM outbox WHERE published_at IS NULL`;
