import type { Role } from '../http/pipeline/caller.js';
import type { Scope } from '../http/pipeline/scope.js';
import type { ApiTokenEntity } from './api-token.entity.js';

export interface TokenResponse {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** Null: everything the role may. */
  readonly scopes: readonly Scope[] | null;
  /** How the token begins. */
  readonly hint: string;
  /** Whose token it is; null for a token of the organisation. */
  readonly member_id: string | null;
  /** True: another member ended its text; it works again once its own member has rotated it. */
  readonly needs_rotation: boolean;
  readonly created_at: string;
  readonly expires_at: string;
  /** To the minute. */
  readonly last_used_at: string | null;
}

/** The answer that shows a token's text, the only time. */
export interface NewTokenResponse extends TokenResponse {
  readonly token: string;
}

/** `token` is missing when the token is another member's. */
export type RotatedTokenResponse = TokenResponse & Partial<NewTokenResponse>;

export function toTokenResponse(token: ApiTokenEntity): TokenResponse {
  return {
    id: token.id,
    name: token.name,
    role: token.role,
    scopes: token.scopes,
    hint: token.tokenHint,
    member_id: token.memberId,
    needs_rotation: token.needsRotation,
    created_at: token.createdAt.toISOString(),
    expires_at: token.expiresAt.toISOString(),
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
  };
}
