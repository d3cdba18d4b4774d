import { Type } from 'typebox';

import { schemaOf, type OperationDescription } from '../../platform/http/operations/operation-description.js';
import { count, id, instant, nullable, oneOf } from '../../platform/http/operations/schemas.js';
import { PLANS } from '../../platform/config/plans.js';
import { ROLES } from '../../platform/http/pipeline/caller.js';
import { SCOPES } from '../../platform/http/pipeline/scope.js';
import { ChangeOrganizationDto } from './change-organization.dto.js';
import type { OrganizationResponse } from './organization.service.js';
import type { CallerResponse } from './whoami.service.js';

const usage = (description: string) =>
  Type.Object(
    { used: count('Usage of this month, or the current number.'), limit: count('Limit of the plan.') },
    { description },
  );

const IDENTITY = {
  id: id('org', 'Id of the organisation.'),
  name: Type.String(),
  plan: oneOf(PLANS, 'The plan, which sets limits and quotas.'),
};

const ORGANIZATION = schemaOf<OrganizationResponse>('Organization')(
  Type.Object({
    ...IDENTITY,
    members: count('Number of members, including invited ones.'),
    usage: Type.Object({
      sync_jobs: usage('Jobs that were created this month. Failed jobs count; dry runs do not.'),
      endpoints: usage('Current number of mock endpoints.'),
      snapshots: usage('Current number of snapshots.'),
      api_calls: usage(
        'Calls of this month, without `POST /generate`. The number is at most 10 seconds old.',
      ),
    }),
    billing_cycle_end: instant('When the month ends and its counts restart.'),
    warnings: Type.Array(
      Type.Object({
        code: oneOf(['webhook_disabled'], 'Stable code of the warning.'),
        message: Type.String(),
        webhook_id: id('wh', 'The webhook that the warning is about.'),
      }),
      { description: 'Problems that a member of the organisation should check.' },
    ),
  }),
);

const CALLER = schemaOf<CallerResponse>('Caller')(
  Type.Object({
    role: oneOf(ROLES, "The lower one of the token's role and the role of the member who owns it."),
    scopes: nullable(
      Type.Array(oneOf(SCOPES, 'A scope of the token.')),
      'The scopes to which the token is restricted. Null: everything that the role may do.',
    ),
    organization: Type.Object(IDENTITY, { description: 'The organisation of the token.' }),
    member: nullable(
      Type.Object({ id: id('mem', 'Id of the member.'), email: Type.String() }),
      'The member who owns the token; null for a token of the organisation.',
    ),
    token: nullable(
      Type.Object({
        id: id('tok', 'Id of the token.'),
        name: Type.String(),
        expires_at: instant('When the token expires.'),
      }),
      'The token of the request; null for a session of the dashboard.',
    ),
  }),
);

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

export const ORGANIZATION_DESCRIPTIONS = {
  whoami: {
    tag: 'Organization',
    response: {
      description: 'The caller.',
      data: CALLER,
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
    tag: 'Organization',
    response: { description: 'The organisation of the token.', data: ORGANIZATION, example: EXAMPLE },
  },
  changeOrganization: {
    tag: 'Organization',
    description:
      'Limits and quotas of the new plan apply from the next request. Resources beyond the quotas of a smaller plan stay, but you cannot add more.',
    body: ChangeOrganizationDto,
    example: { body: { plan: 'business' } },
    response: {
      description: 'The organisation.',
      data: ORGANIZATION,
      example: { ...EXAMPLE, plan: 'business' },
    },
  },
} satisfies Record<string, OperationDescription>;
