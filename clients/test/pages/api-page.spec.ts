import { casesOf, describeWith, inBoth, it } from '@understudy/testing';

import { ROOT } from '../support/languages.js';
import { operationsOf, readDocument } from './api-document.js';
import { ExampleServer, TOKEN } from './example-server.js';
import { NumberServer } from './number-server.js';
import { pageSnippets } from './page-snippets.js';
import { README_OUTPUT, readmeCall, startReadmeServer } from './readme-example.js';
import { LANGUAGES, runSnippets } from './run-snippets.js';

jest.setTimeout(300_000); // compiles and runs every code block of the page before its tests

const DOCUMENT = readDocument();

/** The operations that clients offer. */
const OPERATIONS = [...operationsOf(DOCUMENT)].flatMap(([id, operation]) =>
  operation['x-client-method'] === undefined ? [] : [id],
);

const PAGE = pageSnippets(ROOT);

describe('docs/reference/api.md', () => {
  it('has one code block of each language for each operation', () => {
    const fences = LANGUAGES.map(({ fence }) => fence).sort();
    expect([...PAGE.calls.keys()].sort()).toEqual([...OPERATIONS].sort());
    for (const [id, blocks] of PAGE.calls)
      expect({ id, fences: [...blocks.keys()].sort() }).toEqual({ id, fences });
  });
});

/** The client in Python needs as much time as all others. Only a release runs its part of the page. */
const PYTHON_LAST = LANGUAGES.toSorted((one, other) => Number(isPython(one)) - Number(isPython(other)));

for (const { name, fence, toolchain } of casesOf(PYTHON_LAST, 4))
  describeWith(`the API page in ${name}`, toolchain, () => {
    let server: ExampleServer;
    let numbers: NumberServer;
    let readme: ExampleServer;
    let output: string;
    const hasReadme = fence === 'ts'; // the only example of README.md

    // One program carries out all calls, because most of the time is for the compiler.
    beforeAll(async () => {
      server = await ExampleServer.start(DOCUMENT);
      numbers = await NumberServer.start(fence);
      readme = await startReadmeServer();
      const calls = [...PAGE.calls].map(([id, blocks]) => ({
        id,
        code: blocks.get(fence) ?? '',
        baseUrl: server.baseUrl(id),
      }));
      const others = [numbers.call, ...(hasReadme ? [readmeCall(readme)] : [])];
      output = await runSnippets(fence, [...calls, ...others], PAGE.setup.get(fence) ?? '', TOKEN);
    });
    afterAll(async () => {
      await server?.stop();
      await numbers?.stop();
      await readme?.stop();
    });

    inBoth('runs every code block without an error, and README.md prints its records', () => {
      expect(output).toBe(hasReadme ? README_OUTPUT : '');
      expect(readme.requestsOf('generate')).toEqual(hasReadme ? [[]] : []);
    });

    inBoth.each(OPERATIONS)('sends the example request of %s, and no other request', (id) => {
      expect(server.requestsOf(id)).toEqual([[]]);
    });

    inBoth('sends each number of a schema with all its digits, if it has code for them', () => {
      expect(numbers.received()).toEqual([numbers.numbers]);
      expect(numbers.numbers.length).toBeGreaterThanOrEqual(2);
    });
  });

function isPython({ fence }: (typeof LANGUAGES)[number]): boolean {
  return fence === 'python';
}
