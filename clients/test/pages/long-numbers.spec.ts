import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

import {
  generateSnippet,
  type JsonObject,
  SETUP_OF,
  type SnippetLanguage,
} from '../../../libs/code-snippets/src/index.js';
import { parseExactJson } from '@understudy/expression';
import { describeWith } from '@understudy/testing';

import type { Fence } from './page-snippets.js';
import { LANGUAGES, runSnippets } from './run-snippets.js';

jest.setTimeout(300_000); // type checks and compiles programs

const NUMBERS = ['0.5', '9007199254740993', '-90071992547409931000001', '0.12345678901234567890'];
const SNIPPET_OF: Readonly<Record<Fence, SnippetLanguage>> = {
  sh: 'curl',
  ts: 'typescript',
  python: 'python',
  php: 'php',
  go: 'go',
};

const schemaOf = (numbers: readonly string[]) => ({
  generators: { n: { type: 'list', values: parseExactJson(`[${numbers.join(',')}]`) } },
  output: ['n'],
});

function snippetOf(fence: Fence, numbers: readonly string[]): string | undefined {
  const schema = schemaOf(numbers) as JsonObject;
  return generateSnippet(SNIPPET_OF[fence], { schema, count: 1, seed: 1 });
}

/** Returns the numbers of the list in a request, as they were written. */
const sentNumbers = (body: string): string[] =>
  (/"values":\s*\[([^\]]*)\]/.exec(body)?.[1] ?? '').split(',').map((number) => number.trim());

for (const { name, fence, toolchain } of LANGUAGES)
  describeWith(`the code for ${name}`, toolchain, () => {
    it('sends each number of a schema with all its digits', async () => {
      const numbers = NUMBERS.filter((number) => snippetOf(fence, [number]) !== undefined);
      const bodies: string[] = [];
      const server = createServer((request, response) => {
        void buffer(request).then((body) => {
          bodies.push(body.toString());
          const headers = { 'content-type': 'application/x-ndjson', 'x-generation-count': '1' };
          response.writeHead(200, headers).end(`{"n":${String(numbers.at(-1))}}\n`);
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      try {
        const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
        const call = { id: 'generate', code: `${snippetOf(fence, numbers) ?? ''}\n`, baseUrl };
        const setup = SETUP_OF[SNIPPET_OF[fence] as keyof typeof SETUP_OF] ?? '';
        expect(await runSnippets(fence, [call], `${setup}\n`, 'us_live_example')).toBe('');
      } finally {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
      expect(bodies.map(sentNumbers)).toEqual([numbers]);
      expect(numbers.length).toBeGreaterThanOrEqual(2);
    });
  });
