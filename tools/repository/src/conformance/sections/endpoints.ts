import type { Section } from '../requirement.js';

const CONTROL_PLANE = 'apps/control-plane/test/integration';
/** Sections 3 and 4: states and endpoints. */
export const ENDPOINTS: readonly Section[] = [
  {
    number: '3',
    title: 'States and transitions',
    requirements: {
      1: 'The status of a sync job is pending, running, completed or failed',
      2: {
        says: 'A job that runs through is pending, then running, then completed',
        file: `${CONTROL_PLANE}/sync-jobs-flow.spec.ts`,
        test: 'waits without an agent, starts with the first heartbeat, and follows its events',
      },
      3: {
        says: 'A job that cannot be done is failed',
        file: `${CONTROL_PLANE}/sync-jobs-flow.spec.ts`,
        test: 'of the job ends it, in words that name the column',
      },
    },
  },
  {
    number: '4.0',
    title: 'Endpoints',
    requirements: {
      1: 'The base address includes the version segment /v1',
      2: 'Request bodies are JSON with Content-Type: application/json, except model upload',
    },
  },
  {
    number: '4.1',
    title: 'Response envelopes',
    requirements: {
      1: 'Success is { data: object, meta: { request_id, timestamp } }',
      2: 'meta of /generate has generation_time_ms, an integer',
    },
  },
  {
    number: '4.2',
    title: 'Generation',
    requirements: {
      1: 'POST /generate generates records from a schema',
      2: 'schema is required',
      3: 'count is required, an integer from 1 to 100,000',
      4: 'seed is an optional integer',
      5: 'format is json, csv or ndjson',
      6: 'data is { records, count, seed }; meta includes request_id and generation_time_ms',
    },
  },
  {
    number: '4.3',
    title: 'Models',
    requirements: {
      1: 'GET /models answers { models, total, page, per_page }',
      2: 'locale filters by locale',
      3: 'type is builtin, custom or all',
      4: 'page is 1 by default',
      5: 'per_page is 20 by default, at most 100',
      6: 'GET /models/:id answers the detail view',
      7: 'POST /models takes multipart/form-data with file, name and description',
      8: 'file and name are required, description is not',
      9: 'The answer to an upload has type custom',
      10: 'DELETE /models/:id deletes a custom model and answers { deleted, id }',
    },
  },
  {
    number: '4.4',
    title: 'Sync jobs',
    requirements: {
      1: 'GET /sync/jobs answers { jobs }',
      2: 'status filters by each of the four states',
      3: 'page and per_page are integers that page the list',
      4: 'POST /sync/jobs creates a job',
      5: {
        says: 'POST /sync/jobs runs it',
        file: 'apps/agent/test/e2e/column-rules.spec.ts',
        test: 'goes from pending to completed, never back, and its rows are in the target',
      },
      6: 'GET /sync/jobs/:id shows a job',
      7: 'DELETE /sync/jobs/:id cancels a job that has not ended, and deletes one that has',
    },
  },
  {
    number: '4.5',
    title: 'Snapshots',
    requirements: {
      1: 'GET /snapshots answers { snapshots }',
      2: 'POST /snapshots takes name, database, tables and expires_in_days',
      3: 'POST /snapshots/:id/restore takes target_database and overwrite',
      4: 'DELETE /snapshots/:id deletes a snapshot',
    },
  },
  {
    number: '4.6',
    title: 'Mock API',
    requirements: {
      1: 'GET /mock/endpoints answers { endpoints }',
      2: 'POST /mock/endpoints takes path, method, schema and response',
      3: 'DELETE /mock/endpoints/:id deletes an endpoint',
    },
  },
  {
    number: '4.7',
    title: 'Organization',
    requirements: {
      1: 'GET /org answers the organization',
      2: 'GET /org/members lists members',
      3: 'POST /org/members invites a member',
      4: 'DELETE /org/members/:id removes a member',
    },
  },
  {
    number: '4.8',
    title: 'Client libraries',
    requirements: {
      1: {
        says: 'There are client libraries for PHP, Python, JavaScript/TypeScript and Go',
        open: 'Client libraries are not built yet.',
      },
      2: {
        says: 'Each is made with the API token; its generation takes schema and count and returns the records',
        open: 'Client libraries are not built yet.',
      },
    },
  },
];
