import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

import {
  generateSnippet,
  type JsonObject,
  type SnippetLanguage,
} from '../../../libs/code-snippets/src/index.js';
import { parseExactJson } from '@understudy/expression';

import type { Fence } from './page-snippets.js';

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

/** Receives schemas with numbers that a double cannot represent. */
export class NumberServer {
  /** The numbers that the code of the language can contain. */
  readonly numbers: readonly string[];
  readonly #bodies: string[] = [];

  private constructor(
    private readonly fence: Fence,
    private readonly server: Server,
  ) {
    this.numbers = NUMBERS.filter((number) => snippetOf(fence, [number]) !== undefined);
  }

  static async start(fence: Fence): Promise<NumberServer> {
    const server = createServer();
    const started = new NumberServer(fence, server);
    server.on('request', (request, response) => {
      void buffer(request).then((body) => {
        started.#bodies.push(body.toString());
        const headers = { 'content-type': 'application/x-ndjson', 'x-generation-count': '1' };
        response.writeHead(200, headers).end(`{"n":${String(started.numbers.at(-1))}}\n`);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return started;
  }

  /** Returns code that sends the numbers to this server. */
  get call(): { readonly id: string; readonly code: string; readonly baseUrl: string } {
    return {
      id: 'longNumbers',
      code: `${snippetOf(this.fence, this.numbers) ?? ''}\n`,
      baseUrl: `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`,
    };
  }

  /** Returns the numbers in each request, as they were written. */
  received(): string[][] {
    const texts = this.#bodies.map((body) => /"values":\s*\[([^\]]*)\]/.exec(body)?.[1] ?? '');
    return texts.map((text) => text.split(',').map((number) => number.trim()));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
