import type { ColumnStatus, Coverage, PlainOption } from './form/job-form.js';

export const FORM_NOTES = {
  withheldRule:
    'The copied job has values in this rule that the server does not show, because they can come from rows. Enter them again.',
} as const;

export const CHECK_TEXTS = {
  nameMissing: 'Give the job a name.',
  noTable: 'Add at least one table, or import a job file.',
  databaseMissing: 'Choose a database, or enter a connection URL.',
  databaseInvalid: 'Expected agent:<name>, or a URL such as postgresql://user:password@host:5432/database.',
  undecided: 'Decide whether the column is masked or kept.',
  whereMissing: 'The copied job had a condition, which the server does not show. Enter it again.',
} as const;

const statuses: Readonly<Record<ColumnStatus, string>> = {
  masked: 'Masked',
  kept: 'Kept',
  open: 'Not decided',
};

export interface OptionText {
  readonly label: string;
  readonly hint: string;
  /** The labels of modes, if there are several. */
  readonly modes?: Readonly<Record<string, string>>;
}

const PLAIN: Readonly<Record<PlainOption, OptionText>> = {
  refresh_materialized_views: {
    label: 'Refresh materialized views',
    hint: 'Of the target, if they depend on the tables of the job. Otherwise they keep old rows.',
  },
  source_code: {
    label: 'Leave out code of the source',
    hint: 'Triggers, rules, constraints, indexes and defaults of new tables that call functions of the source. Otherwise the agent’s policy decides.',
  },
  orphans: {
    label: 'Rows that reference a missing row',
    hint: 'They break a foreign key between tables of the job. Such rows exist if the checks of the key were off.',
    modes: {
      fail: 'Fail the job',
      skip: 'Leave them out, with all rows that reference them',
      not_valid: 'Copy them, and make the key NOT VALID',
    },
  },
  replace: {
    label: 'What the job replaces',
    hint: 'A copy of the database has everything that the source has. Every table and column needs a decision then.',
    modes: { tables: 'The tables of this form', database: 'The whole database' },
  },
  drop_target_only: {
    label: 'Drop objects that only the target has',
    hint: 'Otherwise the job fails if the target has any. A dry run lists them.',
  },
  security_definer: {
    label: 'Functions that run with the rights of their owner',
    hint: 'The agent’s policy decides whether they may stay as they are.',
    modes: { invoker: 'Run with the rights of the caller', keep: 'Keep as in the source' },
  },
  large_objects: {
    label: 'Large objects of the source',
    hint: 'They are not masked. The agent’s policy decides whether they may be copied.',
    modes: { fail: 'Fail the job', skip: 'Leave them out', copy: 'Copy them unchanged' },
  },
  privileges: {
    label: 'Privileges on the new objects',
    hint: 'Objects that only the source has get the default privileges of the target.',
    modes: { target: 'As in the replaced database', source: 'As in the source', none: 'Only of the owner' },
  },
  owners: {
    label: 'Owners of the new objects',
    hint: 'A role of the source can only own objects if the role of the job is a member of it.',
    modes: { target: 'The owner of the replaced database', source: 'As in the source' },
  },
  publications: {
    label: 'Publications of the source',
    hint: 'Subscribers of the target receive the masked rows.',
    modes: { none: 'Leave them out', source: 'Create them' },
  },
  tablespaces: {
    label: 'Tablespaces of tables and indexes',
    hint: 'The second login needs CREATE on the tablespaces of the source.',
    modes: { none: 'That of the database', source: 'As in the source' },
  },
  exclude_schemas: {
    label: 'Schemas to leave out',
    hint: 'One name in each line. The new database does not get them.',
  },
  exclude_tables: {
    label: 'Tables to leave out',
    hint: 'One name in each line. The new database does not get them.',
  },
  skip_objects: {
    label: 'Other objects to leave out',
    hint: 'One pattern in each line, such as "event trigger *". What depends on them is left out, too.',
  },
  end_sessions: {
    label: 'End sessions that use the target',
    hint: 'Otherwise the job waits until they end. The agent’s policy decides whether it may end them.',
  },
  keep_replaced_hours: {
    label: 'Hours for which the replaced database is kept',
    hint: 'By default 24. A revert can bring it back. The agent’s policy has the upper limit.',
  },
};

function coverageText({ masked, kept, open }: Coverage): string {
  return [`${masked} masked`, `${kept} kept`, ...(open > 0 ? [`${open} not decided`] : [])].join(', ');
}

function columnsText(count: number): string {
  return count === 1 ? '1 column' : `${count} columns`;
}

