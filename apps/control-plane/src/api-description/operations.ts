import { MEMBERS } from '../accounts/members/members.operations.js';
import { ORGANIZATION } from '../accounts/organization/organization.operations.js';
import { TOKENS } from '../accounts/tokens/tokens.operations.js';
import { USAGE } from '../accounts/usage/usage.operations.js';
import { AGENTS } from '../agents/registry/agents.operations.js';
import { GENERATION } from '../data/generation/generation.operations.js';
import { GENERATORS } from '../data/generators/generators.operations.js';
import { MOCK_ENDPOINTS } from '../data/mock-endpoints/mock-endpoints.operations.js';
import { MODELS } from '../data/models/models.operations.js';
import { PRIVATE_MODELS } from '../data/private-models/private-models.operations.js';
import { SNAPSHOTS } from '../jobs/snapshots/requests/snapshots.operations.js';
import { REVERTS } from '../jobs/kept-databases/reverts.operations.js';
import { HOSTED_MODELS } from '../jobs/sync-jobs/hosted-models/hosted-models.operations.js';
import { SYNC_JOBS } from '../jobs/sync-jobs/requests/sync-jobs.operations.js';
import { STORED_DATA } from '../jobs/sync-jobs/stored-data/stored-data.operations.js';
import { AUDIT_LOG } from '../platform/audit-log/audit-log.operations.js';
import { WEBHOOKS } from '../webhooks/endpoints/webhooks.operations.js';
import { DESCRIPTION } from './api-description.operations.js';

/** Every operation of the API by its id. */
export const BY_ID = {
  ...GENERATION,
  ...MODELS,
  ...GENERATORS,
  ...MOCK_ENDPOINTS,
  ...SYNC_JOBS,
  ...REVERTS,
  ...STORED_DATA,
  ...SNAPSHOTS,
  ...ORGANIZATION,
  ...USAGE,
  ...MEMBERS,
  ...TOKENS,
  ...AGENTS,
  ...PRIVATE_MODELS,
  ...HOSTED_MODELS,
  ...WEBHOOKS,
  ...AUDIT_LOG,
  ...DESCRIPTION,
};

export type OperationId = keyof typeof BY_ID;

/** Every operation of the API, in the order of the reference. The server does not start if one has no route. */
export const OPERATIONS = Object.values(BY_ID);
