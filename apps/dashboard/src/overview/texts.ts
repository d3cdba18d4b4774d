export const TEXTS = {
  title: 'Overview',
  meta: (organization: string) => `The state of ${organization}.`,
  stats: {
    agents: 'Live agents',
    agentsText: (total: number) => (total === 1 ? 'of 1 agent' : `of ${total} agents`),
    running: 'Running jobs',
    runningText: 'Show running jobs',
    pending: 'Waiting jobs',
    pendingText: 'Show waiting jobs',
    failed: 'Failed jobs of the last 24 hours',
    failedText: 'Show failed jobs',
  },
  steps: {
    title: 'What to do first',
    text: 'Each step is checked off when it is done.',
    done: 'Done:',
    open: 'To do:',
    key: {
      title: 'Create an API key',
      text: 'Your programs and the command line call the API with it.',
    },
    agent: {
      title: 'Connect an agent',
      text: 'It reads and masks your databases in your network. No row reaches this server.',
    },
    job: {
      title: 'Run a sync job',
      text: 'It copies tables from one database to another one, and masks them on the way.',
    },
    webhook: {
      title: 'Add a webhook',
      text: 'Your server gets a request when a job completes or fails.',
    },
  },
  jobs: {
    title: 'Latest sync jobs',
    caption: 'The latest sync jobs',
    all: 'All sync jobs',
    columns: { name: 'Name', status: 'Status', rows: 'Rows', created: 'Created' },
  },
  warning: { title: 'A webhook is disabled', action: 'Show the webhook' },
} as const;
