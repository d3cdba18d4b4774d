import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHmac } from 'node:crypto';

import { waitFor } from '@understudy/testing';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
  readonly body: { id: string; event: string; timestamp: string; data: Record<string, unknown> };
}

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** Sets the response to later requests. */
  answerWith(answer: (request: Received, reply: ServerResponse) => void): void;
  /** Waits until this number of matching requests has arrived. */
  until(count: number, fits?: (request: Received) => boolean): Promise<readonly Received[]>;
  stop(): Promise<void>;
}

/** Starts a receiver of webhooks on 127.0.0.1. It responds with 200 by default. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let answer = (_: Received, reply: ServerResponse): void => void reply.end('ok');
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks);
      const body = JSON.parse(raw.toString()) as Received['body'];
      const one = { path: request.url ?? '', headers: request.headers, raw, body };
      received.push(one);
      answer(one, reply);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answerWith: (next) => {
      answer = next;
    },
    until: (count, fits = () => true) =>
      waitFor(`${count} webhooks`, async () => {
        const fitting = received.filter(fits);
        return fitting.length >= count && fitting;
      }),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns the expected value of X-Service-Signature: the HMAC-SHA-256 of the body, in hex. */
export function expectedSignature(secret: string, raw: Buffer): string {
  return createHmac('sha256', secret).update(raw).digest('hex');
}
