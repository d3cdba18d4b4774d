const LINK = `id, organization_id AS "organizationId", member_id AS "memberId", used_at IS NOT NULL AS "isUsed"`;

/**
 * Keeps the member of a link from being removed until the transaction ends. A removal locks the member first and then
 * deletes the links, so a sign-in that used the link first would deadlock with it. $1 = SHA-256 of the secret.
 */
export const LOCK_MEMBER_OF_LINK = `
  SELECT FROM members WHERE id = (SELECT member_id FROM sign_in_links WHERE link_hash = $1) FOR KEY SHARE`;

/**
 * Uses a link. Returns no row if the link does not exist, has expired or was used. A concurrent request waits
 * for the row, and then finds that the link was used. $1 = SHA-256 of the secret, $2 = now.
 */
export const USE_LINK = `
  UPDATE sign_in_links SET used_at = $2
  WHERE link_hash = $1 AND used_at IS NULL AND expires_at > $2
  RETURNING ${LINK}`;

/** $1 = SHA-256 of the secret. */
export const FIND_LINK = `SELECT ${LINK} FROM sign_in_links WHERE link_hash = $1`;

/** $1 = SHA-256 of the token. */
export const FIND_REFUSED_TOKEN = `
  SELECT id, organization_id AS "organizationId", member_id AS "memberId", revoked_at IS NOT NULL AS "isRevoked"
  FROM api_tokens WHERE token_hash = $1`;

export const INSERT_LINK = `
  INSERT INTO sign_in_links (id, organization_id, member_id, link_hash, made_by_member_id, created_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;

/** Deletes the member's earlier links, so that only the newest one works. $1 = member id. */
export const DELETE_UNUSED_LINKS = 'DELETE FROM sign_in_links WHERE member_id = $1 AND used_at IS NULL';

/**
 * Finds members who have accepted the invitation. Different addresses can have one key. $1 = the id, or the keys of the
 * address, $2 = organisation id or null.
 */
export const FIND_MEMBERS = `
  SELECT id, email, organization_id AS "organizationId" FROM members
  WHERE (id = ANY ($1::text[]) OR email_key = ANY ($1::text[])) AND organization_id = coalesce($2, organization_id) AND joined_at IS NOT NULL`;

/** Keeps the maker of a link from being removed until the transaction ends. $1 = member id. */
export const LOCK_MAKER = 'SELECT id FROM members WHERE id = $1 FOR KEY SHARE';

/** Locks a member who has accepted the invitation. $1 = organisation id, $2 = member id, $3 = now. */
export const LOCK_MEMBER = `
  SELECT member.id, member.role, member.scopes, EXISTS (
    SELECT FROM api_tokens AS token
    WHERE token.member_id = member.id AND token.revoked_at IS NULL AND token.expires_at > $3
      AND NOT token.needs_rotation
  ) AS "hasUsableToken"
  FROM members AS member
  WHERE member.organization_id = $1 AND member.id = $2 AND member.joined_at IS NOT NULL
  FOR NO KEY UPDATE OF member`;
