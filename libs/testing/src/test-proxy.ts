import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import type { TestCertificate } from './test-certificates.js';

export interface TestProxyOptions {
  /** `user:password` that clients must send. */
  readonly credentials?: string;
  /** Refuses every connection with this status. */
  readonly status?: number;
  /** Certificate of an `https://` proxy. */
  readonly certificate?: TestCertificate;
}

/**
 * An HTTP proxy on loopback that only understands CONNECT. It connects every name to 127.0.0.1, so a test can
 * use names that only the proxy can resolve.
 */
export class TestProxy {
  /** The host and port of each request, oldest first. */
  readonly requests: string[] = [];
  private readonly sockets = new Set<Duplex>();

  private constructor(
    private readonly server: Server,
    private readonly options: TestProxyOptions,
  ) {}

  static async start(options: TestProxyOptions = {}): Promise<TestProxy> {
    const server = options.certificate === undefined ? createServer() : createTlsServer(options.certificate);
    const proxy = new TestProxy(server, options);
    server.on('connection', (socket: Socket) => proxy.keep(socket));
    server.on('connect', (request: IncomingMessage, client: Duplex) => proxy.serve(request, client));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Closes every connection that the proxy has opened. It accepts new ones. */
  disconnect(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.server.close();
    this.disconnect();
    await once(this.server, 'close');
  }

  private serve(request: IncomingMessage, client: Duplex): void {
    const authority = request.url ?? '';
    this.requests.push(authority);
    const status = this.options.status ?? (this.isAllowed(request) ? 200 : 407);
    if (status !== 200) {
      client.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const upstream = connect(Number(authority.replace(/^.*:/, '')), '127.0.0.1');
    this.keep(upstream);
    upstream.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(upstream).pipe(client);
    });
    upstream.on('close', () => client.destroy());
    client.on('error', ignore).on('close', () => upstream.destroy());
  }

  private isAllowed({ headers }: IncomingMessage): boolean {
    const { credentials } = this.options;
    if (credentials === undefined) return true;
    return headers['proxy-authorization'] === `Basic ${Buffer.from(credentials).toString('base64')}`;
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', ignore).on('close', () => this.sockets.delete(socket));
  }
}

/** Ignores errors of a connection, because the end of one side ends the other. */
function ignore(): void {}
