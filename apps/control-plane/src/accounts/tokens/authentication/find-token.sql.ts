import type { PreparedStatement } from '../../../platform/persistence/statements.js';

/**
 * Finds a token by its hash, together with everything that is needed to admit a request. It is one query,
 * because every request runs it. $1 = SHA-256 of the token, $2 = the current month, as in `usage_counters`.
 */
export const FIND_TOKEN = {
  name: 'find_token',
  text: `
  SELECT token.id, token.organization_id AS "organizationId", token.role, token.scopes,
    token.member_id AS "memberId", token.expires_at AS "expiresAt", token.revoked_at AS "revokedAt",
    token.last_used_at AS "lastUsedAt", organization.plan, member.role AS "memberRole",
    coalesce(calls.used, 0)::float8 AS "apiCallsUsed"
  FROM api_tokens AS token
  JOIN organizations AS organization ON organization.id = token.organization_id
  LEFT JOIN members AS member ON member.id = token.member_id
  LEFT JOIN usage_counters AS calls ON calls.organization_id = token.organization_id
    AND calls.metric = 'api_calls' AND calls.period = $2
  WHERE token.token_hash = $1`,
} as const satisfies PreparedStatement;

export const RECORD_USE = `UPDATE api_tokens SET last_used_at = $2 WHERE id = $1`;
