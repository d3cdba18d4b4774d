/** Oldest first; rows that another relay holds are its own. */
export const CLAIM_OUTBOX = `
  SELECT id, topic, key FROM outbox
  WHERE published_at IS NULL
  ORDER BY id
  LIMIT $1
  FOR UPDATE SKIP LOCKED`;

export const MARK_PUBLISHED = `UPDATE outbox SET published_at = now() WHERE id = ANY($1::bigint[])`;

/** What was published long ago is of no use any more. */
export const FORGET_PUBLISHED = `DELETE FROM outbox WHERE published_at < now() - interval '1 day'`;

export const OUTBOX_LAG = `
  SELECT count(*)::integer AS waiting,
    coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS "oldestSeconds"
  FROM outbox WHERE published_at IS NULL`;
