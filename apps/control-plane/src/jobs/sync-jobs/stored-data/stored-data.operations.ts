import { operations } from '../../../platform/http/operations/operation.js';
import { StoredDataResponse } from './stored-data-response.js';

const EXAMPLE = {
  facts: [
    {
      path: 'table_progress[].rows_processed',
      origin: 'agent',
      description: 'Number of copied rows.',
      value_count: 2,
      values: ['1200', '87'],
    },
  ],
  messages: [
    {
      name: 'TableProgress',
      description: '',
      fields: [
        {
          name: 'rows_processed',
          type: 'uint64',
          kind: 'number',
          repeated: false,
          description: '',
          reviewed: null,
          stored_in: ['table_progress[].rows_processed', 'rows_processed'],
        },
      ],
    },
  ],
  enums: [
    {
      name: 'TableState',
      values: [{ name: 'indexing', description: 'All rows are copied; keys and indexes are being built.' }],
    },
  ],
};

export const STORED_DATA = operations('Sync jobs', {
  getSyncJobStoredData: {
    method: 'GET',
    path: '/v1/sync/jobs/:id/stored-data',
    client: 'jobs.getStoredData',
    summary: 'shows what is stored about a sync job',
    description:
      'Shows that no row of your databases is stored. `facts` lists what the control plane stores about the job. `messages` lists every field that an agent can send about a job, with the facts that contain it. The audit log, webhook deliveries, the list of private models and the records of refused events repeat some facts.',
    role: 'viewer',
    scope: 'jobs:read',
    resource: 'sync_job',
    response: { description: 'The stored data.', data: StoredDataResponse, example: EXAMPLE },
  },
});
