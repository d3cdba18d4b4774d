import type { PreparedStatement } from '../../platform/persistence/statements.js';

/** The database's time in whole milliseconds, the same in all statements of a transaction. */
const NOW = `date_trunc('milliseconds', now())`;

/**
 * Selects a session with everything that is needed to admit a request. Selects no row if the token that opened
 * the session was revoked or got a new text.
 */
const selectSession = (condition: string) => `
  SELECT session.id, session.organization_id AS "organizationId", organization.name AS "organizationName",
    organization.plan, session.member_id AS "memberId", member.email, member.role AS "memberRole",
    member.scopes AS "memberScopes", session.token_id AS "tokenId", token.role AS "tokenRole",
    token.scopes AS "tokenScopes", session.signed_in_by AS "signedInBy", session.created_at AS "createdAt",
    session.last_seen_at AS "lastSeenAt", least(session.ends_at, token.expires_at) AS "endsAt",
    ${NOW} AS "now"
  FROM dashboard_sessions AS session
  JOIN organizations AS organization ON organization.id = session.organization_id
  LEFT JOIN members AS member ON member.id = session.member_id
  LEFT JOIN api_tokens AS token ON token.id = session.token_id
  WHERE ${condition} AND (
    session.token_id IS NULL OR (token.token_hash = session.token_hash AND token.revoked_at IS NULL)
  )`;

/** Every call of the dashboard runs this query. $1 = SHA-256 of the cookie's secret. */
export const FIND_SESSION = {
  name: 'find_session',
  text: selectSession('session.session_hash = $1'),
} as const satisfies PreparedStatement;

/** $1 = id. */
export const FIND_SESSION_BY_ID = selectSession('session.id = $1');

export const INSERT_SESSION = `
  INSERT INTO dashboard_sessions
    (id, organization_id, session_hash, member_id, token_id, token_hash, signed_in_by, created_at, last_seen_at, ends_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)`;

/** $1 = id. */
export const RECORD_ACTIVITY = `UPDATE dashboard_sessions SET last_seen_at = ${NOW} WHERE id = $1`;

/** $1 = id. */
export const END_SESSION = 'DELETE FROM dashboard_sessions WHERE id = $1';

/** Ends the session of a browser that signs in again. $1 = SHA-256 of the cookie's secret. */
export const END_REPLACED_SESSION = `
  DELETE FROM dashboard_sessions WHERE session_hash = $1
  RETURNING id, organization_id AS "organizationId", member_id AS "memberId", token_id AS "tokenId"`;

/** The sessions of a member, or of a token if there is no member. $1 = member id, $2 = token id. */
const OWN = `
  (session.member_id = $1 OR ($1::text IS NULL AND session.member_id IS NULL AND session.token_id = $2))`;

/** The newest 100 own sessions that have not ended. $3 = end of the idle time before now, $4 = now. */
export const LIST_SESSIONS = `${selectSession(`${OWN} AND session.last_seen_at > $3
    AND least(session.ends_at, token.expires_at) > $4`)}
  ORDER BY session.created_at DESC, session.id DESC LIMIT 100`;

/** Ends one of the own sessions. $3 = id. */
export const END_OWN_SESSION = `DELETE FROM dashboard_sessions AS session WHERE session.id = $3 AND ${OWN}`;

/** Ends all own sessions. */
export const END_ALL_SESSIONS = `DELETE FROM dashboard_sessions AS session WHERE ${OWN}`;
