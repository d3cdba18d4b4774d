import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A receiver of webhooks whose response a test can change. */
export class Receiver {
  readonly eventIds: string[] = [];
  status = 500;

  private constructor(private readonly server: Server) {
    server.on('request', (request: IncomingMessage, response) => {
      this.eventIds.push(String(request.headers['webhook-id']));
      request.resume().on('end', () => response.writeHead(this.status).end());
    });
  }

  static async start(): Promise<Receiver> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Receiver(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hooks/understudy`;
  }

  /** Waits until at least `count` requests have arrived. */
  async received(count: number): Promise<void> {
    while (this.eventIds.length < count) await once(this.server, 'request');
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
