import type { ExampleData } from './example-data.js';

/** A picture of a screen. */
export interface Screen {
  /** The name of the file, without the theme. */
  readonly name: string;
  /** Returns the path after `/dashboard`. */
  readonly path: (data: ExampleData) => string;
  /** A text that is visible when the screen is complete. */
  readonly shown: string;
  /** True for the page of a visitor without a session. */
  readonly visitor?: boolean;
}

/** All screens of which `npm run screenshots` makes pictures. */
export const SCREENS: readonly Screen[] = [
  { name: 'sign-in', path: () => '/sign-in', shown: 'How do I get an API key?', visitor: true },
  { name: 'overview', path: () => '/', shown: 'Full copy of the shop' },
  { name: 'sync-jobs', path: () => '/sync-jobs', shown: 'Nightly copy for staging' },
  { name: 'sync-job-running', path: ({ jobs }) => `/sync-jobs/${jobs.running}`, shown: 'Facts' },
  { name: 'sync-job', path: ({ jobs }) => `/sync-jobs/${jobs.completed}`, shown: 'All checks succeeded' },
  { name: 'sync-job-failed', path: ({ jobs }) => `/sync-jobs/${jobs.failed}`, shown: 'The job failed' },
  {
    name: 'sync-job-tables',
    path: ({ jobs }) => `/sync-jobs/${jobs.running}?tab=tables`,
    shown: 'order_items',
  },
  {
    name: 'sync-job-attempts',
    path: ({ jobs }) => `/sync-jobs/${jobs.completed}?tab=attempts`,
    shown: 'Attempt 2',
  },
  {
    name: 'sync-job-definition',
    path: ({ jobs }) => `/sync-jobs/${jobs.completed}?tab=definition`,
    shown: 'Rules of each column',
  },
  {
    name: 'sync-job-stored-data',
    path: ({ jobs }) => `/sync-jobs/${jobs.completed}?tab=stored-data`,
    shown: 'No field here can hold a value of a row.',
  },
  { name: 'snapshots', path: () => '/snapshots', shown: 'Before the migration' },
  { name: 'snapshot', path: ({ snapshots }) => `/snapshots/${snapshots.ready}`, shown: 'review' },
  {
    name: 'snapshot-restore',
    path: ({ snapshots: { ready, restoring } }) => `/snapshots/${ready}/restores/${restoring}`,
    shown: 'A restore cannot be cancelled.',
  },
  { name: 'agents', path: () => '/agents', shown: 'Last seen' },
  { name: 'agent', path: ({ agentId }) => `/agents/${agentId}`, shown: 'Running now' },
  {
    name: 'new-sync-job',
    path: ({ jobs }) => `/sync-jobs/new?from=${jobs.completed}`,
    shown: 'Decided columns',
  },
  { name: 'playground', path: () => '/playground', shown: '20 records in' },
  { name: 'generators', path: () => '/generators?tab=built-in', shown: 'int_between' },
  {
    name: 'generator',
    path: () => '/generators/registered/acme/people:greeting',
    shown: 'Sample values',
  },
  { name: 'generator-new', path: () => '/generators/new', shown: '"Hello Sandra!"' },
  { name: 'models', path: () => '/models?kind=ngram&locale=en_US', shown: 'en_US/first_names' },
  { name: 'model', path: () => '/models/en_US/first_names', shown: 'Probability' },
  { name: 'mock-endpoints', path: () => '/mock-endpoints', shown: '/customers' },
  { name: 'mock-endpoint', path: ({ endpointId }) => `/mock-endpoints/${endpointId}`, shown: '/customers' },
  { name: 'api-keys', path: () => '/api-keys', shown: 'staging importer' },
  { name: 'members', path: () => '/members', shown: 'grace@example.com' },
  { name: 'audit-log', path: () => '/audit-log', shown: 'Signed in' },
  { name: 'usage', path: () => '/usage', shown: 'API calls' },
  { name: 'webhooks', path: () => '/webhooks', shown: 'Add webhook' },
  { name: 'webhook', path: ({ webhookId }) => `/webhooks/${webhookId}`, shown: 'webhook.test' },
  {
    name: 'webhook-delivery',
    path: ({ deliveryId, webhookId }) => `/webhooks/${webhookId}/deliveries/${deliveryId}`,
    shown: 'X-Service-Signature',
  },
];
