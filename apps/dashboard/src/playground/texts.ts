/** All texts of the page. */
export const TEXTS = {
  title: 'Playground',
  meta: 'Write a schema and see its records at each key press. The engine of the API runs in your browser, so nothing is sent, and the API gives the same bytes for the same seed.',
  schema: 'Schema',
  editorLabel: 'Schema as JSON',
  editorHint:
    'To leave the editor with the keyboard, press Escape and then Tab. Ctrl and Space show suggestions.',
  loadingEditor: 'Loading the editor',
  example: 'Example',
  chooseExample: 'Start from an example',
  format: 'Tidy up',
  locale: 'Locale',
  records: 'Records',
  formats: { table: 'Table', json: 'JSON', ndjson: 'NDJSON', csv: 'CSV' },
  formatsLabel: 'Formats of the records',
  generating: 'Generating',
  generated: (records: string, time: string) => `${records} in ${time}`,
  recordCount: (count: number) => (count === 1 ? '1 record' : `${count.toLocaleString('en')} records`),
  stale: 'These are the records of the last valid schema.',
  noRecords: 'Records appear here as soon as the schema is valid.',
  problems: (count: number) => (count === 1 ? '1 problem in the schema' : `${count} problems in the schema`),
  warnings: (count: number) => (count === 1 ? '1 warning' : `${count} warnings`),
  line: (line: number) => `Line ${line}`,
  moreProblems: (count: number) => `and ${count} more`,
  null: 'null',
  timeout: {
    title: 'The records took too long',
    text: (seconds: number) =>
      `The browser ended the work after ${seconds} s. Request fewer records, or generate them with the API.`,
  },
  failed: {
    assets: {
      title: 'A file of the engine could not be loaded',
      text: 'Check your connection. If the control plane was updated since you opened this page, reload it.',
    },
    engine: {
      title: 'The engine could not run in this browser',
      text: 'Reload the page. If the problem stays, generate the records with the API.',
    },
  },
  retry: 'Try again',
  onServer: {
    title: 'Your own models and generators stay on the server',
    text: (names: string) => `This page has no copy of ${names}. The API can generate the records.`,
    action: 'Generate with the API',
    shown: 'The API generated these records.',
  },
} as const;

export const SETTINGS = {
  seed: 'Seed',
  newSeed: 'New seed',
  count: 'Number of records',
  now: 'Reference time',
  seedError: 'Enter an integer.',
  countError: 'Enter 1 to 1,000.',
  nowError: 'Enter a time like 2026-01-31T00:00:00Z.',
} as const;

export const ACTIONS = {
  copyLink: 'Copy link',
  linkCopied: 'The link is copied',
  linkText: 'The schema is in the part of the address that browsers do not send.',
  linkTooLong: 'The schema is too large for a link',
  linkInAddress: 'The link is in the address bar',
  compare: 'Compare with the API',
  same: 'The API gives the same bytes',
  sameText: (bytes: string, format: string) => `${bytes} of ${format} are identical.`,
  different: 'The API gives other bytes',
  differentText: (line: number) => `The first difference is in line ${line}.`,
  here: 'This page',
  api: 'API',
  noLine: '(no such line)',
  use: 'Use in your code',
  useTitle: 'Generate these records in your code',
  useText: 'The same schema, seed and reference time give the same records.',
  languages: 'Languages',
  cliText: 'Save the schema as schema.json first.',
  unsentNumber:
    'The client of this language cannot send a number of the schema with all its digits. Use curl.',
  mock: 'Create mock endpoint',
  open: 'Open in the playground',
} as const;

export const MOCK = {
  title: 'Create a mock endpoint',
  text: 'It returns new records of this schema for each call.',
  method: 'Method',
  path: 'Path',
  pathHint: 'A part like :id matches any value.',
  count: 'Records in a response',
  auth: 'Access',
  withToken: 'With an API key of the organisation',
  withoutToken: 'With the address only',
  create: 'Create endpoint',
  created: 'The mock endpoint is ready',
  address: 'Address',
  open: 'Open its page',
  done: 'Done',
} as const;

/** The texts of the completion list. The engine provides the descriptions of generators and their params. */
export const SUGGESTIONS = {
  forms: [
    { text: 'type', detail: 'string', info: 'The type of the generator.' },
    { text: 'use', detail: 'string', info: 'The name of a registered generator.' },
    { text: 'let', detail: 'object', info: 'The named steps of a composition.' },
    { text: 'body', detail: 'string', info: 'A composition that returns a text with {{expressions}}.' },
    { text: 'computed', detail: 'string', info: 'A composition that returns the value of an expression.' },
  ],
  modifiers: [
    { text: 'transform', detail: 'string', info: 'Replaces each value by the result of an expression.' },
    { text: 'unique', detail: 'boolean', info: 'If true, no value occurs twice.' },
    { text: 'nullable', detail: 'number', info: 'The probability of null, from 0 to 1.' },
    { text: 'description', detail: 'string', info: 'A note for people.' },
  ],
  function: 'function',
  generator: 'generator',
  items: (items: number) => `Has a list of ${items} real values.`,
  required: (type: string) => `${type}, required`,
} as const;
