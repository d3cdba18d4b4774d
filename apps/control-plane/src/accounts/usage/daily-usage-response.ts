import { Type } from 'typebox';

import { count, named, type ResponseOf } from '../../platform/http/operations/schemas.js';
import { MAX_DAYS } from './get-usage.query.js';

const day = (description: string) => Type.String({ format: 'date', description });

export const DailyUsageResponse = named('DailyUsage', {
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
});
export type DailyUsageResponse = ResponseOf<typeof DailyUsageResponse>;
