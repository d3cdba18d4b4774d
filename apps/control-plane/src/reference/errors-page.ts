import {
  failureCodes,
  failureMessage,
  isRetryable,
  SYNC_JOB_MESSAGES,
  type MessageSet,
} from '@understudy/sync-job';

import { STATUS_OF_CODE, type ApiErrorCode } from '../platform/http/errors/api-error.js';
import { RESTORE_MESSAGES, SNAPSHOT_MESSAGES } from '../jobs/snapshots/events/snapshot-errors.js';
import { markdownTable } from './limits-page.js';

/** The cause of each API error code, and what the caller can do. */
const API_CODES: Readonly<Record<ApiErrorCode, readonly [cause: string, remedy: string]>> = {
  bad_request: ['the request is not valid HTTP, JSON or multipart', 'correct the request'],
  unauthorized: ['no token, or one that is wrong, expired or revoked', 'send a valid token'],
  quota_exceeded: [
    "the plan's quota is used up",
    'delete something, wait for the next month, or change the plan',
  ],
  forbidden: [
    'the role or the scopes of the token do not allow the operation; or an agent is revoked',
    'use a token that allows it; enrol the agent again',
  ],
  not_found: ['the path or the id does not exist, or belongs to another organisation', 'check path and id'],
  method_not_allowed: ['the path does not support this method', 'use a method of the `Allow` header'],
  not_acceptable: [
    'no supported format matches the Accept header',
    'send `application/json` or no Accept header',
  ],
  request_timeout: ['the request did not arrive in time', 'send it faster, or send a smaller request'],
  conflict: [
    'the current state of a resource does not allow the request',
    'do what the message asks, then send the request again',
  ],
  payload_too_large: ['the body or a file is too large', 'see [limits](limits.md)'],
  unsupported_media_type: [
    'the Content-Type is not supported',
    'send `application/json`, or a form for uploads',
  ],
  validation_error: ['fields are missing, unknown or wrong', 'correct the fields that `details` lists'],
  generation_failed: [
    'a generator could not make a value for a row',
    'relax the constraints of the generator that the message names',
  ],
  limit_exceeded: ['the request exceeds a limit', 'request less, see [limits](limits.md)'],
  rate_limit_exceeded: ['too many requests in a minute', 'wait as many seconds as `Retry-After` contains'],
  headers_too_large: ['more than 100 headers, or more than 16 KiB', 'send fewer headers'],
  internal_error: ['a fault of the control plane', 'report it with the `request_id`'],
  unavailable: [
    'a service or an agent does not respond, or is busy',
    'send the request again after the seconds in `Retry-After`',
  ],
};

/** Returns docs/reference/errors.md: all codes of the API, of jobs, of snapshots and of restores. */
export function errorsPage(): string {
  return `# Error codes

<!-- Written by \`npm run generate\` from apps/control-plane/src/reference. Do not edit. -->

Codes are stable; messages may change. An API error has the form
\`{"error": {"code", "message", "details"}, "meta": {"request_id"}}\`. \`details\` is a list of \`{field, message}\`. A job, a
snapshot or a restore that failed has \`error.code\` and \`error.message\`.

## API

${markdownTable(
  ['code', 'status', 'cause', 'remedy'],
  Object.entries(API_CODES).map(([code, [cause, remedy]]) => [
    `\`${code}\``,
    String(STATUS_OF_CODE[code as ApiErrorCode]),
    cause,
    remedy,
  ]),
)}

## Jobs

The messages below name the table \`customers\` and its column \`email\` as examples. If a code
is marked as retried, the control plane retries the job, and reports the code only after the last attempt.

${messages(SYNC_JOB_MESSAGES, failureCodes(SYNC_JOB_MESSAGES))}

## Snapshots

A snapshot can fail with the codes of jobs that concern connections and privileges, and with these:

${messages(SNAPSHOT_MESSAGES, Object.keys(SNAPSHOT_MESSAGES.own))}

## Restores

${messages(RESTORE_MESSAGES, Object.keys(RESTORE_MESSAGES.own))}
`;
}

const NAMES = { table: () => 'customers', column: () => 'email' };

function messages(set: MessageSet, codes: readonly string[]): string {
  return [...codes]
    .sort()
    .map((code) => {
      const text = failureMessage({ code, tableIndex: 0, columnIndex: 0, side: 'target' }, NAMES, set);
      return `- **\`${code}\`**${isRetryable({ code }) ? ' (retried)' : ''}: ${text}`;
    })
    .join('\n');
}
