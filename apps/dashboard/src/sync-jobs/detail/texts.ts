type Labels = Readonly<Record<string, string>>;

const overview = {
  progress: 'Progress',
  phases: 'Phases',
  rows: 'Rows',
  of: (total: string) => `of ${total}`,
  bytes: 'Bytes',
  throughput: 'Throughput',
  perSecond: (rows: string) => `${rows} rows/s`,
  bytesPerSecond: (bytes: string) => `${bytes}/s`,
  average: 'Average of the copy',
  remaining: 'Rows copied in about',
  remainingText: 'Indexing and verifying follow.',
  tables: 'Tables',
  duration: 'Duration',
  announce: (phase: string, percent: number | undefined) =>
    percent === undefined ? phase : `${phase}: ${percent} percent of the rows are copied`,
  chart: {
    title: 'Throughput',
    text: 'Measured since this page was opened.',
    label: 'Rows per second',
    summary: (least: string, most: string) => `Between ${least} and ${most} rows per second.`,
  },
  facts: {
    title: 'Facts',
    id: 'Id',
    source: 'Source',
    target: 'Target',
    agent: 'Agent',
    selected: 'Selected agents',
    runOf: 'Repeats',
    created: 'Created',
    started: 'Started',
    ended: 'Ended',
    seed: 'Seed',
    now: 'Reference time',
    unlisted: 'Columns without a rule',
    unlistedTables: 'Other tables of the source',
    refreshViews: 'Refreshes materialized views',
    omitsCode: 'Leaves out code of the source',
    orphans: 'Rows that reference a missing row',
    report: 'Last report of the agent',
    held: 'Kept by its agent until',
    snapshot: 'Source snapshot since',
    keptUntil: 'Replaced database is kept until',
    reverted: 'Replaced database is back since',
  },
  unlistedTables: { reject: 'Not allowed', warn: 'Warning', ignore: 'Left out' } as Labels,
  orphans: { fail: 'Not allowed', skip: 'Left out', not_valid: 'Copied' } as Labels,
  yes: 'Yes',
  no: 'No',
  error: {
    title: 'The job failed',
    cancelled: 'The job was cancelled',
    code: 'Error code',
  },
  silent: {
    title: 'The agent does not report',
    lastReport: 'Last report:',
    keeps: 'The agent keeps the job until',
    remedy:
      'It continues if it has only lost its connection. If it is lost, an admin can take the job from it, in the menu above.',
  },
  cancelRequested: 'The agent was asked to cancel. It ends the job with its next report.',
  models: {
    title: 'Models and compositions',
    text: 'The job used exactly these versions.',
    columns: { name: 'Name', hash: 'Hash' },
  },
} as const;

const leftOut = {
  title: 'Not in the target',
  text: 'Objects of the source that the target does not have. A job creates only what its tables need. The log of the agent has the names.',
  nothing: 'The target has every table, view, function, type and schema of the source.',
  kinds: {
    tables: 'Tables',
    foreign_tables: 'Foreign tables',
    views: 'Views',
    materialized_views: 'Materialized views',
    functions: 'Functions',
    types: 'Types',
    sequences: 'Sequences',
    schemas: 'Schemas',
    extensions: 'Extensions',
  },
} as const;

const verification = {
  title: 'Verification',
  ok: 'All checks succeeded before the target changed',
  failed: 'The target did not change, because checks failed',
  caption: 'Checks of the copy',
  showAll: 'Show all checks',
  columns: { table: 'Table', check: 'Check', result: 'Result', checked: 'Checked' },
  passed: 'Passed',
  failure: 'Failed',
  rows: (source: string, copied: string, target: string) =>
    `${source} in the source, ${copied} copied, ${target} in the target`,
  checks: {
    row_count: 'Number of rows',
    preserved_columns: 'Preserved columns',
    nulled_columns: 'Columns that are NULL',
    masked_columns: 'Masked columns',
    joins: 'Joined rows of foreign keys',
    foreign_keys: 'Foreign keys',
    sequences: 'Sequences',
    other: 'Other',
  } as Labels,
} as const;

const prediction = {
  title: 'Result of the dry run',
  ok: 'No problem was found. The job can run.',
  problems: (count: number) =>
    count === 1 ? '1 problem would fail the job.' : `${count} problems would fail the job.`,
  caption: 'Problems',
  columns: { code: 'Code', message: 'Problem', table: 'Table', rows: 'Rows, about' },
  tables: 'Expected rows',
  showTables: 'Show expected rows',
  few: 'fewer than 10',
} as const;

const attempts = {
  caption: 'Attempts',
  title: (number: number) => `Attempt ${number}`,
  none: {
    title: 'No attempt yet',
    text: 'An attempt begins when an agent gets the job. If an attempt fails for a passing reason, another one follows.',
  },
  agent: 'Agent',
  started: 'Started',
  duration: 'Duration',
  error: 'Error code',
  phases: (number: number) => `Phases of attempt ${number}`,
  noPhases: 'The agent reported no phase.',
  running: 'Running',
  outcomes: {
    completed: 'Completed',
    failed: 'Failed',
    connection_lost: 'Connection lost',
    returned: 'Returned by the agent',
  } as Labels,
} as const;

const definition = {
  caption: 'Rules of each column',
  text: 'The definition as the control plane accepted it.',
  copy: 'Copy definition as JSON',
  filter: 'Filter rules',
  filterHint: 'Search',
  count: (count: number) => (count === 1 ? '1 rule' : `${count.toLocaleString('en')} rules`),
  withheld: 'Withheld parts',
  withheldText:
    'These parts can contain a password or a value of a row, so the control plane does not return them.',
  reasons: {
    connection: 'Connection URL, encrypted for the agents',
    where: 'Condition, which can contain a value of a row',
    rule: 'Constant, which can be a value of a row',
  },
  withheldCaption: 'Withheld parts of the definition',
  columns: {
    part: 'Part',
    reason: 'Reason',
    table: 'Table',
    column: 'Column',
    treatment: 'Treatment',
    rule: 'Rule',
  },
  subsetCondition: 'with a condition',
  subsetLimit: (limit: number) => `at most ${limit.toLocaleString('en')} rows`,
  others: 'all other columns',
  rows: 'all columns',
  treatments: {
    masked: 'Masked',
    kept: 'Kept',
    withheld: 'Withheld',
    rows: 'Subset',
  },
  noMatch: { title: 'No rule matches', text: 'Change the text to see other rules.' },
} as const;

export const DETAIL_TEXTS = {
  title: 'Sync job',
  back: 'Sync jobs',
  tabs: {
    overview: 'Overview',
    tables: 'Tables',
    attempts: 'Attempts',
    definition: 'Definition',
    'stored-data': 'What we know',
  },
  tabsLabel: 'Parts of the job',
  arrow: 'to',
  overview,
  leftOut,
  verification,
  prediction,
  attempts,
  definition,
} as const;
