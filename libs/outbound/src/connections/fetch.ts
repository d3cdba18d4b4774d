import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';

export interface FetchOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Limit of the response's body. The default is 1 MiB. */
  readonly maxBytes?: number;
  /** Ends the request, and the reading of its response. */
  readonly signal?: AbortSignal;
}

/** Sends a request over a connection that `open` returns. */
export async function fetchOver(
  open: (signal: AbortSignal) => Promise<Socket>,
  url: string,
  { method = 'GET', headers = {}, body, maxBytes = MIB, signal = new AbortController().signal }: FetchOptions,
): Promise<Response> {
  signal.throwIfAborted();
  const socket = await open(signal);
  const send = url.startsWith('https:') ? requestHttps : requestHttp;
  const request = send(url, { method, headers, signal, createConnection: () => socket });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return toResponse(response, maxBytes);
}

function toResponse(message: IncomingMessage, maxBytes: number): Response {
  const { statusCode: status = 0, headersDistinct } = message;
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  if (EMPTY.has(status)) {
    message.resume();
    return new Response(null, { status, headers });
  }
  const body = Readable.from(atMost(maxBytes, message), { objectMode: false });
  return new Response(Readable.toWeb(body) as ReadableStream, { status, headers });
}

async function* atMost(maxBytes: number, message: IncomingMessage): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw new Error(`the response has more than ${maxBytes} bytes`);
    yield chunk;
  }
}

const MIB = 1024 * 1024;
/** The statuses of responses without a body. */
const EMPTY = new Set([204, 205, 304]);
