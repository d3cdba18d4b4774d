import { covered, decidedOtherwise, leadIn, leftOpen, notTestable, type Section } from '../row.js';
import {
  syncE2e,
  generation,
  generators,
  jobFlow,
  members,
  mockApi,
  mockServing,
  mocks,
  models,
  modelsApi,
  noRowLeaves,
  schemaLint,
  service,
  snapshots,
  snapshotsE2e,
  syncJobs,
  training,
  usage,
  webhooks,
} from './suites.js';

/** Sections 0 to 2.8: what the service does, and its resources. */
export const RESOURCES: readonly Section[] = [
  {
    number: '0',
    title: 'Introduction',
    rows: [
      notTestable(
        'This document covers the whole service: the control-plane REST API (generation, models, sync jobs, snapshots, mock endpoints, organization), the webhooks the service sends, and the reference for generator definitions (types, modifiers, compositions) that are used inside API payloads.',
        'Describes the reference itself, not the service.',
      ),
      notTestable(
        'Implementation status: this is a target design.',
        'Describes the reference itself, not the service.',
      ),
      notTestable(
        'No hosted API exists yet.',
        'Describes the time when the reference was written. You run Understudy yourself.',
      ),
      covered(
        'The API is a control plane for metadata and orchestration only.',
        schemaLint('passes the schema of the product'),
        noRowLeaves('finds no canary in the traffic of NATS'),
      ),
      covered(
        "Sync and snapshot jobs execute on an agent in the customer's own infrastructure, and production row data never reaches these endpoints.",
        syncE2e('changes from pending to running to completed and writes its rows to the target'),
        noRowLeaves(
          'created and restored a snapshot with every canary, and the other ones failed as planned',
        ),
        noRowLeaves('finds no canary in the traffic of NATS'),
        noRowLeaves('finds no canary in any response of the API'),
        noRowLeaves("finds no canary in a dump of the control plane's database"),
      ),
      covered(
        'Generation is free and unmetered everywhere.',
        usage('include only successful requests, and never /generate'),
      ),
    ],
  },
  {
    number: '1',
    title: 'What the service does',
    rows: [
      covered(
        'Generates synthetic records on demand from a schema (`POST /generate`).',
        generation('POST /generate generates records from a schema'),
      ),
      covered(
        'Output is deterministic when a `seed` is given.',
        generation('Output is deterministic when a seed is given'),
      ),
      covered(
        'Generation is never a metered operation.',
        usage('include only successful requests, and never /generate'),
      ),
      covered(
        'Lists, reads, uploads and deletes N-gram models that generators use as data sources.',
        models('GET /models answers { models, total, page, per_page }'),
        models('GET /models/:id answers the detail view'),
        models('POST /models takes multipart/form-data with file, name and description'),
        models('DELETE /models/:id deletes a custom model and answers { deleted, id }'),
        modelsApi('makes the model visible immediately and generates the same values for the same seed'),
      ),
      covered(
        'Uploading is optional and only for models the customer chooses to host (for example to back hosted mock endpoints).',
        mockApi('generates from the custom model, which cannot be deleted while the endpoint uses it'),
        training('learns from the column, keeps the model for later jobs, and never emits an original value'),
      ),
      covered(
        "Models trained by the agent on production data stay in the customer's infrastructure; the control plane sees only their name and hash.",
        noRowLeaves('finds no canary in the traffic of NATS'),
        noRowLeaves("finds no canary in a dump of the control plane's database"),
        schemaLint('passes the schema of the product'),
        modelsApi('are listed separately, shown and deleted'),
      ),
      covered(
        'Orchestrates sync jobs (copying a source database to a target database with selected columns replaced by generated values or preserved).',
        syncE2e('changes from pending to running to completed and writes its rows to the target'),
        syncE2e('fills a column from a model'),
        syncE2e('keeps the original values of a preserved column'),
      ),
      covered(
        'Orchestrates snapshots (create, list, restore, delete) of databases, with an expiry.',
        snapshots('Snapshots are created, listed, restored and deleted, with an expiry'),
        snapshotsE2e('restore a dropped database unchanged and under its old name'),
        snapshotsE2e('are deleted together with their files in the store'),
      ),
      covered(
        'Hosts mock API endpoints whose responses are generated from a schema.',
        mocks('Mock endpoints answer with what a schema generates'),
      ),
      covered(
        'Exposes the current organization, its plan, usage and members.',
        service('GET /org answers the organization'),
        service('GET /org/members lists members'),
        service('usage has sync_jobs, endpoints, snapshots and api_calls, each { used, limit }'),
      ),
      covered(
        'Sends webhook events for sync and snapshot lifecycle changes.',
        snapshots('Webhook events are sent for changes of sync jobs and snapshots'),
        webhooks('sync.started is sent when a job starts, sync.completed and sync.failed when it ends'),
      ),
    ],
  },
  {
    number: '2',
    title: 'Resources and their fields',
    rows: [
      covered('All timestamps are ISO-8601 UTC strings.', service('All timestamps are ISO-8601 UTC strings')),
      covered(
        'Identifiers are opaque strings; the prefixes shown are part of the shape.',
        service('Identifiers are opaque strings with the prefix of their kind'),
        mocks('An endpoint has id (`ep_<id>`), path, method, schema, url, requests_today, created_at'),
        snapshots('A snapshot has id (`snap_<id>`), name, database, size_bytes, tables, created_at'),
      ),
    ],
  },
  {
    number: '2.1',
    title: 'Model',
    rows: [
      covered(
        '| id | string | Built-in models: `<locale>/<model_name>`. Custom models: `custom/<model_name>`. |',
        models('A built-in model has the id `<locale>/<model_name>`, a custom one `custom/<model_name>`'),
      ),
      covered('| name | string | Display name. |', models('name is the display name of a model')),
      covered(
        '| locale | string | Locale code of the form `<lang>_<REGION>`. |',
        models('locale has the form `<lang>_<REGION>`'),
      ),
      decidedOtherwise(
        '| type | string | `builtin` or `custom`. |',
        'Models that an agent trained have a third type, `private`. A list with `type=all` does not include them.',
        models('type is builtin or custom'),
        modelsApi('are listed separately, shown and deleted'),
      ),
      decidedOtherwise(
        '| ngram_order | integer | N-gram order. |',
        'A model id may also name a list or a composition, as its field `kind` shows. For these two, this field is null.',
        models('ngram_order is an integer'),
      ),
      decidedOtherwise(
        '| token_type | string | Token kind (`char` is the value that occurs). |',
        'A model id may also name a list or a composition, as its field `kind` shows. For these two, this field is null.',
        models('token_type is the kind of token, char for one'),
      ),
      covered(
        '| created_at | string | Timestamp. |',
        service('All timestamps are ISO-8601 UTC strings'),
        models('The list view carries id, name, locale, type, ngram_order, token_type, created_at'),
      ),
      decidedOtherwise(
        '| token_count | integer | Detail view only. |',
        'A model id may also name a list or a composition, as its field `kind` shows. For these two, this field is null.',
        models('The detail view adds token_count, ngram_count, updated_at'),
      ),
      decidedOtherwise(
        '| ngram_count | integer | Detail view only. |',
        'A model id may also name a list or a composition, as its field `kind` shows. For these two, this field is null.',
        models('The detail view adds token_count, ngram_count, updated_at'),
      ),
      covered(
        '| updated_at | string | Detail view only. |',
        models('The detail view adds token_count, ngram_count, updated_at'),
      ),
      decidedOtherwise(
        'The list view carries id, name, locale, type, ngram_order, token_type, created_at.',
        'The list view also has `kind`. Section 9 of the reference allows new fields.',
        models('The list view carries id, name, locale, type, ngram_order, token_type, created_at'),
      ),
      covered(
        'The detail view adds token_count, ngram_count, updated_at.',
        models('The detail view adds token_count, ngram_count, updated_at'),
      ),
      covered(
        'The upload response carries id, name, locale, type, ngram_order, created_at.',
        models('The upload response carries id, name, locale, type, ngram_order, created_at'),
      ),
    ],
  },
  {
    number: '2.2',
    title: 'Sync job',
    rows: [
      covered(
        '| id | string | Form `job_<id>`. |',
        syncJobs(
          'A job has id (`job_<id>`), name, status, source, target, tables, rows_processed, started_at and completed_at in the list',
        ),
      ),
      covered(
        '| name | string | |',
        syncJobs(
          'A job has id (`job_<id>`), name, status, source, target, tables, rows_processed, started_at and completed_at in the list',
        ),
      ),
      covered(
        '| status | string | `pending`, `running`, `completed`, `failed`. |',
        syncJobs('The status of a sync job is pending, running, completed or failed'),
      ),
      decidedOtherwise(
        '| source | string | Database connection URL (list view). |',
        'Every response replaces the password in a URL by `***`.',
        syncJobs('source and target of the list view are connection URLs as strings'),
      ),
      decidedOtherwise(
        '| target | string | Database connection URL (list view). |',
        'Every response replaces the password in a URL by `***`.',
        syncJobs('source and target of the list view are connection URLs as strings'),
      ),
      covered(
        '| tables | array of string | Table names (list view). |',
        syncJobs('tables of the list view is an array of table names'),
      ),
      covered(
        '| rows_processed | integer | |',
        syncJobs(
          'A job has id (`job_<id>`), name, status, source, target, tables, rows_processed, started_at and completed_at in the list',
        ),
        jobFlow('waits without an agent, starts after the first heartbeat, and follows the agent’s events'),
      ),
      covered(
        '| started_at | string | Timestamp. |',
        syncJobs(
          'A job has id (`job_<id>`), name, status, source, target, tables, rows_processed, started_at and completed_at in the list',
        ),
      ),
      covered(
        '| completed_at | string | Timestamp. |',
        syncJobs(
          'A job has id (`job_<id>`), name, status, source, target, tables, rows_processed, started_at and completed_at in the list',
        ),
      ),
      leadIn('Create payload (shape):'),
      covered(
        '| name | string | Job name. |',
        syncJobs(
          'The create payload is name, source and target { type, connection_string }, and tables [{ name, columns }]',
        ),
      ),
      covered(
        '| source | object | `{ type: string, connection_string: string }`. The value `postgresql` is the type that occurs. |',
        syncJobs(
          'The create payload is name, source and target { type, connection_string }, and tables [{ name, columns }]',
        ),
        syncJobs('postgresql is a type of source and target'),
      ),
      covered(
        '| target | object | Same shape as source. |',
        syncJobs(
          'The create payload is name, source and target { type, connection_string }, and tables [{ name, columns }]',
        ),
      ),
      covered(
        '| tables | array of object | Each `{ name: string, columns: object }`. |',
        syncJobs(
          'The create payload is name, source and target { type, connection_string }, and tables [{ name, columns }]',
        ),
      ),
      covered(
        '`columns` maps a column name to a column rule.',
        syncE2e('fills a column from a model'),
        syncJobs('A column rule may be `{ generator: <model id> }`'),
      ),
      covered(
        'A column rule is one of: `{ generator: <model id> }` (fill from a model), `{ generator: "template", pattern: <template string> }` (fill from a template, e.g. a pattern using a `{{uuid}}` placeholder), or `{ preserve: true }` (keep the original value).',
        syncJobs('A column rule may be `{ generator: <model id> }`'),
        syncJobs('A column rule may be { generator: "template", pattern }, with {{uuid}} for one'),
        syncJobs('A column rule may be { preserve: true }'),
        syncE2e('fills a column from a model'),
        syncE2e('fills a column from a template'),
        syncE2e('keeps the original values of a preserved column'),
      ),
      leftOpen(
        'Allowed values of source/target `type` other than `postgresql`: not shown.',
        '`postgres` is an alias of `postgresql`. The service refuses any other type with 422.',
        syncJobs('postgresql is a type of source and target'),
      ),
    ],
  },
  {
    number: '2.3',
    title: 'Snapshot',
    rows: [
      covered(
        '| id | string | Form `snap_<id>`. |',
        snapshots('A snapshot has id (`snap_<id>`), name, database, size_bytes, tables, created_at'),
      ),
      covered(
        '| name | string | |',
        snapshots('A snapshot has id (`snap_<id>`), name, database, size_bytes, tables, created_at'),
      ),
      covered(
        '| database | string | Database name. |',
        snapshots('A snapshot has id (`snap_<id>`), name, database, size_bytes, tables, created_at'),
      ),
      covered(
        '| size_bytes | integer | |',
        snapshots('A snapshot has id (`snap_<id>`), name, database, size_bytes, tables, created_at'),
        snapshotsE2e('restore a dropped database unchanged and under its old name'),
      ),
      covered(
        '| tables | array of string | |',
        snapshots('A snapshot has id (`snap_<id>`), name, database, size_bytes, tables, created_at'),
      ),
      covered(
        '| created_at | string | Timestamp. |',
        snapshots('A snapshot has id (`snap_<id>`), name, database, size_bytes, tables, created_at'),
      ),
      covered(
        '| expires_at | string | Timestamp; derived from `expires_in_days` given at creation. |',
        snapshots('expires_at is derived from expires_in_days'),
      ),
    ],
  },
  {
    number: '2.4',
    title: 'Mock endpoint',
    rows: [
      covered(
        '| id | string | Form `ep_<id>`. |',
        mocks('An endpoint has id (`ep_<id>`), path, method, schema, url, requests_today, created_at'),
      ),
      covered(
        '| path | string | Path served by the mock, e.g. shape `/api/<name>`. |',
        mocks('An endpoint has id (`ep_<id>`), path, method, schema, url, requests_today, created_at'),
        mocks('Mock endpoints answer with what a schema generates'),
      ),
      covered('| method | string | HTTP method served. |', mocks('method is the HTTP method that is served')),
      covered(
        '| schema | string (list view) / object (create) | In the list view a schema file name; at creation an inline schema object (section 2.8). |',
        mocks('An endpoint has id (`ep_<id>`), path, method, schema, url, requests_today, created_at'),
      ),
      covered(
        '| url | string | `{mock_url}/<endpoint_id><path>`. |',
        mocks('url is `{mock_url}/<endpoint_id><path>`'),
      ),
      covered('| requests_today | integer | |', mockServing('counts the successful calls of all servers')),
      covered(
        '| created_at | string | Timestamp. |',
        mocks('An endpoint has id (`ep_<id>`), path, method, schema, url, requests_today, created_at'),
      ),
      covered(
        'Create-only field `response`: object `{ count: integer, wrapper: object }`.',
        mocks('response is { count, wrapper }; count records are generated a call'),
      ),
      decidedOtherwise(
        '`count` is the number of records generated per call.',
        '`count` is at most 10,000.',
        mocks('response is { count, wrapper }; count records are generated a call'),
        mocks('count of a response is at most 10,000'),
      ),
      covered(
        '`wrapper` is a JSON structure whose string leaves may contain the placeholders `{{records}}` (the generated records) and `{{count}}` (their number).',
        mocks('Leaves of wrapper may hold {{records}} and {{count}}'),
      ),
    ],
  },
  {
    number: '2.5',
    title: 'Organization',
    rows: [
      covered(
        '| id | string | Form `org_<id>`. |',
        service('An organization has id (`org_<id>`), name, plan, members, usage and billing_cycle_end'),
      ),
      covered(
        '| name | string | |',
        service('An organization has id (`org_<id>`), name, plan, members, usage and billing_cycle_end'),
      ),
      covered(
        '| plan | string | One of the plans `free`, `starter`, `team`, `business` (lower-case form is what the response carries). |',
        service('plan is one of free, starter, team, business'),
      ),
      covered('| members | integer | Member count. |', service('members is the number of members')),
      covered(
        '| usage | object | Keys `sync_jobs`, `endpoints`, `snapshots`, `api_calls`; each `{ used: integer, limit: integer }`. |',
        service('usage has sync_jobs, endpoints, snapshots and api_calls, each { used, limit }'),
      ),
      covered(
        '| billing_cycle_end | string | Timestamp. |',
        service('An organization has id (`org_<id>`), name, plan, members, usage and billing_cycle_end'),
      ),
      leftOpen(
        'Fields of a member record: not shown.',
        'A member has id, email, name, role, status, invited_at and joined_at.',
        service('POST /org/members invites a member'),
        members('are invited, and join with the token of the invitation'),
      ),
    ],
  },
  {
    number: '2.6',
    title: 'Generation result',
    rows: [
      covered(
        '`{ records: array, count: integer, seed: integer }`.',
        generation('A result is { records: array, count: integer, seed: integer }'),
      ),
      covered(
        "Each record is an object keyed by the names listed in the schema's `output`.",
        generation("Each record is an object keyed by the names in the schema's output"),
      ),
    ],
  },
  {
    number: '2.7',
    title: 'Webhook event',
    rows: [notTestable('See section 6.', 'A reference to section 6.')],
  },
  {
    number: '2.8',
    title: 'Schema',
    rows: [
      covered(
        '| generators | object | Map from generator name to a generator definition (2.9). |',
        generation('`generators` is an object from names to definitions'),
      ),
      covered(
        '| output | array of string | Names of generators to emit, in order; they become the keys of each record. |',
        generation('`output` lists the names to emit, in order; they become the keys of each record'),
      ),
      covered(
        "A generator's string parameters may be templates containing `{{ ... }}` expressions that refer to other generators of the schema by name (for example, a template pattern combining a lowercase function applied to two other generators).",
        generation(
          'String parameters may be templates whose {{ }} expressions refer to other generators by name',
        ),
      ),
      leftOpen(
        "The set of functions available in the expression language: not shown beyond `lowercase`, `uuid`, `format(value, 'number')` and `round(x, digits)` appearing in this document.",
        '[The generator page](generators.md) lists all functions. You cannot add functions.',
        generation(
          "The expression language has lowercase, uuid, format(value, 'number') and round(x, digits)",
        ),
      ),
      leftOpen(
        'Whether a generator of `type: template` is accepted in a schema sent to the API: not shown (a generation request shape uses it, while the generator reference below states that the type errors with guidance to use a composition or a list).',
        'The service refuses it. The error shows what to use instead.',
        generators('The types template and linked are gone: they error with guidance'),
      ),
    ],
  },
];
