import { covered, decidedOtherwise, leadIn, leftOpen, type Section } from '../row.js';
import {
  apiContract,
  conditions,
  dashboardApiKeys,
  dashboardWebhooks,
  generation,
  generators,
  generatorsApi,
  goClient,
  httpEdge,
  webhookEvents,
  mockServing,
  models,
  modelsApi,
  operations,
  outages,
  phpClient,
  pythonClient,
  receivers,
  registry,
  service,
  snapshots,
  statistical,
  tokens,
  typescriptClient,
  usage,
  webhooks,
  webhooksInt,
} from './suites.js';

/** Sections 5 to 9: authentication, events, errors, limits and versions. */
export const RULES: readonly Section[] = [
  {
    number: '5',
    title: 'Authentication',
    rows: [
      decidedOtherwise(
        'Every API request requires a Bearer token in the header `Authorization: Bearer <API_TOKEN>`.',
        'Five operations need no token. Each needs a one-time secret or a signature instead, or shows the OpenAPI document.',
        service('Every operation requires a Bearer token, except five'),
        service('Every API request requires `Authorization: Bearer <API_TOKEN>`'),
      ),
      covered(
        'API tokens are created in the dashboard under settings, API keys.',
        dashboardApiKeys('are created with few scopes, rotated and revoked'),
        tokens('returns its text once, with all its fields'),
      ),
      covered(
        'A missing or invalid token yields status 401 with code `unauthorized`.',
        service('A missing or invalid token is 401 unauthorized'),
      ),
      covered(
        'Insufficient permissions yield 403 `forbidden`.',
        service('Insufficient permissions are 403 forbidden'),
      ),
      covered(
        'Webhook authenticity: each webhook request carries the header `X-Service-Signature`, the HMAC-SHA256 (hex digest) of the raw request body keyed with the webhook secret (`<WEBHOOK_SECRET>`, configured in the dashboard under settings, webhooks).',
        webhooks(
          'Each webhook carries X-Service-Signature: HMAC-SHA256 in hex of the raw body, keyed with the secret',
        ),
        dashboardWebhooks('show a new secret after a rotation, and are deleted'),
      ),
      covered(
        'A receiver compares the expected digest with the header in constant time and rejects a mismatch (the reference receiver answers 401).',
        webhooks('The receivers of docs/guides/webhooks.md compare in constant time'),
        receivers('the receiver in Node accepts the delivery and returns 401 for everything else'),
        receivers('the receiver in Python accepts the delivery and returns 401 for everything else'),
        receivers('the receiver in PHP accepts the delivery and returns 401 for everything else'),
        receivers('the receiver in Go accepts the delivery and returns 401 for everything else'),
      ),
      leftOpen(
        'Which roles or permissions exist and which operation needs which: not shown.',
        'The roles are viewer, member, admin and owner. [The API page](api.md) shows the role that each operation needs.',
        operations('POST /v1/sync/jobs requires its role or a higher one'),
      ),
      leftOpen(
        'Token scopes and token expiry: not shown.',
        'A token may be limited to scopes. By default, it expires after 90 days.',
        operations('POST /v1/sync/jobs requires its scope'),
        tokens('defaults to 90 days and all scopes of the role'),
      ),
      leftOpen(
        'Authentication of calls to hosted mock endpoints under `{mock_url}`: not shown.',
        'A call needs no token unless the endpoint has `auth: "token"`.',
        mockServing('accepts only tokens of its organisation'),
      ),
    ],
  },
  {
    number: '6',
    title: 'Events',
    rows: [
      decidedOtherwise(
        'Webhooks are configured in the dashboard (settings, webhooks); there is no API operation for it.',
        'The dashboard configures webhooks. There are also operations for it, under /v1/webhooks.',
        dashboardWebhooks('are added, tested, and send a refused delivery again until it arrives'),
        webhooksInt('causes signed events at its start and its completion'),
      ),
      leadIn('Events:'),
      covered(
        '| sync.started | A sync job started. |',
        webhooks('sync.started is sent when a job starts, sync.completed and sync.failed when it ends'),
      ),
      covered(
        '| sync.completed | A sync job completed. |',
        webhooks('sync.started is sent when a job starts, sync.completed and sync.failed when it ends'),
      ),
      covered(
        '| sync.failed | A sync job failed. |',
        webhooks('sync.started is sent when a job starts, sync.completed and sync.failed when it ends'),
      ),
      covered(
        '| snapshot.created | A snapshot was created. |',
        snapshots('snapshot.created and snapshot.restored are sent'),
      ),
      covered(
        '| snapshot.restored | A snapshot was restored. |',
        snapshots('snapshot.created and snapshot.restored are sent'),
      ),
      decidedOtherwise(
        'Payload shape: `{ event: string, timestamp: string, data: object }`.',
        'The payload also has an `id`. Section 9 of the reference allows new fields.',
        webhooks('A payload is { event, timestamp, data }'),
      ),
      covered(
        'For `sync.completed`, `data` is `{ job_id: string, name: string, rows_processed: integer, duration_seconds: integer }`.',
        webhooks('data of sync.completed is { job_id, name, rows_processed, duration_seconds }'),
      ),
      covered(
        'Each request carries `X-Service-Signature` (section 5).',
        webhooks(
          'Each webhook carries X-Service-Signature: HMAC-SHA256 in hex of the raw body, keyed with the secret',
        ),
      ),
      leftOpen(
        'Payload `data` of the other four events: not shown.',
        '[The webhook page](../guides/webhooks.md) shows the data of each event.',
        webhookEvents('reports the start and the completion, with exactly the documented keys'),
        webhookEvents('reports the failure with its error'),
        snapshots('snapshot.created and snapshot.restored are sent'),
      ),
      leftOpen(
        'Delivery retries, time-outs and ordering: not shown.',
        'The service tries a delivery up to ten times within about 75 hours. Each attempt has a time-out of 15 s. Events may arrive in another order.',
        webhooksInt('is retried by the schedule with one id and body, and fails after ten attempts'),
      ),
    ],
  },
  {
    number: '7',
    title: 'Errors',
    rows: [
      covered(
        'Error envelope: `{ error: { code: string, message: string, details?: array of { field: string, message: string } }, meta: { request_id: string, timestamp: string } }`.',
        service('An error is { error: { code, message, details? }, meta: { request_id, timestamp } }'),
      ),
      covered(
        '`details` is given for validation errors.',
        service('Validation errors have details: [{ field, message }]'),
      ),
      covered('| unauthorized | 401 | Invalid or missing API token. |', service('unauthorized is 401')),
      covered('| forbidden | 403 | Insufficient permissions. |', service('forbidden is 403')),
      covered('| not_found | 404 | Resource not found. |', service('not_found is 404')),
      covered('| validation_error | 422 | Invalid request parameters. |', service('validation_error is 422')),
      covered('| rate_limit_exceeded | 429 | Too many requests. |', service('rate_limit_exceeded is 429')),
      covered(
        '| internal_error | 500 | Server error. |',
        outages('that makes a table unavailable causes a 500 response without SQL'),
      ),
      decidedOtherwise(
        'Generation-time error conditions defined in section 2.9 (each is an error of the generator): `unique` cannot fill after 200 attempts; `int_between` or `float_between` with min > max; `int_between` `except` excludes the whole range or cannot be avoided in 1000 tries; list with empty selection, all-zero weights or missing `key` bucket; categorical with empty or all-zero weights; acrostic with an unsatisfiable initial; multivariate with duplicate or empty variable names or a matrix that is not square and positive-definite; event sequence without anchor or with an unknown `after`; composition with a cycle in `let` or an unknown reference; use of the removed types `template` or `linked`; mode `algebraic`.',
        '`except` of `int_between` fails only if it excludes the whole range. All other conditions are errors, as the reference requires.',
        conditions('unique cannot fill after 200 attempts'),
        conditions('int_between with min > max'),
        conditions('float_between with min > max'),
        conditions('int_between whose except excludes the whole range'),
        conditions('list with an empty selection: where matches nothing'),
        conditions('list with all-zero weights'),
        conditions('list with a missing key bucket'),
        conditions('categorical, empty'),
        conditions('categorical with all-zero weights'),
        conditions('multivariate with duplicate names'),
        conditions('multivariate with an empty name'),
        conditions('multivariate with a matrix that is not square: rows'),
        conditions('multivariate with a matrix that is not square: columns'),
        conditions('multivariate with a matrix that is not positive-definite'),
        conditions('event sequence without anchor'),
        conditions('event sequence with an unknown after'),
        conditions('composition with a cycle in let'),
        conditions('composition with an unknown reference'),
        conditions('type template'),
        conditions('type linked'),
        conditions('mode algebraic'),
        generation('An acrostic with an unsatisfiable initial is an error of its generator'),
      ),
      leftOpen(
        'Status and code returned when a schema fails at generation time: not shown.',
        'The status is 422. The code is `validation_error` if the definition is invalid, or `generation_failed` if a record cannot be generated.',
        generators('unique re-rolls a collision up to 200 times, then errors'),
      ),
      leftOpen(
        'Codes and statuses when a plan quota is exhausted: not shown.',
        'The status is 402 with the code `quota_exceeded`.',
        usage('admits exactly one of a hundred parallel requests if one job remains'),
      ),
      leftOpen(
        'Codes for conflicts or duplicate resources: not shown.',
        'The status is 409 with the code `conflict`.',
        modelsApi('refuses a name that is taken, and accepts it again after the model is deleted'),
      ),
    ],
  },
  {
    number: '8',
    title: 'Limits',
    rows: [
      leadIn('Rate limits per plan:'),
      covered('| Free | 60 | 10 |', service('Free has 60 requests a minute and a burst of 10')),
      covered('| Starter | 300 | 50 |', service('Starter has 300 requests a minute and a burst of 50')),
      covered('| Team | 1,000 | 100 |', service('Team has 1,000 requests a minute and a burst of 100')),
      covered(
        '| Business | 5,000 | 500 |',
        service('Business has 5,000 requests a minute and a burst of 500'),
      ),
      covered(
        'Every response carries the headers `X-RateLimit-Limit` (requests allowed), `X-RateLimit-Remaining` (requests left), `X-RateLimit-Reset` (integer timestamp at which the window resets).',
        service('Every response carries X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset'),
        service('X-RateLimit-Reset is an integer timestamp of the end of the window'),
      ),
      covered(
        'Exceeding the limit yields 429 `rate_limit_exceeded`.',
        service('Exceeding the limit is 429 rate_limit_exceeded'),
      ),
      leadIn('Other limits:'),
      covered(
        '| POST /generate `count` | 1 to 100,000 |',
        generation('count is required, an integer from 1 to 100,000'),
      ),
      covered(
        '| GET /models `per_page` | default 20, max 100 |',
        models('per_page is 20 by default, at most 100'),
      ),
      covered(
        '| unique modifier, composition `repeat` unique | 200 attempts |',
        generation('unique makes 200 attempts'),
      ),
      decidedOtherwise(
        '| int_between `except` | 1000 tries |',
        'There is no limit of tries. `int_between` picks only from the numbers that `except` leaves.',
        conditions('finds the one value that is left of 100,000'),
      ),
      covered(
        '| continuous statistical window | 50 resamples, then clamp |',
        statistical('retries at most 50 times to hit the window, and then returns the nearer bound'),
      ),
      covered('| digits `digits` | clamped to 1-18 |', generation('digits is clamped to 1-18')),
      covered(
        '| nanoid `length` | default 21 |',
        generators('nanoid gives a string of `length` symbols, 21 by default'),
      ),
      covered(
        '| text mode `max_chars` | default 200 |',
        generation('max_chars of mode text is 200 by default'),
      ),
      covered(
        '| Organization usage | Quotas for `sync_jobs`, `endpoints`, `snapshots`, `api_calls`, each reported as used and limit in GET /org |',
        service(
          'Quotas for sync_jobs, endpoints, snapshots and api_calls are reported as used and limit in GET /org',
        ),
      ),
      leftOpen(
        'Quota values per plan: not shown.',
        'Quotas of sync jobs, endpoints, snapshots and API calls: free 5, 1, 2, 10,000; starter 50, 10, 10, 100,000; team 500, 50, 50, 1,000,000; business 5,000, 500, 500, 10,000,000.',
        service('The quotas of the four plans are as documented'),
      ),
      leftOpen(
        'Bounds and default of `expires_in_days`: not shown.',
        'The period is 1 to 365 days. The default is 30.',
        snapshots('expires_at is derived from expires_in_days'),
        snapshots('POST /snapshots takes name, database, tables and expires_in_days'),
      ),
      leftOpen(
        'Maximum size of an uploaded model file and of a request body: not shown.',
        'A model file may have at most 32 MiB. Any other body may have at most 1 MiB.',
        modelsApi('is refused if the file is one byte larger than 32 MiB'),
        httpEdge('accepts 1 MiB and refuses one byte more'),
      ),
    ],
  },
  {
    number: '9',
    title: 'Versioning',
    rows: [
      covered(
        'The version is part of the URL path: `/v1` in `{base_url}`.',
        service('The version is part of the path: /v1'),
      ),
      covered(
        '`v1` is the current version and has no end-of-life date.',
        service(
          'v1 is the current version and has no end-of-life date: no operation is deprecated, and no answer announces an end',
        ),
      ),
      covered(
        'A breaking change results in a new version.',
        apiContract('reports nothing for the current API compared with the recorded one'),
        apiContract('reports a removed field of a response, also inside lists and references'),
      ),
      covered(
        'Non-breaking changes (new fields, new endpoints) are added to the current version, so clients ignore unknown fields.',
        apiContract('reports nothing for additions and for requests with fewer restrictions'),
        typescriptClient('accepts fields and values that it does not know'),
        pythonClient('accepts fields and values that it does not know'),
        phpClient('accepts fields and values that it does not know'),
        goClient('accepts fields and values that it does not know'),
      ),
      covered(
        'Compositions carry their own manifest `version` string (default `0.1.0`), independent of the API version.',
        registry('returns a generator with its manifest'),
        generatorsApi('has immutable versions, of which the highest is the default and each can be deleted'),
      ),
    ],
  },
];
