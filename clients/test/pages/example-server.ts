import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

import { operationsOf, type ApiDocument } from './api-document.js';
import { RequestCheck, type ReceivedRequest } from './request-check.js';

/** The token that the server accepts. */
export const TOKEN = 'us_live_example';

/** The media type of a response that is a file. */
const FILE = 'application/octet-stream';

/**
 * Answers each operation with the example of the API document. The first segment of a base URL is the id of the
 * operation that the caller means to call, so the server notices a request to another operation.
 */
export class ExampleServer {
  readonly #requests = new Map<string, (readonly string[])[]>();

  private constructor(
    private readonly document: ApiDocument,
    private readonly server: Server,
  ) {}

  static async start(document: ApiDocument): Promise<ExampleServer> {
    const server = createServer();
    const examples = new ExampleServer(document, server);
    const check = new RequestCheck(document);
    server.on('request', (request, response) => {
      examples.#answer(check, request, response).catch((error: unknown) => response.destroy(error as Error));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return examples;
  }

  /** Returns the base URL, with `/v1`, for a call of the operation. */
  baseUrl(operationId: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${operationId}/v1`;
  }

  /** Returns the problems of each request that was sent to the base URL of the operation. */
  requestsOf(operationId: string): readonly (readonly string[])[] {
    return this.#requests.get(operationId) ?? [];
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  async #answer(check: RequestCheck, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, id = '', rest = ''] = /^\/(\w+)(\/.*)$/.exec(request.url ?? '') ?? [];
    const operation = operationsOf(this.document).get(id);
    const received: ReceivedRequest = {
      method: request.method ?? '',
      url: new URL(rest, 'http://localhost'),
      headers: new Headers(request.headers as Record<string, string>),
      body: await buffer(request),
    };
    const problems = operation
      ? await check.problemsOf(operation, received, TOKEN)
      : [`no operation has the id ${id}`];
    this.#requests.set(id, [...this.requestsOf(id), problems]);
    if (problems.length > 0) {
      const error = { code: 'bad_request', message: problems.join('; ') };
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
      return;
    }
    const { status, headers, body } = this.#example(id, received);
    response.writeHead(status, headers).end(body);
  }

  /** Returns the example of the first successful response. For `generate` in NDJSON, returns its records. */
  #example(id: string, request: ReceivedRequest) {
    const responses = Object.entries(operationsOf(this.document).get(id)?.responses ?? {});
    const [status = '200', response] = responses.find(([code]) => code.startsWith('2')) ?? [];
    if (response?.content?.[FILE])
      return { status: Number(status), headers: { 'content-type': FILE }, body: 'a file' };
    const example = response?.content?.['application/json']?.example ?? this.document;
    if (id === 'generate' && wantsNdjson(request)) return ndjson(example as GenerateExample);
    const headers = { 'content-type': 'application/json' };
    return { status: Number(status), headers, body: JSON.stringify(example) };
  }
}

interface GenerateExample {
  readonly data: { readonly records: readonly unknown[]; readonly seed: number };
}

function wantsNdjson({ headers, body }: ReceivedRequest): boolean {
  return body.includes('"ndjson"') || (headers.get('accept') ?? '').includes('ndjson');
}

function ndjson({ data }: GenerateExample) {
  const headers = {
    'content-type': 'application/x-ndjson',
    'x-generation-count': String(data.records.length),
    'x-generation-seed': String(data.seed),
  };
  return { status: 200, headers, body: data.records.map((record) => `${JSON.stringify(record)}\n`).join('') };
}
