export const TEXTS = {
  title: 'Usage',
  meta: 'How much of the plan the organisation uses.',
  plan: (plan: string) => `Plan: ${plan}`,
  plans: { free: 'Free', starter: 'Starter', team: 'Team', business: 'Business' } as Readonly<
    Record<string, string>
  >,
  quotas: {
    title: 'Limits of the plan',
    monthly: 'Per month',
    standing: 'At the same time',
    renewal: 'The counts restart:',
    names: {
      sync_jobs: 'Sync jobs',
      api_calls: 'API calls',
      endpoints: 'Mock endpoints',
      snapshots: 'Snapshots',
    },
    used: (used: string, limit: string) => `${used} of ${limit}`,
    full: (used: string, limit: string) => `${used} of ${limit}: limit reached`,
  },
  atLimit: {
    title: 'What happens at a limit',
    rules: [
      {
        id: 'sync_jobs',
        text: 'Sync jobs: new jobs are refused until the month ends. Running jobs continue. Dry runs do not count.',
      },
      {
        id: 'api_calls',
        text: 'API calls: counted calls get the status 402 until the month ends. Calls of this dashboard and POST /generate do not count.',
      },
      {
        id: 'standing',
        text: 'Mock endpoints and snapshots: a new one is refused until you delete one or change the plan. Existing ones keep working.',
      },
    ],
  },
  byDay: {
    title: 'Usage by day',
    text: 'Days are in UTC.',
    range: 'Range',
    ranges: { '7': 'Last 7 days', '30': 'Last 30 days', '90': 'Last 90 days' },
    metrics: { api_calls: 'API calls', sync_jobs: 'Sync jobs', mock_calls: 'Calls of mock endpoints' },
    summary: (name: string, total: string, days: string) => `${name}: ${total} in the last ${days} days.`,
    total: (total: string) => `${total} in total`,
  },
  change: {
    action: 'Change plan',
    title: 'Change the plan',
    text: 'The limits of the new plan apply from the next request. Nothing is deleted if you use more than it allows.',
    label: 'Plan',
    submit: 'Change plan',
    done: (plan: string) => `The organisation has the plan ${plan} now.`,
  },
} as const;
