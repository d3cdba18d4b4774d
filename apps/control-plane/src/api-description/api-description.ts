import { createHash } from 'node:crypto';

import { OPERATIONS } from '../http/operations/operations.js';
import { openApiDocument } from './openapi-document.js';
import { OPERATION_DESCRIPTIONS } from './operation-descriptions.js';

/** Of the contract, not of the product: it changes when the API does. */
const VERSION = '1.0.0';

export const API_DESCRIPTION = openApiDocument(OPERATIONS, OPERATION_DESCRIPTIONS, VERSION);

/** As it is served. */
export const API_DESCRIPTION_TEXT = JSON.stringify(API_DESCRIPTION);
export const API_DESCRIPTION_ETAG = `"${createHash('sha256').update(API_DESCRIPTION_TEXT).digest('base64url')}"`;
