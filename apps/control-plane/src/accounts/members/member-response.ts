import { Type } from 'typebox';

import {
  id,
  instant,
  named,
  nullable,
  nullableInstant,
  oneOf,
  type ResponseOf,
} from '../../platform/http/operations/schemas.js';
import { ROLES } from '../../platform/http/pipeline/caller.js';
import { SCOPES } from '../../platform/http/pipeline/scope.js';
import type { MemberEntity } from './member.entity.js';

export const MemberResponse = named('Member', {
  id: id('mem', 'Id of the member.'),
  email: Type.String({ description: 'The address as written in the invitation.' }),
  name: nullable(Type.String(), 'Null until the member sets a name.'),
  role: oneOf(ROLES, 'Role of the member. Each role includes the ones before it.'),
  scopes: nullable(
    Type.Array(oneOf(SCOPES, 'A scope of the token that invited the member.')),
    'Every token of the member is restricted to these scopes. Null: everything that the role may do.',
  ),
  status: oneOf(['invited', 'active'], '`active` after the member has accepted the invitation.'),
  invited_at: instant('When the member was invited.'),
  joined_at: nullableInstant('When the member accepted the invitation; null before.'),
});
export type MemberResponse = ResponseOf<typeof MemberResponse>;

export const InvitedMemberResponse = named('InvitedMember', {
  ...MemberResponse.properties,
  invitation_token: Type.String({
    description: 'The token for the invited person. Only this response shows it.',
  }),
  invitation_expires_at: instant('When the invitation expires.'),
});
export type InvitedMemberResponse = ResponseOf<typeof InvitedMemberResponse>;

export const JoinedMemberResponse = named('JoinedMember', {
  ...MemberResponse.properties,
  organization_id: id('org', 'The organisation that the member joined.'),
  api_token_id: id('tok', 'Id of the first API token.'),
  api_token: Type.String({
    description: "The member's first API token. Only this response shows it.",
  }),
  api_token_expires_at: instant('When the token expires.'),
});
export type JoinedMemberResponse = ResponseOf<typeof JoinedMemberResponse>;

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
