import {
  MAX_AGENT_LABELS,
  MAX_AGENT_SLOTS,
  MAX_COLUMNS,
  MAX_OFFERED_DATABASES,
  MAX_DATABASE_COLUMNS,
  MAX_DATABASE_TABLES,
  MAX_TABLES,
} from '@understudy/sync-job';

import { DEFAULTS } from '../platform/config/configuration.js';
import { DEFAULT_PLAN_LIMITS, PLANS, type PlanLimits } from '../platform/config/plans.js';
import { MAX_COUNT } from '../data/generation/generate.dto.js';
import {
  MAX_BODY_BYTES,
  MAX_JSON_DEPTH,
  MAX_JSON_VALUES,
  MAX_LARGE_BODY_BYTES,
} from '../platform/http/pipeline/json-body.js';
import { MAX_FILE_BYTES } from '../platform/http/uploads/multipart-form.js';
import {
  MAX_REQUESTED_COUNT,
  MAX_COUNT as MAX_MOCK_COUNT,
  MAX_LATENCY_MS,
} from '../data/mock-endpoints/mock-response.js';
import { MAX_PATH_CHARACTERS } from '../data/mock-endpoints/path-pattern.js';
import { MAX_EXPIRES_IN_DAYS, MAX_SNAPSHOT_TABLES } from '../jobs/snapshots/requests/create-snapshot.dto.js';
import { MAX_OPEN_INVITATIONS } from '../accounts/members/members.service.js';
import { MAX_EXPIRY_DAYS } from '../accounts/tokens/insert-token.js';
import { KEPT_ENDED_TOKENS, MAX_TOKENS } from '../accounts/tokens/token-limit.js';
import { MAX_ENROLMENT_TOKENS } from '../agents/registry/enrolment/insert-enrolment-token.js';

const MIB = 1024 * 1024;
const HOUR_MS = 3_600_000;

/** Returns docs/reference/limits.md: the limits of plans and of requests, from the values that the code uses. */
export function limitsPage(): string {
  return `# Limits

<!-- Written by \`npm run generate\` from apps/control-plane/src/reference. Do not edit. -->

A request that exceeds a limit fails with an [error code](errors.md) and changes nothing.

## Plans

An organisation has one plan. The operator of a control plane can change each number with \`UNDERSTUDY_PLAN_LIMITS\`
([configuration](configuration.md)).

${markdownTable(['limit', ...PLANS], [...PLAN_ROWS.map(planRow)])}

- A request that exceeds the rate gets 429 \`rate_limit_exceeded\` with \`Retry-After\`. The headers
  \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` of every response show the state of the rate
  limit. All tokens of an organisation share one rate limit. Each mock endpoint has its own, with the same numbers.
- A request that exceeds a quota gets 402 \`quota_exceeded\`. Jobs and API calls are counted by month. Mock endpoints
  and custom models count until they are deleted. Snapshots count until they are deleted, expire or fail.
  \`POST /v1/generate\` never counts as an API call.
- One address can send ${DEFAULTS.rateLimits.anonymousPerMinute} requests per minute without a valid token.
- One agent can send ${DEFAULTS.rateLimits.agentPerMinute} requests per minute that its key signs. They do not count
  for the address of the agent.
- One session of the dashboard can send ${DEFAULTS.rateLimits.sessionPerMinute} requests per minute, of which
  ${DEFAULTS.rateLimits.sessionWritesPerMinute} can change something. One address can try to sign in
  ${DEFAULTS.rateLimits.signInsPerMinute} times a minute.

## Requests

${rows([
  ['JSON body', `${mib(MAX_BODY_BYTES)}, ${MAX_JSON_DEPTH} levels`],
  ['JSON body of `POST /v1/sync/jobs`', `${mib(MAX_LARGE_BODY_BYTES)}, ${number(MAX_JSON_VALUES)} values`],
  ['time until the whole request has arrived', `${DEFAULTS.http.requestTimeoutMs / 1000} s`],
  ['entries of one page of a list', '100 (default 20)'],
  [
    'time for which the response to an `Idempotency-Key` is kept',
    `${DEFAULTS.idempotency.keepMs / HOUR_MS} hours`,
  ],
])}

## Members and tokens of an organisation

${rows([
  ['open invitations, including expired ones', number(MAX_OPEN_INVITATIONS)],
  ['active API tokens', number(MAX_TOKENS)],
  ['revoked and expired API tokens that are kept', `the newest ${number(KEPT_ENDED_TOKENS)}`],
  ['validity of an API token', `up to ${MAX_EXPIRY_DAYS} days`],
  ['unused enrolment tokens, including expired ones', number(MAX_ENROLMENT_TOKENS)],
])}

## Generation

${rows([
  ['records of a JSON response', number(MAX_COUNT)],
  ['time of one request, until the client has read the response', `${DEFAULTS.generation.wallMs / 1000} s`],
  ['wait for a free thread', `${DEFAULTS.generation.waitMs / 1000} s, then 503 \`unavailable\``],
  [
    'registered compositions',
    `${number(DEFAULTS.generators.maxPerOrganization)}, each at most ${DEFAULTS.generators.maxBytes / 1024} KiB of JSON`,
  ],
  ['custom models', `${DEFAULTS.models.maxPerOrganization}, each file at most ${mib(MAX_FILE_BYTES)}`],
])}

