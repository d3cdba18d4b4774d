import type { Section } from '../requirement.js';

const CONTROL_PLANE = 'apps/control-plane/test/integration';
const E2E = 'apps/agent/test/e2e';
/** Sections 1 to 2.5: what the service does, and its resources. */
export const RESOURCES: readonly Section[] = [
  {
    number: '1',
    title: 'What the service does',
    requirements: {
      1: 'Output is deterministic when a seed is given',
      2: {
        says: 'Generation is never metered',
        file: `${CONTROL_PLANE}/usage.spec.ts`,
        test: 'are those that are served: not refused ones, and never /generate',
      },
      3: {
        says: "Models that an agent trained stay in the customer's infrastructure: the control plane sees their name and hash",
        file: `${CONTROL_PLANE}/models-api.spec.ts`,
        test: 'are listed by themselves, shown, and deleted',
      },
      4: {
        says: 'A sync job copies a source database to a target with the chosen columns replaced or preserved',
        file: `${E2E}/column-rules.spec.ts`,
        test: 'goes from pending to completed, never back, and its rows are in the target',
      },
      5: {
        says: 'Production row data never reaches the endpoints',
        file: `${E2E}/no-row-leaves.spec.ts`,
        test: 'finds none in any answer of the API',
      },
      6: 'Snapshots are created, listed, restored and deleted, with an expiry',
      7: 'Mock endpoints answer with what a schema generates',
      8: 'Webhook events are sent for changes of sync jobs and snapshots',
    },
  },
  {
    number: '2.0',
    title: 'Resources',
    requirements: {
      1: 'All timestamps are ISO-8601 UTC strings',
      2: 'Identifiers are opaque strings with the prefix of their kind',
    },
  },
  {
    number: '2.1',
    title: 'Model',
    requirements: {
      1: 'A built-in model has the id `<locale>/<model_name>`, a custom one `custom/<model_name>`',
      2: 'locale has the form `<lang>_<REGION>`',
      3: 'type is builtin or custom',
      4: 'ngram_order is an integer',
      5: 'token_type is the kind of token, char for one',
      6: 'The list view carries id, name, locale, type, ngram_order, token_type, created_at',
      7: 'The detail view adds token_count, ngram_count, updated_at',
      8: 'The upload response carries id, name, locale, type, ngram_order, created_at',
    },
  },
  {
    number: '2.2',
    title: 'Sync job',
    requirements: {
      1: 'A job has id (`job_<id>`), name, status, source, target, tables, rows_processed, started_at and completed_at in the list',
      2: 'source and target of the list view are connection URLs as strings',
      3: 'tables of the list view is an array of table names',
      4: 'The create payload is name, source and target { type, connection_string }, and tables [{ name, columns }]',
      5: 'postgresql is a type of source and target',
      6: 'A column rule may be `{ generator: <model id> }`',
      7: 'A column rule may be { generator: "template", pattern }, with {{uuid}} for one',
      8: 'A column rule may be { preserve: true }',
      9: {
        says: 'A model fills its column',
        file: `${E2E}/column-rules.spec.ts`,
        test: 'fills a column from a model',
      },
      10: {
        says: 'A template fills its column',
        file: `${E2E}/column-rules.spec.ts`,
        test: 'fills a column from a template',
      },
      11: {
        says: 'preserve keeps the original value',
        file: `${E2E}/column-rules.spec.ts`,
        test: 'keeps the original values of a preserved column',
      },
    },
  },
  {
    number: '2.3',
    title: 'Snapshot',
    requirements: {
      1: 'A snapshot has id (`snap_<id>`), name, database, size_bytes, tables, created_at',
      2: 'expires_at is derived from expires_in_days',
    },
  },
  {
    number: '2.4',
    title: 'Mock endpoint',
    requirements: {
      1: 'An endpoint has id (`ep_<id>`), path, method, schema, url, requests_today, created_at',
      2: 'url is `{mock_url}/<endpoint_id><path>`',
      3: 'response is { count, wrapper }; count records are generated a call',
      4: 'Leaves of wrapper may hold {{records}} and {{count}}',
    },
  },
  {
    number: '2.5',
    title: 'Organization',
    requirements: {
      1: 'An organization has id (`org_<id>`), name, plan, members, usage and billing_cycle_end',
      2: 'plan is one of free, starter, team, business',
      3: 'members is the number of members',
      4: 'usage has sync_jobs, endpoints, snapshots and api_calls, each { used, limit }',
    },
  },
];
