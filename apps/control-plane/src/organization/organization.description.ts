import { Type } from 'typebox';

import { schemaOf, type OperationDescription } from '../api-description/operation-description.js';
import { count, id, instant, oneOf } from '../api-description/schemas.js';
import { PLANS } from '../config/plans.js';
import { ChangeOrganizationDto } from './change-organization.dto.js';
import type { OrganizationResponse } from './organization.service.js';

const usage = (description: string) =>
  Type.Object(
    { used: count('This month, or what exists now.'), limit: count('Of the plan.') },
    { description },
  );

const ORGANIZATION = schemaOf<OrganizationResponse>('Organization')(
  Type.Object({
    id: id('org', 'Id of the organisation.'),
    name: Type.String(),
    plan: oneOf(PLANS, 'Decides limits and quotas.'),
    members: count('Invited ones too.'),
    usage: Type.Object({
      sync_jobs: usage('Jobs created this month; failed ones too, dry runs not.'),
      endpoints: usage('Mock endpoints that exist.'),
      snapshots: usage('Snapshots that exist.'),
      api_calls: usage('Calls this month, `POST /generate` not; exact within 10 seconds.'),
    }),
    billing_cycle_end: instant('When the month ends and its counts begin again.'),
    warnings: Type.Array(
      Type.Object({
        code: oneOf(['webhook_disabled'], 'Stable.'),
        message: Type.String(),
        webhook_id: id('wh', 'The webhook that it is about.'),
      }),
      { description: 'What somebody of the organisation should look at.' },
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
  getOrganization: {
    tag: 'Organization',
    answer: { says: 'The organisation of the token.', data: ORGANIZATION, example: EXAMPLE },
  },
  changeOrganization: {
    tag: 'Organization',
    description:
      'Limits and quotas are those of the new plan from the next request on. What exists beyond the quotas of a smaller plan stays, and nothing is added to it.',
    body: ChangeOrganizationDto,
    example: { body: { plan: 'business' } },
    answer: { says: 'The organisation.', data: ORGANIZATION, example: { ...EXAMPLE, plan: 'business' } },
  },
} satisfies Record<string, OperationDescription>;
