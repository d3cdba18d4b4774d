/** Values of the API that a newer server may extend. */
type Labels = Readonly<Record<string, string>>;

const progress = {
  title: 'Progress',
  phases: 'Phases',
  tables: 'Tables',
  rows: 'Data read',
  loaded: 'Data loaded',
  duration: 'Duration',
  size: 'Size in the store',
  of: (total: string) => `of ${total}`,
  about: (total: string) => `of about ${total}`,
  percent: (percent: number) => `${percent} %`,
  announce: (phase: string, percent: number | undefined) =>
    percent === undefined ? phase : `${phase}: ${percent} percent`,
} as const;

const deletion = {
  open: 'Delete snapshot',
  dialog: (name: string) => ({
    title: `Delete ${name}?`,
    text: 'The snapshot cannot be restored any more, and an agent erases its files. Restores that wait for an agent fail. A restore that has begun ends first.',
    confirmLabel: 'Delete snapshot',
    done: `The snapshot ${name} is deleted.`,
  }),
} as const;

const cancellation = {
  open: 'Cancel snapshot',
  dialog: (name: string) => ({
    title: `Cancel ${name}?`,
    text: 'The agent stops and removes what it has stored. The database stays as it is.',
    confirmLabel: 'Cancel snapshot',
    done: `The snapshot ${name} is cancelled.`,
  }),
} as const;

const create = {
  open: 'New snapshot',
  title: 'New snapshot',
  text: 'An agent stores the state of a database at one instant. The database stays in use, and no row leaves the network of the agent.',
  name: 'Name',
  nameHint: 'For example: before the migration.',
  database: 'Database',
  databaseHint: 'The snapshot only reads this database.',
  scope: 'Contents',
  all: 'All tables',
  some: 'Chosen tables',
  allHint: 'Everything in the database, with views, functions and large objects.',
  someHint: 'Their rows and what their definitions need, without foreign keys to other tables.',
  tables: 'Tables',
  tablesHint: 'One name in each line, written as in SQL: customers, sales.orders or "Odd Schema"."T".',
  expires: 'Expires after',
  days: 'days',
  expiresHint: 'From 1 to 365. An agent then erases the snapshot.',
  agent: 'Agent',
  anyAgent: 'Any agent that offers the database',
  noStore: 'It has no snapshot store.',
  submit: 'Create snapshot',
  done: 'The snapshot is accepted. An agent creates it.',
  noTables: 'Enter at least one table, or choose all tables.',
} as const;

const restoring = {
  open: 'Restore',
  again: 'Restore again',
  title: (name: string) => `Restore ${name}`,
  target: 'Target database',
  targetHint: 'The database is created if it does not exist.',
  overwrite: 'Replace a target that contains tables',
  overwriteHint:
    'Everything in the target is replaced. Its agent keeps the replaced database under another name for a day, or as its policy states.',
  consequence:
    'After the restore, the target contains the snapshot and nothing else. The agent loads a new database first, and then renames both. A failed restore leaves the target unchanged.',
  confirm: (name: string) => `Type “${name}” to confirm`,
  mismatch: (name: string) => `Expected “${name}”, the name of the target.`,
  targetInvalid: 'Choose a database, or enter a URL that names one.',
  checking: 'An agent first checks the target, within 5 seconds. You cannot cancel a restore.',
  submit: 'Restore snapshot',
  refused: 'The restore was refused, and nothing was changed',
  unavailable: 'No agent can check the target now, and nothing was changed',
  done: 'The restore is accepted.',
} as const;

const restore = {
  title: 'Restore',
  titleOf: (target: string) => `Restore into ${target}`,
  back: 'Snapshot',
  statuses: {
    pending: 'Waiting',
    running: 'Running',
    completed: 'Completed',
    failed: 'Failed',
  } as Labels,
  phases: {
    preflight: 'Checks',
    checking: 'Reading the snapshot',
    loading: 'Loading',
    switching: 'Switching',
  } as Labels,
  failed: 'The restore failed, and the target is unchanged',
  code: 'Error code',
  waiting: 'The restore waits for a free agent with access to the snapshot.',
  noCancel: 'A restore cannot be cancelled. The target changes only in the last phase.',
  completed: (target: string) => `${target} now contains the snapshot and nothing else.`,
  kept: 'If the target had tables, its agent keeps the replaced database under another name for a while.',
  facts: {
    title: 'Facts',
    id: 'Id',
    snapshot: 'Snapshot',
    target: 'Target',
    overwrite: 'Existing tables',
    replaced: 'Replaced',
    refused: 'Not allowed',
    attempts: 'Attempts',
    agent: 'Agent',
    selected: 'Selected agents',
    created: 'Requested',
    started: 'Started',
    ended: 'Ended',
  },
} as const;

export const TEXTS = {
  title: 'Snapshots',
  one: 'Snapshot',
  meta: 'A snapshot is the state of a database at one instant. An agent keeps it, encrypted, in your network.',
  caption: 'Snapshots',
  statuses: {
    waiting: 'Waiting',
    creating: 'Creating',
    ready: 'Ready',
    failed: 'Failed',
    expired: 'Expired',
    deleting: 'Deleting',
  } as Labels,
  phases: { preflight: 'Checks', dumping: 'Reading and storing', finishing: 'Finishing' } as Labels,
  columns: {
    name: 'Name',
    status: 'Status',
    size: 'Size',
    created: 'Created',
    expires: 'Expires',
    actions: 'Actions',
  },
  menu: (name: string) => `Actions for ${name}`,
  filters: { label: 'Filter snapshots', status: 'Status', anyStatus: 'Any status' },
  count: (count: number) => (count === 1 ? '1 snapshot' : `${count.toLocaleString('en')} snapshots`),
  noMatch: {
    title: 'No snapshot matches',
    text: 'Change or clear the filters to see other snapshots.',
  },
  empty: {
    title: 'No snapshot yet',
    text: 'Create a snapshot before a migration or a test. Later you can restore it into another database.',
  },
  failed: 'The snapshot failed, and nothing of it is stored',
  cancelled: 'The snapshot was cancelled',
  code: 'Error code',
  states: {
    expired: 'The snapshot has expired and cannot be restored. An agent erases its files.',
    deleting: 'The snapshot is deleted and cannot be restored. An agent still has to erase its files.',
    gone: 'The snapshot does not exist any more. Somebody deleted it, or its record was removed.',
  } as Labels,
  facts: {
    title: 'Facts',
    id: 'Id',
    database: 'Database',
    attempts: 'Attempts',
    version: 'PostgreSQL',
    versionHint: (version: string) => `${version}. Restore into this version or a newer one.`,
    agent: 'Agent',
    selected: 'Selected agents',
    created: 'Requested',
    started: 'Started',
    ended: 'Ended',
    expires: 'Expires',
  },
  tables: {
    title: 'Tables',
    caption: 'Tables of the snapshot',
    filter: 'Filter tables',
    filterHint: 'Name contains',
    hidden: "The agent's policy does not report the names of tables.",
    later: 'The names are known when the snapshot is ready.',
    partial: (listed: string, all: string) =>
      `The snapshot contains ${all} tables. The list has ${listed} names.`,
    noMatch: 'No table matches. Change the text to see other tables.',
  },
  restores: {
    title: 'Restores',
    caption: 'Restores of the snapshot',
    none: 'The snapshot was not restored yet.',
    first: (shown: string, total: string) => `The last ${shown} of ${total} restores.`,
    columns: { target: 'Target', status: 'Status', duration: 'Duration', created: 'Requested' },
  },
  progress,
  deletion,
  cancellation,
  create,
  restoring,
  restore,
} as const;
