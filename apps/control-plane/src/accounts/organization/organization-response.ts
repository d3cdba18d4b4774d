import { Type } from 'typebox';

import { PLANS } from '../../platform/config/plans.js';
import {
  count,
  id,
  instant,
  named,
  nullable,
  oneOf,
  type ResponseOf,
} from '../../platform/http/operations/schemas.js';
import { ROLES } from '../../platform/http/pipeline/caller.js';
import { SCOPES } from '../../platform/http/pipeline/scope.js';

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

export const OrganizationResponse = named('Organization', {
  ...IDENTITY,
  members: count('Number of members, including invited ones.'),
  usage: Type.Object({
    sync_jobs: usage('Jobs that were created this month. Failed jobs count; dry runs do not.'),
    endpoints: usage('Current number of mock endpoints.'),
    snapshots: usage('Current number of snapshots.'),
    api_calls: usage('Calls of this month, without `POST /generate`. The number is at most 10 seconds old.'),
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
});
export type OrganizationResponse = ResponseOf<typeof OrganizationResponse>;

export const CallerResponse = named('Caller', {
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
});
export type CallerResponse = ResponseOf<typeof CallerResponse>;
