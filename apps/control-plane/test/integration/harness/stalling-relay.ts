import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** When a relay stops to forward a connection. */
interface StallPoint {
  /** A text that a statement of the transaction contains. */
  readonly transaction: string;
  /** Whether the server receives the COMMIT. It never receives more, and the client receives no response. */
  readonly forwardsCommit: boolean;
}

/** A relay in front of PostgreSQL that stops to forward bytes, but keeps the connections open. */
export class StallingRelay {
  private readonly server = createServer((client) => this.accept(client));
  private readonly pairs = new Set<readonly [client: Socket, upstream: Socket]>();
  private isStalled = false;
  private point: StallPoint | undefined;
  private onStall: ((upstream: Socket) => void) | undefined;

  private constructor(private readonly port: number) {}

  /** @param url of a server on this machine, without a database name */
  static async start(url: string): Promise<{ relay: StallingRelay; url: string }> {
    const target = new URL(url);
    const relay = new StallingRelay(Number(target.port));
    relay.server.listen(0, '127.0.0.1');
    await once(relay.server, 'listening');
    target.hostname = '127.0.0.1';
    target.port = String((relay.server.address() as AddressInfo).port);
    return { relay, url: target.href.replace(/\/$/, '') };
  }

  /** Stops to forward all connections, also new ones. */
  stall(): void {
    this.isStalled = true;
    for (const pair of this.pairs) for (const socket of pair) socket.pause();
  }

  resume(): void {
    this.isStalled = false;
    for (const pair of this.pairs) for (const socket of pair) socket.resume();
  }

  /**
   * Stops to forward the next connection that sends the COMMIT of a transaction.
   * @returns the connection to the server, which stays open even if the client closes its own
   */
  stallCommit(point: StallPoint): Promise<Socket> {
    this.point = point;
    return new Promise((resolve) => (this.onStall = resolve));
  }

  async stop(): Promise<void> {
    for (const pair of this.pairs) for (const socket of pair) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private accept(client: Socket): void {
    const upstream = connect(this.port, '127.0.0.1');
    const pair = [client, upstream] as const;
    this.pairs.add(pair);
    let isKept = false;
    let isChosen = false;
    client.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1');
      if (this.point && text.includes(this.point.transaction)) isChosen = true;
      if (!this.point || !isChosen || !text.includes('COMMIT')) return void (isKept || upstream.write(chunk));
      if (this.point.forwardsCommit) upstream.write(chunk);
      isKept = true;
      this.point = undefined;
      this.onStall?.(upstream);
    });
    upstream.on('data', (chunk: Buffer) => isKept || client.write(chunk));
    client.on('close', () => isKept || upstream.destroy());
    upstream.on('close', () => {
      this.pairs.delete(pair);
      if (!isKept) client.destroy();
    });
    for (const socket of pair) socket.on('error', () => undefined); // the end of one side ends the pair
    if (this.isStalled) for (const socket of pair) socket.pause();
  }
}
