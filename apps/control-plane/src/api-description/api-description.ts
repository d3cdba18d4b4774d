import { entityTag } from '../platform/http/pipeline/entity-tag.js';
import { OPERATIONS, type OperationId } from '../platform/http/operations/operations.js';
import { openApiDocument } from './openapi-document.js';
import { AGENT_DESCRIPTIONS } from '../agents/registry/agents.description.js';
import { AUDIT_LOG_DESCRIPTIONS } from '../platform/audit-log/audit-log.description.js';
import { GENERATION_DESCRIPTIONS } from '../data/generation/generation.description.js';
import { GENERATOR_DESCRIPTIONS } from '../data/generators/generators.description.js';
import { MEMBER_DESCRIPTIONS } from '../accounts/members/members.description.js';
import { MOCK_ENDPOINT_DESCRIPTIONS } from '../data/mock-endpoints/mock-endpoints.description.js';
import { MODEL_DESCRIPTIONS } from '../data/models/models.description.js';
import { ORGANIZATION_DESCRIPTIONS } from '../accounts/organization/organization.description.js';
import { SNAPSHOT_DESCRIPTIONS } from '../jobs/snapshots/requests/snapshots.description.js';
import { SYNC_JOB_DESCRIPTIONS } from '../jobs/sync-jobs/requests/sync-jobs.description.js';
import { STORED_DATA_DESCRIPTIONS } from '../jobs/sync-jobs/stored-data/stored-data.description.js';
import { TOKEN_DESCRIPTIONS } from '../accounts/tokens/tokens.description.js';
import { USAGE_DESCRIPTIONS } from '../accounts/usage/usage.description.js';
import { WEBHOOK_DESCRIPTIONS } from '../webhooks/endpoints/webhooks.description.js';
import { API_DESCRIPTION_DESCRIPTIONS } from './api-description.description.js';
import type { OperationDescription } from '../platform/http/operations/operation-description.js';

/** Describes every operation. The compiler reports an operation without a description. */
export const OPERATION_DESCRIPTIONS: Readonly<Record<OperationId, OperationDescription>> = {
  ...GENERATION_DESCRIPTIONS,
  ...MODEL_DESCRIPTIONS,
  ...GENERATOR_DESCRIPTIONS,
  ...MOCK_ENDPOINT_DESCRIPTIONS,
  ...SYNC_JOB_DESCRIPTIONS,
  ...STORED_DATA_DESCRIPTIONS,
  ...SNAPSHOT_DESCRIPTIONS,
  ...ORGANIZATION_DESCRIPTIONS,
  ...USAGE_DESCRIPTIONS,
  ...MEMBER_DESCRIPTIONS,
  ...TOKEN_DESCRIPTIONS,
  ...AGENT_DESCRIPTIONS,
  ...WEBHOOK_DESCRIPTIONS,
  ...AUDIT_LOG_DESCRIPTIONS,
  ...API_DESCRIPTION_DESCRIPTIONS,
};

/** The version of the API. It changes only if the API changes, and not with the version of the product. */
const VERSION = '1.0.0';

export const API_DESCRIPTION = openApiDocument(OPERATIONS, OPERATION_DESCRIPTIONS, VERSION);

/** The document as the server sends it. */
export const API_DESCRIPTION_TEXT = JSON.stringify(API_DESCRIPTION);
export const API_DESCRIPTION_ETAG = entityTag(API_DESCRIPTION_TEXT);
