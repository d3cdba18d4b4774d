/** Limit on the members of one account or address, each in another organisation. */
const MAX_MEMBERS = 100;

/** Locks the members with an address. $1 = the keys of the address, $2 = ids of organisations or null. */
export const LOCK_MEMBERS_BY_ADDRESS = `
  SELECT id, email, organization_id AS "organizationId", joined_at IS NOT NULL AS "hasJoined"
  FROM members
  WHERE email_key = ANY ($1::text[]) AND ($2::text[] IS NULL OR organization_id = ANY ($2))
  ORDER BY id LIMIT ${MAX_MEMBERS}
  FOR NO KEY UPDATE`;

/**
 * Links an account to members that are not linked to an account yet. The members must be locked. $1 = issuer,
 * $2 = subject, $3 = ids of members, $4 = time, $5 = issuers whose links count.
 */
export const LINK_MEMBERS = `
  INSERT INTO member_accounts (issuer, subject, member_id, linked_at)
  SELECT $1, $2, candidate.id, $4
  FROM unnest($3::text[]) AS candidate (id)
  WHERE NOT EXISTS (
    SELECT FROM member_accounts AS account
    WHERE account.member_id = candidate.id AND account.issuer = ANY ($5::text[])
  )
  RETURNING member_id`;

/** Returns the members that are linked to an account. $1 = issuer, $2 = subject, $3 = ids of organisations or null. */
export const LINKED_MEMBERS = `
  SELECT member.id, member.organization_id AS "organizationId", organization.name AS "organizationName"
  FROM member_accounts AS account
  JOIN members AS member ON member.id = account.member_id
  JOIN organizations AS organization ON organization.id = member.organization_id
  WHERE account.issuer = $1 AND account.subject = $2
    AND ($3::text[] IS NULL OR member.organization_id = ANY ($3))
  ORDER BY organization.name, member.id LIMIT ${MAX_MEMBERS}`;
