import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describeWith } from '@understudy/testing';

import { ROOT } from '../support/languages.js';
import { readDocument, withGenerateExample } from './api-document.js';
import { ExampleServer, TOKEN } from './example-server.js';
import { blocksOf } from './page-snippets.js';
import { LANGUAGES, runSnippets } from './run-snippets.js';

const SECTION = /^## Use it from your code\n([\s\S]*?)^## /m;
const CODE = blocksOf(SECTION.exec(readFileSync(join(ROOT, 'README.md'), 'utf8'))?.[1] ?? '');

const REQUEST = {
  schema: { generators: { name: { type: 'model', source: 'en_US/first_names' } }, output: ['name'] },
  count: 3,
  format: 'json',
};
const RECORDS = [{ name: 'Scott' }, { name: 'Kathleen' }, { name: 'Justin' }];
const DOCUMENT = withGenerateExample(readDocument(), REQUEST, RECORDS);

for (const { name, fence, toolchain } of LANGUAGES.filter((language) => language.fence !== 'sh'))
  describeWith(`the example of README.md in ${name}`, toolchain, () => {
    let server: ExampleServer;
    beforeAll(async () => {
      server = await ExampleServer.start(DOCUMENT);
    });
    afterAll(() => server?.stop());

    it('generates the records and prints them', async () => {
      const call = { id: 'generate', code: CODE.get(fence) ?? '', baseUrl: server.baseUrl('generate') };
      expect(await runSnippets(fence, [call], '', TOKEN)).toBe('Scott\nKathleen\nJustin\n');
      expect(server.requestsOf('generate')).toEqual([[]]);
    });
  });
