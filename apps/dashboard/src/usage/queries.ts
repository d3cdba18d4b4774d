import { useQuery } from '@tanstack/react-query';

import { client } from '../api/client.js';
import { firstDayOf, type Range } from './usage-range.js';

const KEYS = ['organization'] as const;

/** The plan, the quotas and the warnings of the organisation. */
export function useOrganization(enabled = true) {
  return useQuery({
    queryKey: KEYS,
    queryFn: ({ signal }) => client.organization.get({ signal }),
    enabled,
  });
}

export function useDailyUsage(days: Range) {
  const first = firstDayOf(days);
  return useQuery({
    queryKey: [...KEYS, 'usage', first],
    queryFn: ({ signal }) => client.organization.usage({ first_day: first }, { signal }),
  });
}
