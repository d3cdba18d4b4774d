import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../support/languages.js';
import { readDocument, withGenerateExample } from './api-document.js';
import { ExampleServer } from './example-server.js';
import { blocksOf } from './page-snippets.js';
import type { SnippetCall } from './snippet-programs.js';

const SECTION = /^## Use it from your code\n([\s\S]*?)^## /m;
const CODE = blocksOf(SECTION.exec(readFileSync(join(ROOT, 'README.md'), 'utf8'))?.[1] ?? '').get('ts') ?? '';

const REQUEST = {
  schema: { generators: { name: { type: 'model', source: 'en_US/first_names' } }, output: ['name'] },
  count: 3,
  format: 'json',
};
const RECORDS = [{ name: 'Scott' }, { name: 'Kathleen' }, { name: 'Justin' }];

/** The output of the example of README.md. */
export const README_OUTPUT = 'Scott\nKathleen\nJustin\n';

/** Starts a server that answers the request of README.md with its records. */
export const startReadmeServer = (): Promise<ExampleServer> =>
  ExampleServer.start(withGenerateExample(readDocument(), REQUEST, RECORDS));

/** Returns the example of README.md in TypeScript, which creates its own client, as a call of the server. */
export function readmeCall(server: ExampleServer): SnippetCall {
  return { id: 'readme', code: CODE, baseUrl: server.baseUrl('generate'), setup: '' };
}
