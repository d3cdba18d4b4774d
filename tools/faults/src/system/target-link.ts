import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** The statements after which a lost reply leaves the agent without the result. */
const FINAL = /ALTER DATABASE \S+ RENAME TO|DROP DATABASE/;

const POLL_MS = 5;

/** The link between the agents and the target server. It can be cut while both ends stay up. */
export class TargetLink {
  /** The bytes that agents have sent to the server. */
  sentBytes = 0;
  private readonly sockets = new Set<Socket>();
  private isCut = false;
  private onFinal: (() => void) | undefined;
  private readonly server = createServer((client) => this.relay(client));

  private constructor(private readonly upstream: URL) {}

  /** @param url URL of the server */
  static async open(url: string): Promise<TargetLink> {
    const link = new TargetLink(new URL(url));
    link.server.listen(0, '127.0.0.1');
    await once(link.server, 'listening');
    return link;
  }

  /** Resolves when agents have sent this number of bytes more. */
  async sent(bytes: number): Promise<void> {
    const until = this.sentBytes + bytes;
    while (this.sentBytes < until) await pause(POLL_MS);
  }

  /** Returns the URL with the address of this link instead of that of the server. */
  through(url: string): string {
    const { port } = this.server.address() as AddressInfo;
    return Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href;
  }

  /** Resets all connections, and refuses new ones for a time. */
  async cut(forMs: number): Promise<void> {
    this.isCut = true;
    for (const socket of this.sockets) socket.resetAndDestroy();
    await pause(forMs);
    this.isCut = false;
  }

  /**
   * Cuts the link after an agent has sent the next statement that renames or drops a database. The server runs the
   * statement, and its reply is lost.
   */
  async cutAtFinalStatement(forMs: number): Promise<void> {
    await new Promise<void>((resolve) => (this.onFinal = resolve));
    await this.cut(forMs);
  }

  async close(): Promise<void> {
    this.onFinal?.();
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private relay(client: Socket): void {
    if (this.isCut) {
      client.resetAndDestroy();
      return;
    }
    const server = connect(Number(this.upstream.port), this.upstream.hostname);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy()); // the programs under test reconnect
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
    }
    client.on('data', (chunk: Buffer) => {
      this.sentBytes += chunk.length;
      if (this.onFinal === undefined || !FINAL.test(chunk.toString('latin1'))) return;
      const cut = this.onFinal;
      this.onFinal = undefined;
      server.write('', () => cut()); // after the chunk, which the pipe has written before
    });
  }
}
