import { operations } from '../../platform/http/operations/operation.js';
import { deletedResponse, pageResponse } from '../../platform/http/operations/schemas.js';
import { PageQuery } from '../../platform/http/dto/page.dto.js';
import { InvitedMemberResponse, JoinedMemberResponse, MemberResponse } from './member-response.js';
import { AcceptInvitationDto, ChangeMemberDto, InviteMemberDto } from './members.dto.js';

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

export const MEMBERS = operations('Organization', {
  listMembers: {
    method: 'GET',
    path: '/v1/org/members',
    client: 'members.list',
    summary: 'lists the members',
    description: 'The newest members come first. Invited members are included.',
    role: 'viewer',
    scope: 'org:read',
    calls: 'always_served',
    query: PageQuery,
    response: pageResponse('A page of members.', 'members', MemberResponse, EXAMPLE),
  },
  inviteMember: {
    method: 'POST',
    path: '/v1/org/members',
    client: 'members.invite',
    summary: 'invites a member',
    description:
      'You cannot invite a member with a role above your own. If your token is restricted to scopes, every token of the new member is restricted to them, too.',
    role: 'admin',
    scope: 'org:write',
    calls: 'always_served',
    body: InviteMemberDto,
    example: { body: { email: 'ada@example.com', role: 'member' } },
    status: 201,
    location: '/v1/org/members/:id',
    secrets: ['invitation_token'],
    response: {
      description: 'The member, with the invitation.',
      data: InvitedMemberResponse,
      example: {
        ...INVITED_EXAMPLE,
        invitation_token: 'us_invite_Zr5cQ1x8vT0mK2pL9sD4fR7wY3bN6hG1jA8eU5oI2qX',
        invitation_expires_at: '2026-11-27T14:00:00.000Z',
      },
    },
    refusals: ['conflict'],
  },
  acceptInvitation: {
    method: 'POST',
    path: '/v1/org/members/accept',
    client: 'members.acceptInvitation',
    isNeverRepeated: true,
    summary: 'turns an invitation into membership and a first API token',
    description: 'An invitation token works once. This operation needs no API token.',
    role: 'public',
    body: AcceptInvitationDto,
    example: { body: { token: 'us_invite_Zr5cQ1x8vT0mK2pL9sD4fR7wY3bN6hG1jA8eU5oI2qX', name: 'Ada' } },
    secrets: ['api_token'],
    response: {
      description: 'The member, with a first API token.',
      data: JoinedMemberResponse,
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
  getMember: {
    method: 'GET',
    path: '/v1/org/members/:id',
    client: 'members.get',
    summary: 'shows a member',
    role: 'viewer',
    scope: 'org:read',
    calls: 'always_served',
    resource: 'member',
    response: { description: 'The member.', data: MemberResponse, example: EXAMPLE },
  },
  changeMember: {
    method: 'PATCH',
    path: '/v1/org/members/:id',
    client: 'members.change',
    summary: "changes a member's role",
    description:
      "The change applies from the member's next request. The last owner must stay an owner. A token that is restricted to scopes can raise only members whose `scopes` it covers.",
    role: 'admin',
    scope: 'org:write',
    calls: 'always_served',
    resource: 'member',
    body: ChangeMemberDto,
    example: { body: { role: 'admin' } },
    response: { description: 'The member.', data: MemberResponse, example: { ...EXAMPLE, role: 'admin' } },
    refusals: ['conflict'],
  },
  removeMember: {
    method: 'DELETE',
    path: '/v1/org/members/:id',
    client: 'members.remove',
    summary: 'removes a member and revokes the tokens and invitations that the member made',
    description:
      "Removes the member and revokes the member's tokens. It also revokes the open invitations and unused enrolment tokens that the member made. Every token of the organisation that the member rotated last is revoked, too. The last owner cannot be removed.",
    role: 'admin',
    scope: 'org:write',
    calls: 'always_served',
    resource: 'member',
    response: deletedResponse('The member is removed.', EXAMPLE.id),
    refusals: ['conflict'],
  },
});
