import { operations } from '../../platform/http/operations/operation.js';
import { DailyUsageResponse } from './daily-usage-response.js';
import { GetUsageQuery } from './get-usage.query.js';

export const USAGE = operations('Organization', {
  getUsage: {
    method: 'GET',
    path: '/v1/usage',
    client: 'organization.usage',
    summary: 'shows the usage of the organisation by day',
    description: 'Days are in UTC. Calls of the dashboard and `POST /generate` do not count.',
    role: 'viewer',
    scope: 'org:read',
    calls: 'always_served',
    query: GetUsageQuery,
    response: {
      description: 'The usage of each day.',
      data: DailyUsageResponse,
      example: {
        first_day: '2026-11-20',
        last_day: '2026-11-21',
        days: [
          { day: '2026-11-20', api_calls: 812, sync_jobs: 3, mock_calls: 0 },
          { day: '2026-11-21', api_calls: 1_204, sync_jobs: 2, mock_calls: 61 },
        ],
      },
    },
  },
});
