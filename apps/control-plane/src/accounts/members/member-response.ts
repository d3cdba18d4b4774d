import type { Role } from '../../platform/http/pipeline/caller.js';
import type { Scope } from '../../platform/http/pipeline/scope.js';
import type { MemberEntity } from './member.entity.js';

export interface MemberResponse {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  /**
   * The scopes to which every token of the member is restricted. Null means everything that the role permits.
   */
  readonly scopes: readonly Scope[] | null;
  readonly status: 'invited' | 'active';
  readonly invited_at: string;
  readonly joined_at: string | null;
}

export interface InvitedMemberResponse extends MemberResponse {
  /** The token for the invited person. Only this response shows it. */
  readonly invitation_token: string;
  readonly invitation_expires_at: string;
}

export interface JoinedMemberResponse extends MemberResponse {
  readonly organization_id: string;
  readonly api_token_id: string;
  /** The member's first API token. Only this response shows it. */
  readonly api_token: string;
  readonly api_token_expires_at: string;
}

export function toMemberResponse(member: MemberEntity): MemberResponse {
  return {
    id: member.id,
    email: member.email,
    name: member.name,
    role: member.role,
    scopes: member.scopes,
    status: member.joinedAt === null ? 'invited' : 'active',
    invited_at: member.invitedAt.toISOString(),
    joined_at: member.joinedAt?.toISOString() ?? null,
  };
}
