import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { waitFor } from '../test-services.js';

/** A request of the control plane, as a user's receiver gets it. */
export interface ReceivedWebhook {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A receiver on loopback that stores every request and responds with 200. */
export class WebhookReceiver {
  private readonly received: ReceivedWebhook[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<WebhookReceiver> {
    const server = createServer();
    const receiver = new WebhookReceiver(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        receiver.received.push({
          headers: request.headers as Record<string, string>, // the control plane sends no header twice
          body: Buffer.concat(chunks),
        });
        response.end();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hooks`;
  }

  /** Waits for the request with an event. */
  event(id: string): Promise<ReceivedWebhook> {
    return waitFor(`the webhook event ${id}`, () =>
      Promise.resolve(this.received.find(({ headers }) => headers['webhook-id'] === id)),
    );
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}
