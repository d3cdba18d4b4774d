import type { GeneratorTab } from './generator-names.js';

const tabs: Readonly<Record<GeneratorTab, string>> = { registered: 'Registered', 'built-in': 'Built-in' };

export const TEXTS = {
  title: 'Generators',
  meta: 'A generator produces values, such as names, dates and identifiers. Schemas, mock endpoints and column rules use it.',
  tabs,
  tabsLabel: 'Origin of the generators',
  register: 'Register generator',
  registered: {
    caption: 'Registered generators',
    columns: { name: 'Name', version: 'Version', output: 'Values', created: 'Registered' },
    empty: {
      title: 'No registered generator',
      text: 'A composition combines other generators under a name. After you register it, each schema, mock endpoint and sync job of your organisation can use it.',
    },
  },
  builtin: {
    caption: 'Built-in generators',
    columns: { name: 'Name', description: 'Description' },
    failed: 'The list of the generators could not be loaded. Check your connection, and load the page again.',
    unknown: {
      title: 'There is no built-in generator with this name',
      text: 'The address is wrong, or another version of the product has the generator.',
    },
    use: 'Use it by its name',
    params: {
      title: 'Parameters',
      none: 'The generator has no parameters.',
      constraints: 'Constraints',
      columns: { name: 'Name', type: 'Type', default: 'Default', description: 'Description' },
      required: 'required',
    },
    examples: {
      title: 'Examples',
      text: 'Your browser generates the values, with seed 1.',
      example: (number: number) => `Example ${number}`,
      open: (number: number) => `Open in the playground: example ${number}`,
    },
    json: 'JSON',
  },
  back: 'Generators',
  facts: {
    title: 'Facts',
    output: 'Values',
    hash: 'SHA-256 of the definition',
    created: 'Registered',
    versions: 'All versions',
  },
  definition: { title: 'Definition', language: 'JSON' },
  samples: {
    text: 'The server generates these values.',
    withParams: (params: string) => `The server generates these values with the params ${params}.`,
  },
  newVersion: 'New version',
  delete: 'Delete',
  deletion: (id: string) => ({
    title: `Delete ${id}?`,
    text: 'Schemas and column rules that use this version fail from now on. Accepted jobs and mock endpoints keep their copy. This cannot be undone.',
    confirmLabel: 'Delete version',
    done: 'The version is deleted.',
  }),
} as const;

export const REGISTER = {
  title: 'Register a generator',
  meta: 'A composition combines other generators under a name. A registered version never changes.',
  definition: 'Definition',
  editorLabel: 'Definition as JSON',
  editorHint:
    'To leave the editor with the keyboard, press Escape and then Tab. Ctrl and Space show suggestions.',
  loadingEditor: 'Loading the editor',
  submit: 'Register generator',
  cancel: 'Cancel',
  leave: 'Leave without registering the generator?',
  done: (id: string) => `${id} is registered.`,
  samples: 'Sample values',
  samplesText: 'Your browser generates these values while you write.',
  withParams: (params: string) => `The required params have the values ${params} here.`,
  noSamples: 'Sample values appear here as soon as the definition is valid.',
  sampleProblem: (reason: string) => `The definition is valid, but there are no samples: ${reason}`,
  problems: (count: number) =>
    count === 1 ? '1 problem in the definition' : `${count} problems in the definition`,
  unknown: {
    title: 'Only the server can check this definition',
    text: (names: string) => `This page has no copy of ${names}. The server checks it when you register.`,
  },
  failed: 'The engine could not run in this browser. The server checks the definition when you register.',
} as const;
