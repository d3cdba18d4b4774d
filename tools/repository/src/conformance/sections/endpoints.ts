import { covered, decidedOtherwise, leadIn, leftOpen, notTestable, type Section } from '../row.js';
import {
  generateApi,
  generation,
  jobFlow,
  liveClients,
  mocks,
  models,
  modelsApi,
  restoreTargets,
  service,
  snapshots,
  snapshotsE2e,
  syncE2e,
  syncJobs,
  guides,
} from './suites.js';

/** Sections 3 and 4: states and endpoints. */
export const ENDPOINTS: readonly Section[] = [
  {
    number: '3',
    title: 'States and transitions',
    rows: [
      covered(
        'Sync job `status` takes the values `pending`, `running`, `completed`, `failed`.',
        syncJobs('The status of a sync job is pending, running, completed or failed'),
      ),
      leftOpen(
        'Transitions: not shown.',
        'A pending job becomes running or failed. A running job becomes completed or failed. No other transition exists.',
        syncE2e('changes from pending to running to completed and writes its rows to the target'),
        jobFlow('of the job ends the job with a message that names the column'),
      ),
      decidedOtherwise(
        'No other resource carries a state field.',
        'Snapshots, restores, members and webhooks also have a `status`. Section 9 of the reference allows new fields.',
        snapshots(
          'A snapshot, a restore, a member and a webhook have a status beside the fields of the reference',
        ),
      ),
      decidedOtherwise(
        'A snapshot has an expiry timestamp (`expires_at`) but no state values are given.',
        'The `status` of a snapshot is creating, ready, failed, expired or deleting. Section 9 of the reference allows new fields.',
        snapshots('expires_at is derived from expires_in_days'),
        snapshots('Snapshots are created, listed, restored and deleted, with an expiry'),
      ),
    ],
  },
  {
    number: '4',
    title: 'Endpoints',
    rows: [
      covered(
        'Base address: `{base_url}` (it includes the version segment `/v1`).',
        service('The base address includes the version segment /v1'),
      ),
      covered(
        'Mock endpoints are served under `{mock_url}`.',
        mocks('url is `{mock_url}/<endpoint_id><path>`'),
        mocks('Mock endpoints answer with what a schema generates'),
      ),
      covered(
        'Request bodies are JSON (`Content-Type: application/json`) except model upload.',
        service('Request bodies are JSON with Content-Type: application/json, except model upload'),
      ),
      notTestable('`:id` stands for a resource identifier.', 'Explains a notation.'),
    ],
  },
  {
    number: '4.1',
    title: 'Response envelopes',
    rows: [
      covered(
        'Success: `{ data: <object>, meta: { request_id: string, timestamp: string } }`.',
        service('Success is { data: object, meta: { request_id, timestamp } }'),
      ),
      covered(
        '`meta` may carry extra keys per operation (for `/generate`: `generation_time_ms`, integer).',
        generation('meta of /generate has generation_time_ms, an integer'),
      ),
      notTestable('Error: see section 7.', 'A reference to section 7.'),
    ],
  },
  {
    number: '4.2',
    title: 'Generation',
    rows: [
      covered(
        '**POST /generate**: generates synthetic records.',
        generation('POST /generate generates records from a schema'),
      ),
      covered('| schema | object | yes | Schema (2.8). |', generation('schema is required')),
      covered(
        '| count | integer | yes | Number of records, 1 to 100,000. |',
        generation('count is required, an integer from 1 to 100,000'),
      ),
      covered(
        '| seed | integer | no | Random seed; gives determinism. |',
        generation('seed is an optional integer'),
        generation('Output is deterministic when a seed is given'),
      ),
      covered(
        '| format | string | no | `json`, `csv`, `ndjson`. |',
        generation('format is json, csv or ndjson'),
      ),
      covered(
        'Response `data`: `{ records: array of object, count: integer, seed: integer }`.',
        generation('data is { records, count, seed }; meta includes request_id and generation_time_ms'),
      ),
      covered(
        'Response `meta` includes `request_id` and `generation_time_ms`.',
        generation('data is { records, count, seed }; meta includes request_id and generation_time_ms'),
      ),
      leftOpen(
        'Response body shape when format is `csv` or `ndjson`: not shown.',
        'The body is CSV or NDJSON without an envelope. The metadata is in headers.',
        generateApi('returns csv as a raw body with its metadata in headers'),
        generateApi('returns ndjson as a raw body with its metadata in headers'),
      ),
    ],
  },
  {
    number: '4.3',
    title: 'Models',
    rows: [
      covered(
        '**GET /models**: list models.',
        models('GET /models answers { models, total, page, per_page }'),
      ),
      leadIn('Query parameters:'),
      covered('| locale | string | Filter by locale. |', models('locale filters by locale')),
      covered(
        '| type | string | `builtin`, `custom`, `all`. |',
        models('type filters by builtin, custom or all'),
      ),
      covered('| page | integer | Page number, default 1. |', models('page is 1 by default')),
      covered(
        '| per_page | integer | Items per page, default 20, max 100. |',
        models('per_page is 20 by default, at most 100'),
      ),
      covered(
        'Response `data`: `{ models: array of Model (list view), total: integer, page: integer, per_page: integer }`.',
        models('GET /models answers { models, total, page, per_page }'),
        models('The list view carries id, name, locale, type, ngram_order, token_type, created_at'),
      ),
      covered(
        '**GET /models/:id**: response `data` is the Model detail view.',
        models('GET /models/:id answers the detail view'),
      ),
      leftOpen(
        'Model ids contain a slash; how the slash is encoded in the path: not shown.',
        'Clients may send the slash as `/` or as `%2F`.',
        models('The slash of an id may be written as / or as %2F'),
      ),
      covered(
        '**POST /models**: uploads a custom model.',
        models('POST /models takes multipart/form-data with file, name and description'),
        guides('shows commands in docs/guides/custom-models.md that run and print the shown output'),
      ),
      leadIn('Request `multipart/form-data`:'),
      covered(
        '| file | file | yes | Model file in the `.ngram` format. |',
        models('file and name are required, description is not'),
        modelsApi('causes 422 with the reason at the field file: text'),
        modelsApi('causes 422 with the reason at the field file: a truncated file'),
      ),
      covered(
        '| name | string | yes | Model name. |',
        models('file and name are required, description is not'),
        models('name is the display name of a model'),
      ),
      covered(
        '| description | string | no | Model description. |',
        models('POST /models takes multipart/form-data with file, name and description'),
        models('file and name are required, description is not'),
      ),
      covered(
        'Response `data`: Model upload view (2.1), with `type` = `custom`.',
        models('The answer to an upload has type custom'),
        models('The upload response carries id, name, locale, type, ngram_order, created_at'),
      ),
      covered(
        '**DELETE /models/:id**: deletes a custom model.',
        models('DELETE /models/:id deletes a custom model and answers { deleted, id }'),
      ),
      covered(
        'Response `data`: `{ deleted: boolean, id: string }`.',
        models('DELETE /models/:id deletes a custom model and answers { deleted, id }'),
      ),
    ],
  },
  {
    number: '4.4',
    title: 'Sync jobs',
    rows: [
      covered('**GET /sync/jobs**: list jobs.', syncJobs('GET /sync/jobs answers { jobs }')),
      covered(
        'Query parameters: `status` (`pending`, `running`, `completed`, `failed`), `page` (integer), `per_page` (integer).',
        syncJobs('status filters by each of the four states'),
        syncJobs('page and per_page are integers that page the list'),
      ),
      covered('Response `data`: `{ jobs: array of Sync job }`.', syncJobs('GET /sync/jobs answers { jobs }')),
      covered(
        '**POST /sync/jobs**: creates and runs a sync job.',
        syncJobs('POST /sync/jobs creates a job'),
        syncE2e('changes from pending to running to completed and writes its rows to the target'),
      ),
      covered(
        'Request: the create payload in 2.2.',
        syncJobs(
          'The create payload is name, source and target { type, connection_string }, and tables [{ name, columns }]',
        ),
      ),
      leftOpen(
        'Response: not shown.',
        'The response is 201 with a `Location` header and the whole job.',
        syncJobs('POST /sync/jobs creates a job'),
      ),
      covered('**GET /sync/jobs/:id**: gets job details.', syncJobs('GET /sync/jobs/:id shows a job')),
      leftOpen(
        'Response: not shown.',
        'The job has the fields of the list, and seed, created_at, table_progress, attempts, agent_id, models, error and warnings.',
        syncJobs('GET /sync/jobs/:id shows a job'),
      ),
      covered(
        '**DELETE /sync/jobs/:id**: cancels or deletes a job.',
        syncJobs('DELETE /sync/jobs/:id cancels a job that has not ended, and deletes one that has'),
        syncE2e('cancels a job during its copy, leaves the target unchanged, and deletes the job'),
      ),
      leftOpen(
        'Response and the rule that decides between cancel and delete: not shown.',
        'If the job has not ended, the operation cancels it (202). If it has ended, the operation deletes it (200).',
        syncJobs('DELETE /sync/jobs/:id cancels a job that has not ended, and deletes one that has'),
      ),
    ],
  },
  {
    number: '4.5',
    title: 'Snapshots',
    rows: [
      covered(
        '**GET /snapshots**: response `data`: `{ snapshots: array of Snapshot }`.',
        snapshots('GET /snapshots answers { snapshots }'),
      ),
      leadIn('**POST /snapshots**: request:'),
      covered(
        '| name | string | Snapshot name. |',
        snapshots('POST /snapshots takes name, database, tables and expires_in_days'),
      ),
      covered(
        '| database | string | Database name. |',
        snapshots('POST /snapshots takes name, database, tables and expires_in_days'),
      ),
      covered(
        '| tables | array of string | Tables to include. |',
        snapshots('POST /snapshots takes name, database, tables and expires_in_days'),
      ),
      covered(
        '| expires_in_days | integer | Days until expiry. |',
        snapshots('POST /snapshots takes name, database, tables and expires_in_days'),
        snapshots('expires_at is derived from expires_in_days'),
      ),
      leadIn('**POST /snapshots/:id/restore**: request:'),
      covered(
        '| target_database | string | Database to restore into. |',
        snapshots('POST /snapshots/:id/restore takes target_database and overwrite'),
        snapshotsE2e('restore a dropped database unchanged and under its old name'),
      ),
      covered(
        '| overwrite | boolean | Whether existing data is overwritten. |',
        restoreTargets(
          'replaces the content of the target with `overwrite`, and keeps the properties of the target',
        ),
        snapshotsE2e('cannot be restored into a target that is not empty or that is the source'),
        snapshots('POST /snapshots/:id/restore takes target_database and overwrite'),
      ),
      covered(
        '**DELETE /snapshots/:id**: deletes a snapshot.',
        snapshots('DELETE /snapshots/:id deletes a snapshot'),
        snapshotsE2e('are deleted together with their files in the store'),
      ),
      leftOpen(
        'Responses of POST /snapshots, POST /snapshots/:id/restore and DELETE /snapshots/:id: not shown.',
        'POST /snapshots: 201 with the snapshot. Restore: 202 with { id, restore_id, target_database, status }. DELETE: 200 with { deleted, id }.',
        snapshots('POST /snapshots takes name, database, tables and expires_in_days'),
        snapshots('POST /snapshots/:id/restore takes target_database and overwrite'),
        snapshots('DELETE /snapshots/:id deletes a snapshot'),
      ),
    ],
  },
  {
    number: '4.6',
    title: 'Mock API',
    rows: [
      covered(
        '**GET /mock/endpoints**: response `data`: `{ endpoints: array of Mock endpoint }`.',
        mocks('GET /mock/endpoints answers { endpoints }'),
      ),
      covered(
        '**POST /mock/endpoints**: request: `{ path: string, method: string, schema: object (2.8), response: { count: integer, wrapper: object } }` (see 2.4).',
        mocks('POST /mock/endpoints takes path, method, schema and response'),
      ),
      covered(
        '**DELETE /mock/endpoints/:id**: deletes a mock endpoint.',
        mocks('DELETE /mock/endpoints/:id deletes an endpoint'),
      ),
      leftOpen(
        'Responses of POST and DELETE on mock endpoints: not shown.',
        'POST: 201 with the whole endpoint. DELETE: 200 with { deleted, id }.',
        mocks('POST /mock/endpoints takes path, method, schema and response'),
        mocks('DELETE /mock/endpoints/:id deletes an endpoint'),
      ),
    ],
  },
  {
    number: '4.7',
    title: 'Organization',
    rows: [
      covered(
        '**GET /org**: response `data`: Organization (2.5).',
        service('GET /org answers the organization'),
      ),
      covered('**GET /org/members**: lists members.', service('GET /org/members lists members')),
      covered('**POST /org/members**: invites a member.', service('POST /org/members invites a member')),
      covered(
        '**DELETE /org/members/:id**: removes a member.',
        service('DELETE /org/members/:id removes a member'),
      ),
      leftOpen(
        'Payloads and responses of the three member operations: not shown.',
        'POST takes { email, role } and returns 201. GET returns { members, total, page, per_page }. DELETE returns 200.',
        service('GET /org/members lists members'),
        service('POST /org/members invites a member'),
        service('DELETE /org/members/:id removes a member'),
      ),
    ],
  },
  {
    number: '4.8',
    title: 'Client libraries',
    rows: [
      covered(
        'Official client libraries exist for PHP, Python, JavaScript/TypeScript and Go.',
        liveClients('has called every operation and every iterator'),
        liveClients('gets the same results as the other clients'),
      ),
      covered(
        'Each is constructed with the API token; the generation operation takes `schema` and `count` and returns the records.',
        liveClients('generate returns all records'),
      ),
    ],
  },
];
