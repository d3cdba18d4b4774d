import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * How the proxy treats a request: it passes the request on, never responds, responds with a status, or cuts
 * the response after some bytes (possibly 0).
 */
export type Fate = 'pass' | 'silence' | { readonly status: number } | { readonly cutAfter: number };

export interface FaultyProxy {
  readonly url: string;
  /** Each request as `PUT /bucket/key?query`, in the order of arrival. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/**
 * Starts a proxy between a client and an S3 server. It keeps the host header, because the signature of a
 * request includes the host.
 */
export async function startFaultyProxy(
  target: string,
  fateOf: (request: string) => Fate,
): Promise<FaultyProxy> {
  const requests: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const line = `${incoming.method} ${incoming.url}`;
    requests.push(line);
    incoming.on('error', () => undefined);
    const fate = fateOf(line);
    if (fate === 'silence') return;
    if (typeof fate === 'object' && 'status' in fate) {
      incoming.resume();
      incoming.on('end', () => outgoing.writeHead(fate.status).end());
      return;
    }
    passOn(target, incoming, outgoing, fate === 'pass' ? undefined : fate.cutAfter);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function passOn(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  cutAfter: number | undefined,
): void {
  const { method, headers, url = '/' } = incoming;
  const onward = request(new URL(url, target), { method, headers }, (answer) => {
    if (cutAfter === undefined) {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
      return;
    }
    if (cutAfter > 0) outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
    let left = cutAfter;
    answer.on('data', (piece: Buffer) => {
      if (left > 0) outgoing.write(piece.subarray(0, left));
      left -= piece.length;
      if (left <= 0) answer.destroy();
    });
    answer.on('close', () => outgoing.socket?.destroySoon());
  });
  onward.on('error', () => outgoing.destroy());
  incoming.pipe(onward);
}