[Errors and limits](generators.md#errors-and-limits) lists the limits of one schema.

## Sync jobs and agents

${rows([
  ['tables of a job that replaces tables', number(MAX_TABLES)],
  ['tables of a job that replaces a database', number(MAX_DATABASE_TABLES)],
  ['columns of a job that replaces a database', number(MAX_DATABASE_COLUMNS)],
  ['columns with a rule in one table', number(MAX_COLUMNS)],
  ['attempts of a job', String(DEFAULTS.syncJobs.maxAttempts)],
  ['times that a job can lose its agent', String(DEFAULTS.syncJobs.maxLostLeases)],
  ['jobs that one agent runs at the same time', `up to ${MAX_AGENT_SLOTS} (default 1)`],
  ['databases of one agent', number(MAX_OFFERED_DATABASES)],
  ['labels of one agent', String(MAX_AGENT_LABELS)],
])}

## Snapshots, mock endpoints and webhooks

${rows([
  ['tables that a snapshot names', number(MAX_SNAPSHOT_TABLES)],
  ['lifetime of a snapshot', `1 to ${MAX_EXPIRES_IN_DAYS} days`],
  [
    'records of a mock response',
    `${number(MAX_MOCK_COUNT)}; with \`?count=\` ${number(MAX_REQUESTED_COUNT)}`,
  ],
  ['latency of a mock endpoint', `${MAX_LATENCY_MS / 1000} s`],
  ['path of a mock endpoint', `${MAX_PATH_CHARACTERS} characters`],
  ['webhooks of an organisation', String(DEFAULTS.webhooks.maxPerOrganization)],
  ['attempts of one delivery', String(DEFAULTS.webhooks.retryDelaysMs.length)],
])}
`;
}

const PLAN_ROWS: readonly (readonly [string, keyof PlanLimits])[] = [
  ['requests per minute', 'requests_per_minute'],
  ['burst: additional requests in the same minute', 'burst'],
  ['sync jobs per month', 'sync_jobs'],
  ['API calls per month', 'api_calls'],
  ['mock endpoints', 'endpoints'],
  ['snapshots', 'snapshots'],
  ['total size of custom models', 'model_bytes'],
];

function planRow([name, limit]: (typeof PLAN_ROWS)[number]): readonly string[] {
  const shown = (value: number) => (limit === 'model_bytes' ? mib(value) : number(value));
  return [name, ...PLANS.map((plan) => shown(DEFAULT_PLAN_LIMITS[plan][limit]))];
}

function rows(cells: readonly (readonly string[])[]): string {
  return markdownTable(['limit', 'value'], cells);
}

function number(value: number): string {
  return value.toLocaleString('en');
}

function mib(bytes: number): string {
  return `${number(bytes / MIB)} MiB`;
}

/** Returns a table whose cells are not aligned; the formatter aligns them. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
