import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A reverse proxy that publishes a server below a path prefix, and removes the prefix from each request. */
export class PrefixProxy {
  /** The URL of the server behind the proxy. Set it before the first request. */
  target = '';

  private constructor(
    private readonly server: Server,
    /** The public URL, with the prefix. */
    readonly url: string,
  ) {}

  /** @param prefix for example `/a/b` */
  static async start(prefix: string): Promise<PrefixProxy> {
    const server = createServer((incoming, response) => proxy.forward(prefix, incoming, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const proxy = new PrefixProxy(server, `http://127.0.0.1:${port}${prefix}`);
    return proxy;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private forward(prefix: string, incoming: IncomingMessage, response: ServerResponse): void {
    const { method, headers, url = '/' } = incoming;
    if (!url.startsWith(`${prefix}/`)) {
      response.writeHead(404).end(`expected a path below ${prefix}`);
      return;
    }
    const forwarded = request(this.target + url.slice(prefix.length), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    incoming.pipe(forwarded);
  }
}
