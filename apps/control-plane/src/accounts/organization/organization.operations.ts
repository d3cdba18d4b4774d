import { operations } from '../../platform/http/operations/operation.js';
import { ChangeOrganizationDto } from './change-organization.dto.js';
import { CallerResponse, OrganizationResponse } from './organization-response.js';

const EXAMPLE = {
  id: 'org_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
  name: 'Acme',
  plan: 'team',
  members: 7,
  usage: {
    sync_jobs: { used: 31, limit: 500 },
    endpoints: { used: 2, limit: 50 },
    snapshots: { used: 0, limit: 50 },
    api_calls: { used: 18_204, limit: 1_000_000 },
  },
  billing_cycle_end: '2026-12-01T00:00:00.000Z',
  warnings: [],
};

export const ORGANIZATION = operations('Organization', {
  whoami: {
    method: 'GET',
    path: '/v1/whoami',
    client: 'whoami',
    summary: 'shows the caller: role, scopes, organisation, member and token',
    role: 'viewer',
    scope: null,
    calls: 'always_served',
    response: {
      description: 'The caller.',
      data: CallerResponse,
      example: {
        role: 'member',
        scopes: ['jobs:read', 'jobs:write'],
        organization: { id: EXAMPLE.id, name: EXAMPLE.name, plan: EXAMPLE.plan },
        member: { id: 'mem_01KAMT8Z5CVYX7R2M4D6Q9WJ3E', email: 'ada@example.com' },
        token: {
          id: 'tok_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
          name: 'ci',
          expires_at: '2027-02-19T09:30:00.000Z',
        },
      },
    },
  },
  getOrganization: {
    method: 'GET',
    path: '/v1/org',
    client: 'organization.get',
    summary: 'shows the organisation, its plan and its usage',
    role: 'viewer',
    scope: 'org:read',
    calls: 'always_served',
    response: { description: 'The organisation of the token.', data: OrganizationResponse, example: EXAMPLE },
  },
  changeOrganization: {
    method: 'PATCH',
    path: '/v1/org',
    client: 'organization.change',
    summary: "changes the organisation's plan",
    description:
      'Limits and quotas of the new plan apply from the next request. Resources beyond the quotas of a smaller plan stay, but you cannot add more.',
    role: 'owner',
    scope: 'org:write',
    calls: 'always_served',
    body: ChangeOrganizationDto,
    example: { body: { plan: 'business' } },
    response: {
      description: 'The organisation.',
      data: OrganizationResponse,
      example: { ...EXAMPLE, plan: 'business' },
    },
  },
});
