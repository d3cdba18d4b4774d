import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';

export interface FetchOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ends the request, and the reading of its response. */
  readonly signal?: AbortSignal;
}

/** Sends a request over a connection that `open` returns. */
export async function fetchOver(
  open: (signal: AbortSignal) => Promise<Socket>,
  url: string,
  { method = 'GET', headers = {}, body, signal = new AbortController().signal }: FetchOptions,
): Promise<Response> {
  signal.throwIfAborted();
  const socket = await open(signal);
  const send = url.startsWith('https:') ? requestHttps : requestHttp;
  const request = send(url, { method, headers, signal, createConnection: () => socket });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return toResponse(response);
}

function toResponse(message: IncomingMessage): Response {
  const { statusCode: status = 0, headersDistinct } = message;
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  if (EMPTY.has(status)) {
    message.resume();
    return new Response(null, { status, headers });
  }
  return new Response(Readable.toWeb(message) as ReadableStream, { status, headers });
}

/** The statuses of responses without a body. */
const EMPTY = new Set([204, 205, 304]);
