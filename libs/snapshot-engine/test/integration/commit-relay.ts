import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A relay to PostgreSQL on loopback that can lose the response to a COMMIT. */
export class CommitRelay {
  /** Number of COMMITs that the server ran and whose response was lost. */
  lostCommits = 0;
  /** Number of connections that were refused. */
  refused = 0;
  private isArmed = false;
  private isRefusing = false;
  private refusals = 0;
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((client) => this.accept(client));

  private constructor(private readonly target: URL) {}

  static async start(target: URL): Promise<CommitRelay> {
    const relay = new CommitRelay(target);
    relay.server.listen(0, '127.0.0.1');
    await once(relay.server, 'listening');
    return relay;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /**
   * Makes the relay end the next session that commits, before the session gets the response.
   * @param refusals number of later connections to refuse
   */
  loseNextCommit(refusals: number): void {
    this.isArmed = true;
    this.refusals = refusals;
  }

  /** Makes the relay refuse the next connections. */
  refuse(connections: number): void {
    this.refusals = this.refused + connections;
    this.isRefusing = true;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private accept(client: Socket): void {
    this.sockets.add(client);
    client.on('error', ignore);
    if (this.isRefusing && this.refused < this.refusals) {
      this.refused++;
      client.destroy();
      return;
    }
    const upstream = connect(Number(this.target.port), this.target.hostname);
    this.sockets.add(upstream);
    upstream.on('error', ignore).on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
    client.on('data', (chunk: Buffer) => upstream.write(chunk));
    upstream.on('data', (chunk: Buffer) => {
      if (this.isArmed && chunk.includes('COMMIT\0')) {
        this.isArmed = false;
        this.lostCommits++;
        this.isRefusing = true;
        client.destroy();
      } else client.write(chunk);
    });
  }
}

/** Ignores the error of a socket. The `close` event that follows makes the relay close the other socket. */
function ignore(): void {}
