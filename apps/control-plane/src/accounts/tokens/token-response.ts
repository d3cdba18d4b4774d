import type { Role } from '../../platform/http/pipeline/caller.js';
import type { Scope } from '../../platform/http/pipeline/scope.js';
import type { ApiTokenEntity } from './api-token.entity.js';

export interface TokenResponse {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** Null means everything that the role permits. */
  readonly scopes: readonly Scope[] | null;
  /** The first characters of the token. */
  readonly hint: string;
  /** The member who owns the token; null for a token of the organisation. */
  readonly member_id: string | null;
  /**
   * True if another member rotated the token. The token works again after the member who owns it has rotated
   * it.
   */
  readonly needs_rotation: boolean;
  readonly created_at: string;
  readonly expires_at: string;
  /** Exact to the minute. */
  readonly last_used_at: string | null;
}

/** The only response that shows a token's text. */
export interface NewTokenResponse extends TokenResponse {
  readonly token: string;
}

/** `token` is missing if the token belongs to another member. */
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
