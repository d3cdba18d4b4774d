import { Type } from 'typebox';

import { schemaOf, type OperationDescription } from '../api-description/operation-description.js';
import { deletedAnswer, id, instant, nullable, oneOf, pageAnswer } from '../api-description/schemas.js';
import { ROLES } from '../http/pipeline/caller.js';
import { PageQuery } from '../http/dto/page.dto.js';
import { SCOPES } from '../http/pipeline/scope.js';
import type { InvitedMemberResponse, JoinedMemberResponse, MemberResponse } from './member-response.js';
import { AcceptInvitationDto, ChangeMemberDto, InviteMemberDto } from './members.dto.js';

const FIELDS = {
  id: id('mem', 'Id of the member.'),
  email: Type.String({ description: 'As it was written in the invitation.' }),
  name: nullable(Type.String(), 'Null until the member gives one.'),
  role: oneOf(ROLES, 'Each role may do what the ones before it may.'),
  scopes: nullable(
    Type.Array(oneOf(SCOPES, 'A scope of the token that invited the member.')),
    'Every token of the member is narrowed to these; null: everything the role may.',
  ),
  status: oneOf(['invited', 'active'], 'Active from the accepted invitation on.'),
  invited_at: instant('When the invitation was made.'),
  joined_at: nullable(Type.String({ format: 'date-time' }), 'Null while invited.'),
};

const MEMBER = schemaOf<MemberResponse>('Member')(Type.Object(FIELDS));

const INVITED = schemaOf<InvitedMemberResponse>('InvitedMember')(
  Type.Object({
    ...FIELDS,
    invitation_token: Type.String({ description: 'For the invited person. Shown here and never again.' }),
    invitation_expires_at: instant('When the invitation ends.'),
  }),
);

const JOINED = schemaOf<JoinedMemberResponse>('JoinedMember')(
  Type.Object({
    ...FIELDS,
    organization_id: id('org', 'The organisation that was joined.'),
    api_token_id: id('tok', 'Id of the first API token.'),
    api_token: Type.String({
      description: "The member's first API token. Shown here and never again.",
    }),
    api_token_expires_at: instant('When the token ends.'),
  }),
);

const EXAMPLE = {
  id: 'mem_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
  email: 'ada@example.com',
  name: 'Ada',
  role: 'member',
  scopes: null,
  status: 'active',
  invited_at: '2026-11-20T14:00:00.000Z',
  joined_at: '2026-11-21T09:30:00.000Z',
};
const INVITED_EXAMPLE = { ...EXAMPLE, name: null, status: 'invited', joined_at: null };

export const MEMBER_DESCRIPTIONS = {
  listMembers: {
    tag: 'Organization',
    description: 'Newest first; invited ones too.',
    query: PageQuery,
    answer: pageAnswer('A page of members.', 'members', MEMBER, EXAMPLE),
  },
  inviteMember: {
    tag: 'Organization',
    description:
      "Nobody invites above their own role. An invitation by a narrowed token carries that token's scopes: every token of the member is narrowed to them.",
    body: InviteMemberDto,
    example: { body: { email: 'ada@example.com', role: 'member' } },
    answer: {
      says: 'The member, with the invitation.',
      data: INVITED,
      example: {
        ...INVITED_EXAMPLE,
        invitation_token: 'us_invite_Zr5cQ1x8vT0mK2pL9sD4fR7wY3bN6hG1jA8eU5oI2qX',
        invitation_expires_at: '2026-11-27T14:00:00.000Z',
      },
    },
    refusals: ['conflict'],
  },
  acceptInvitation: {
    tag: 'Organization',
    description: 'The invitation works once and needs no API token.',
    body: AcceptInvitationDto,
    example: { body: { token: 'us_invite_Zr5cQ1x8vT0mK2pL9sD4fR7wY3bN6hG1jA8eU5oI2qX', name: 'Ada' } },
    answer: {
      says: 'The member, with a first API token.',
      data: JOINED,
      example: {
        ...EXAMPLE,
        organization_id: 'org_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
        api_token_id: 'tok_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
        api_token: 'us_live_7hG2kQ9ZtX4vB8nM1pL6sD3fR5wY0c2aF9Qe',
        api_token_expires_at: '2027-02-19T09:30:00.000Z',
      },
    },
    refusals: ['unauthorized'],
  },
  getMember: { tag: 'Organization', answer: { says: 'The member.', data: MEMBER, example: EXAMPLE } },
  changeMember: {
    tag: 'Organization',
    description:
      "Counts from the next request of the member's tokens on. The last owner stays an owner. A narrowed token raises only members whose `scopes` are among its own.",
    body: ChangeMemberDto,
    example: { body: { role: 'admin' } },
    answer: { says: 'The member.', data: MEMBER, example: { ...EXAMPLE, role: 'admin' } },
    refusals: ['conflict'],
  },
  removeMember: {
    tag: 'Organization',
    description:
      'Revokes the tokens, the open invitations and the unused enrolment tokens that the member made, and every token of the organisation that the member rotated last. The last owner cannot be removed.',
    answer: deletedAnswer('The member is removed.', EXAMPLE.id),
    refusals: ['conflict'],
  },
} satisfies Record<string, OperationDescription>;
