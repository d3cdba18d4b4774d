/** Limit on the members of one account or address, each in another organisation. */
const MAX_MEMBERS = 100;

/** Whether the row `member` is linked to an account. */
const isLinked = (issuers: string) => `EXISTS (
    SELECT FROM member_accounts AS account
    WHERE account.member_id = member.id AND account.issuer = ANY (${issuers}::text[])
  )`;

/**
 * Returns the members with an address. $1 = the keys of the address, $2 = ids of organisations or null, $3 =
 * issuers whose links count.
 */
export const MEMBERS_BY_ADDRESS = `
  SELECT member.id, member.email, member.organization_id AS "organizationId",
    member.joined_at IS NOT NULL AS "hasJoined", ${isLinked('$3')} AS "isLinked"
  FROM members AS member
  WHERE member.email_key = ANY ($1::text[]) AND ($2::text[] IS NULL OR member.organization_id = ANY ($2))
  ORDER BY member.id LIMIT ${MAX_MEMBERS}`;

/** Locks a member, so that concurrent sign-ins link it once. $1 = id. */
export const LOCK_MEMBER = 'SELECT id FROM members WHERE id = $1 FOR NO KEY UPDATE';

/**
 * Links an account to a member that is not linked to an account yet. The member must be locked. $1 = issuer, $2
 * = subject, $3 = id of the member, $4 = time, $5 = issuers whose links count.
 */
export const LINK_MEMBER = `
  INSERT INTO member_accounts (issuer, subject, member_id, linked_at)
  SELECT $1, $2, member.id, $4 FROM members AS member
  WHERE member.id = $3 AND NOT ${isLinked('$5')}
  RETURNING member_id`;

/**
 * Returns the members of a user: those that are linked to the account, and those of the offered ones that are
 * not linked to an account. $1 = issuer, $2 = subject, $3 = ids of organisations or null, $4 = ids of the offered
 * members, $5 = issuers whose links count.
 */
export const MEMBERS_OF_ACCOUNT = `
  SELECT member.id, member.organization_id AS "organizationId", organization.name AS "organizationName",
    candidate."isLinked"
  FROM (
    SELECT member_id AS id, true AS "isLinked" FROM member_accounts WHERE issuer = $1 AND subject = $2
    UNION ALL
    SELECT member.id, false FROM unnest($4::text[]) AS member (id) WHERE NOT ${isLinked('$5')}
  ) AS candidate
  JOIN members AS member ON member.id = candidate.id
  JOIN organizations AS organization ON organization.id = member.organization_id
  WHERE $3::text[] IS NULL OR member.organization_id = ANY ($3)
  ORDER BY candidate."isLinked" DESC, organization.name, member.id LIMIT ${MAX_MEMBERS}`;
