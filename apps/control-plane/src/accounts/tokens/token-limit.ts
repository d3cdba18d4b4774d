import type { EntityManager } from 'typeorm';

import { ApiError } from '../../platform/http/errors/api-error.js';

/** Maximum number of active tokens of an organisation. */
export const MAX_TOKENS = 10_000;

/** Number of revoked and expired tokens of an organisation that are kept. Retention can delete them earlier. */
export const KEPT_ENDED_TOKENS = 10_000;

/** @throws ApiError `limit_exceeded` */
export function assertFewTokens(active: number): void {
  if (active < MAX_TOKENS) return;
  throw new ApiError(
    'limit_exceeded',
    `An organisation can have at most ${MAX_TOKENS} active tokens. Revoke one first.`,
  );
}

/**
 * Deletes the oldest revoked and expired tokens, so that the number of all tokens of an organisation is bounded. The
 * caller must have locked the organisation. One call deletes at most 100 tokens, so that each request is fast.
 */
export async function deleteOldestEnded(
  manager: Pick<EntityManager, 'query'>,
  organizationId: string,
  now: Date,
): Promise<void> {
  await manager.query(DELETE_OLDEST_ENDED, [organizationId, now, KEPT_ENDED_TOKENS]);
}

/** $1 = organisation id, $2 = now, $3 = number of tokens to keep. */
const DELETE_OLDEST_ENDED = `
  DELETE FROM api_tokens WHERE id IN (
    SELECT id FROM api_tokens
    WHERE organization_id = $1 AND least(revoked_at, expires_at) <= $2
    ORDER BY least(revoked_at, expires_at) DESC, id DESC OFFSET $3 LIMIT 100
  )`;
