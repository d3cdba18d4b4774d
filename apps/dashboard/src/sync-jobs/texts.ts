/** Values of the API that a newer server may extend. */
type Labels = Readonly<Record<string, string>>;

const actions = {
  menu: (name: string) => `Actions for ${name}`,
  cancel: 'Cancel job',
  delete: 'Delete job',
  runAgain: 'Run again',
  clone: 'Copy into a new job',
  release: 'Take job from its agent',
  revert: 'Swap back the replaced database',
  cancellation: (name: string) => ({
    title: `Cancel ${name}?`,
    text: 'The agent stops and removes its copy. The target stays as it was before the job. A job that has already switched its target ends as completed.',
    confirmLabel: 'Cancel job',
    done: 'The agent has received the cancel request, or receives it with its next report.',
  }),
  deletion: (name: string) => ({
    title: `Delete ${name}?`,
    text: 'The definition, the report and the history of the job are deleted, and cannot be restored. The data in the target stays.',
    confirmLabel: 'Delete job',
    done: `The job ${name} is deleted.`,
  }),
  repetition: {
    title: (name: string) => `Run ${name} again?`,
    consequence: (target: string) =>
      `A new job replaces the same tables of ${target}, or the whole database if this job did. It uses the same rules and the same seed.`,
    dryRun: 'A new job runs the same checks again. It copies nothing.',
    confirm: 'Run again',
    done: 'The new job is waiting for an agent.',
  },
  releasing: (name: string) => ({
    title: `Take ${name} from its agent?`,
    text: 'Do this only if the agent will not come back. Another agent then gets the job and begins a new attempt. The old agent can no longer change the target.',
    confirmLabel: 'Take job',
    done: 'Another agent can now get the job.',
  }),
  reverting: (name: string) => ({
    title: `Swap back the database that ${name} replaced?`,
    text: 'The target and the kept database are swapped, as soon as no session uses the target. Nothing is lost: swap them again to undo this.',
    confirmLabel: 'Swap databases',
    done: 'An agent swaps the databases. The page of the job shows when this is done.',
  }),
} as const;

export const TEXTS = {
  create: 'New sync job',
  title: 'Sync jobs',
  meta: 'A sync job copies tables from a source to a target database, and masks them on the way.',
  caption: 'Sync jobs',
  statuses: {
    pending: 'Waiting',
    running: 'Running',
    completed: 'Completed',
    failed: 'Failed',
    cancelled: 'Cancelled',
    cancelling: 'Cancelling',
  } as Labels,
  phases: {
    preflight: 'Checks',
    training: 'Training',
    copying: 'Copying',
    indexing: 'Indexing',
    verifying: 'Verifying',
    switching: 'Switching',
  } as Labels,
  dryRun: 'Dry run',
  problems: (count: number) =>
    count === 0 ? 'No problem' : count === 1 ? '1 problem' : `${count.toLocaleString('en')} problems`,
  all: 'All',
  views: 'Status',
  columns: {
    name: 'Name',
    status: 'Status',
    progress: 'Progress',
    agent: 'Agent',
    duration: 'Duration',
    created_at: 'Created',
    actions: 'Actions',
  },
  filters: {
    label: 'Filter sync jobs',
    agent: 'Agent',
    anyAgent: 'Any agent',
    within: 'Created',
    anyTime: 'Any time',
  },
  spans: { '1h': 'Last hour', '24h': 'Last 24 hours', '7d': 'Last 7 days', '30d': 'Last 30 days' },
  count: (count: number) => (count === 1 ? '1 job' : `${count.toLocaleString('en')} jobs`),
  tables: (count: number) => (count === 1 ? '1 table' : `${count.toLocaleString('en')} tables`),
  rows: (count: number) => (count === 1 ? '1 row' : `${count.toLocaleString('en')} rows`),
  noAgent: 'None yet',
  percent: (percent: number) => `${percent} %`,
  empty: {
    title: 'No sync job yet',
    text: 'Choose two databases, and decide what happens to each column. A dry run first checks everything without copying.',
  },
  noMatch: {
    title: 'No job matches',
    text: 'Change or clear the filters to see other jobs.',
  },
  actions,
} as const;
