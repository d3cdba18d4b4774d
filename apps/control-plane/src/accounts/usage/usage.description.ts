import { Type } from 'typebox';

import { schemaOf, type OperationDescription } from '../../platform/http/operations/operation-description.js';
import { count } from '../../platform/http/operations/schemas.js';
import type { DailyUsageResponse } from './daily-usage.service.js';
import { GetUsageQuery, MAX_DAYS } from './get-usage.query.js';

const day = (description: string) => Type.String({ format: 'date', description });

const USAGE = schemaOf<DailyUsageResponse>('DailyUsage')(
  Type.Object({
    first_day: day('First day of the range.'),
    last_day: day('Last day of the range.'),
    days: Type.Array(
      Type.Object({
        day: day('A day in UTC.'),
        api_calls: count('Calls that count for the plan. The number is at most 10 seconds old.'),
        sync_jobs: count('Jobs that were created. Failed and deleted jobs count; dry runs do not.'),
        mock_calls: count('Calls of mock endpoints. The number is up to two seconds old.'),
      }),
      { maxItems: MAX_DAYS, description: 'Every day of the range, oldest first.' },
    ),
  }),
);

export const USAGE_DESCRIPTIONS = {
  getUsage: {
    tag: 'Organization',
    description: 'Days are in UTC. Calls of the dashboard and `POST /generate` do not count.',
    query: GetUsageQuery,
    response: {
      description: 'The usage of each day.',
      data: USAGE,
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
} satisfies Record<string, OperationDescription>;
