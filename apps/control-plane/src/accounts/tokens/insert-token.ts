import type { EntityManager } from 'typeorm';
import { ulid } from 'ulid';

import { insertAuditEntry } from '../../platform/audit-log/insert-audit-entry.js';
import type { AuditedChange } from '../../platform/audit-log/audit-entry.js';
import type { Role } from '../../platform/http/pipeline/caller.js';
import type { Scope } from '../../platform/http/pipeline/scope.js';
import { hashOfSecret } from '../../platform/random-secrets.js';
import { INSERT_TOKEN } from './insert-token.sql.js';
import { newToken, hintOf } from './authentication/token-text.js';
import { deleteOldestEnded } from './token-limit.js';
import { assertTokenNameIsFree, freeTokenName } from './token-names.js';

export interface TokenRequest extends AuditedChange {
  readonly name: string;
  /** Adds a number to the name if an active token has it. Otherwise, such a name is refused. */
  readonly isNumbered?: boolean;
  readonly role: Role;
  readonly scopes?: readonly Scope[] | null;
  readonly memberId?: string | null;
  readonly expiresInDays?: number;
}

export const DEFAULT_EXPIRY_DAYS = 90;
export const MAX_EXPIRY_DAYS = 365;

export function expiryOf(now: Date, days = DEFAULT_EXPIRY_DAYS): Date {
  return new Date(now.getTime() + days * 86_400_000);
}

/**
 * Creates a token and its entry in the audit log inside the caller's transaction. Locks the organisation.
 * @returns the token's text, which is not stored
 * @throws ApiError `conflict` if an active token has the name, or one that readers confuse with it;
 *   `limit_exceeded` if the organisation has the maximum number of active tokens
 */
export async function insertToken(
  manager: Pick<EntityManager, 'query'>,
  request: TokenRequest,
): Promise<{ id: string; token: string; hint: string; expiresAt: Date }> {
  const { organizationId, role, now, actor, requestId, scopes = null, memberId = null } = request;
  const name = request.isNumbered ? await freeTokenName(manager, request) : request.name;
  if (!request.isNumbered) await assertTokenNameIsFree(manager, request);
  await deleteOldestEnded(manager, organizationId, now);
  const id = `tok_${ulid()}`;
  const token = newToken();
  const hint = hintOf(token);
  const expiresAt = expiryOf(now, request.expiresInDays);
  await manager.query(INSERT_TOKEN, [
    id,
    organizationId,
    name,
    role,
    scopes,
    memberId,
    hashOfSecret(token),
    hint,
    now,
    expiresAt,
  ]);
  await insertAuditEntry(manager, {
    ...{ organizationId, now, actor, requestId },
    action: 'token.created',
    targetId: id,
    details: { name, role, scopes, member_id: memberId, expires_at: expiresAt.toISOString() },
  });
  return { id, token, hint, expiresAt };
}
