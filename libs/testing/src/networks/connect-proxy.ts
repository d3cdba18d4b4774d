import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';

/**
 * Starts an HTTP proxy that only opens tunnels (CONNECT) to port 443, as the proxies of many companies do.
 * @param idleMs time without traffic after which the proxy closes a tunnel; absent for no limit
 */
export async function startConnectProxy(port: number, idleMs?: number): Promise<void> {
  const server = createServer((_request, response) => {
    response.writeHead(405).end('this proxy only opens tunnels\n');
  });
  server.on('connect', (request, client: Socket, head: Buffer) => {
    const [host = '', targetPort] = (request.url ?? '').split(':');
    if (targetPort !== '443') {
      client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const upstream = connect(443, host);
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      socket.on('error', end).on('close', end);
      if (idleMs !== undefined) socket.setTimeout(idleMs, end);
    }
    upstream.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      client.pipe(upstream).pipe(client);
    });
  });
  server.listen(port, '0.0.0.0');
  await once(server, 'listening');
}