export const TEXTS = {
  title: 'New sync job',
  meta: 'A sync job copies tables from one database to another, and replaces personal data on the way.',
  back: 'Sync jobs',
  copied: 'This form is a copy of an earlier job. Parts that the server does not show are empty.',
  loading: 'Loading the job to copy',
  noPermission:
    'Your role or your token does not allow you to start sync jobs. You can prepare one and copy it.',
  leave: 'Leave without starting the job?',
  start: {
    title: 'Start from a job file',
    text: 'The command understudy init reads a database and writes a job file with a rule for each column that looks personal. The file contains no row.',
    choose: 'Choose job file',
    hint: 'Or drop it here. At most 4 MiB. The file stays in your browser.',
    tooLarge: (mebibytes: string) => `The file has ${mebibytes} MiB. A job file has at most 4 MiB.`,
    notText: 'The file is not UTF-8 text. Choose the job file that understudy init wrote.',
    failed: 'The file could not be read in time. Try again, or choose a smaller file.',
    refused: 'The file is not a valid job file',
    at: (line: number, column: number) => `Line ${line}, column ${column}:`,
    imported: (tables: number, columns: number) =>
      `The form now has ${tables === 1 ? '1 table' : `${tables} tables`} with ${columnsText(columns)}.`,
    hasUrl: 'The connection URLs of the file were left out. Choose the databases below.',
    hasLocalFiles:
      'The file names local models or compositions. Upload them with understudy upload before you start the job.',
    policyFields: (fields: string) =>
      `These fields were left out, because the policy of the agent has their keys: ${fields}.`,
    replace: {
      title: 'Replace the form with the file?',
      consequence: 'Everything that you entered on this page is replaced.',
      confirm: 'Replace form',
    },
  },
  databases: {
    title: 'Databases',
    name: 'Name of the job',
    nameHint: 'For example: nightly copy of the shop.',
    source: 'Source',
    sourceHint: 'The job only reads this database.',
    target: 'Target',
    targetHint: 'The job replaces the tables below in this database.',
  },
  rules: {
    title: 'Tables and rules',
    text: 'Decide for each column: mask it, or keep it unchanged.',
    list: 'Tables and columns',
    empty: {
      title: 'No table yet',
      text: 'Import a job file, which has all tables and proposed rules. Or add tables by hand.',
    },
    noMatch: { title: 'No column matches', text: 'Clear the filters to see all tables.' },
    filters: 'Filter columns',
    search: 'Search tables and columns',
    searchPlaceholder: 'Search',
    status: 'Status',
    anyStatus: 'Any status',
    withProblem: 'With a problem',
    coverage: 'Decided columns',
    coverageText,
    checking: 'Checking rules…',
    checkFailed: 'The browser could not check the rules. The server checks them when you start the job.',
    addTables: 'Add tables',
    columns: columnsText,
    matches: (shown: number) => `${columnsText(shown)} shown`,
    statuses,
    expand: (table: string) => `Show the columns of ${table}`,
    select: (column: string) => `Select ${column}`,
    selectTable: (table: string) => `Select the columns of ${table}`,
    problem: 'Problem',
    problems: (count: number) => (count === 1 ? '1 problem' : `${count} problems`),
    subset: 'Some rows',
    withoutRows: 'Without rows',
    menu: (table: string) => `Actions for ${table}`,
    addColumns: 'Add columns',
    settings: 'Table settings',
    removeTable: 'Remove table',
    removed: (table: string) => `${table} is removed.`,
  },
  bulk: {
    label: 'Selected columns',
    selected: (count: number) => `${columnsText(count)} selected`,
    keep: 'Keep unchanged',
    mask: 'Set a rule',
    clear: 'Clear selection',
    selectAll: 'Select all shown',
    applied: (count: number) => `The rule of ${columnsText(count)} is changed.`,
  },
  addTables: {
    title: 'Add tables',
    label: 'Table names',
    hint: 'One name in each line, as in SQL: customers, crm.orders or "Odd Name".',
    confirm: 'Add tables',
  },
  addColumns: {
    title: (table: string) => `Add columns to ${table}`,
    label: 'Column names',
    hint: 'One name in each line.',
    confirm: 'Add columns',
  },
  table: {
    title: (table: string) => `Settings of ${table}`,
    name: 'Name',
    nameHint: 'As in SQL: customers, crm.orders or "Odd Name".',
    where: 'Condition',
    whereHint:
      "Copies only rows that match, for example: country = 'CZ'. The policy of the agent must allow conditions.",
    limit: 'Maximum rows',
    limitHint: 'Empty for no limit. Rows that the copied rows reference are added.',
    unlisted: 'Columns without a rule',
    ofJob: 'As set for the job',
    withoutRows: 'Create the table without rows',
    withoutRowsHint: 'Rules of its columns have no effect then.',
    done: 'Done',
  },
  rule: {
    title: (column: string) => `Rule for ${column}`,
    bulkTitle: (count: number) => `Rule for ${columnsText(count)}`,
    samples: {
      title: 'Sample values',
      again: 'Other values',
      text: 'A job derives its values from the masking key, so it generates others of this kind.',
      unknown: (names: string) => `This page has no copy of ${names}, so it cannot show sample values.`,
    },
    kind: 'What happens to the column',
    kinds: {
      keep: 'Keep unchanged',
      model: 'Replace with a value of a model',
      template: 'Build a text from a pattern',
      generator: 'Replace with a generated value',
      json: 'Replace values inside a JSON document',
    },
    model: 'Model',
    modelHint: 'Models give names, towns and other words that look real.',
    pattern: 'Pattern',
    patternHint:
      'For example {{first_name}}.{{uuid}}@example.com. A name in braces is the new value of that column.',
    generator: 'Generator',
    paths: 'Rules by path',
    pathsHint:
      'Write them as JSON: {"contact.email": {"generator": "template", "pattern": "{{uuid}}@example.com"}}',
    jsonParam: 'Written as JSON.',
    notJson: 'Expected JSON.',
    defaultIs: (value: string) => `Default: ${value}.`,
    modifiers: 'More options',
    unique: 'No value occurs twice',
    consistent: 'Equal originals get equal new values',
    consistentHint: 'Needed only if other columns are joined with this one. Frequencies stay visible.',
    differs: 'The new value never equals the original',
    nullable: 'Share of NULL',
    nullableHint: 'From 0 to 1. Empty for none. An original NULL stays NULL in any case.',
    transform: 'Transform',
    transformHint: 'An expression that computes the new value, for example uppercase(value).',
    asJson: 'Edit as JSON',
    asFields: 'Edit as fields',
    editor: 'Rule as JSON',
    editorHint: 'To leave the editor, press Ctrl+M, or Shift+Option+M on macOS, and then Tab.',
    loadingEditor: 'Loading the editor',
    note: 'About this column',
    problems: 'This rule cannot be used yet',
    everywhere: (count: number, name: string) => `Use for all ${count} columns named ${name}`,
    everywhereDone: (count: number) => `${columnsText(count)} now have this rule.`,
    reset: 'Undo changes',
    remove: 'Remove column',
    done: 'Done',
    apply: 'Set rule',
    open: 'Not decided',
    kept: 'Kept unchanged',
    modelSummary: (model: string) => `Model ${model}`,
    pathsSummary: (count: number) =>
      count === 1 ? '1 path in the document' : `${count} paths in the document`,
    otherSummary: 'Rule as JSON',
  },
  options: {
    title: 'Options',
    unlisted: 'Columns without a rule',
    unlistedHint: 'Columns of the database that are not in this form, for example new ones.',
    unlistedTables: 'Tables that are not in this form',
    unlistedTablesHint: 'Tables of the source, for example new ones. Partitions belong to their table.',
    unlistedTablesValues: {
      reject: 'Fail the job before a row is read',
      warn: 'Copy the others, and warn',
      ignore: 'Copy the others',
    },
    ignoredTables: 'Tables that are left out on purpose',
    ignoredTablesHint: 'One name in each line, as in SQL. Each must exist in the source.',
    plain: PLAIN,
    seed: 'Seed',
    seedHint: 'Empty for a random one. The same job with the same seed gives the same values.',
    now: 'Reference time',
    nowHint: 'Relative dates refer to it, for example 2026-01-31. Empty for the start of today in UTC.',
  },
  review: {
    title: 'Review and start',
    ready: 'The form is complete. A dry run makes every check and copies nothing.',
    problems: (count: number) => (count === 1 ? '1 problem to solve' : `${count} problems to solve`),
    more: (count: number) => (count === 1 ? '1 further problem' : `${count} further problems`),
    notShown: (count: number) => `${count} further problems follow when these are solved.`,
    warning: 'Columns of which you keep the values are copied unchanged to the target.',
    show: 'Show request',
    hide: 'Hide request',
    formats: { request: 'Request', curl: 'curl', file: 'Job file' },
    format: 'Form of the request',
    long: 'The text is too long to show all of it. The button copies it completely.',
    copyAll: 'Copy all',
    dryRun: 'Dry run',
    start: 'Start job',
    started: 'Job started.',
  },
  confirm: {
    title: (name: string) => `Start ${name}?`,
    consequence: (tables: string, target: string) =>
      `When the copy is verified, the job replaces ${tables} in ${target}. Their present rows are lost. This cannot be undone.`,
    ofDatabase: (target: string) =>
      `When the copy is verified, the job replaces the whole database ${target}. Its rows, and all objects that only it has, are gone as soon as the replaced database is dropped.`,
    tables: (count: number) => (count === 1 ? '1 table' : `${count} tables`),
    urlTarget: 'the target database',
    confirm: 'Start job',
  },
  dryRun: {
    title: 'Dry run',
    waiting: 'The dry run waits for an agent, or runs. You can go on with the form.',
    ok: 'The dry run found no problem.',
    stale: 'The form has changed since this dry run.',
    found: (count: number) =>
      count === 1 ? 'The dry run found 1 problem' : `The dry run found ${count} problems`,
    failed: 'The dry run could not make its checks',
  },
} as const;
