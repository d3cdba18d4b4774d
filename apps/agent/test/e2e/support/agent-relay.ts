import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * A relay between agents and NATS that can cut the link of one agent. It finds the agent in the CONNECT message. While
 * a link is cut, no agent can connect, but the connections of other agents stay.
 */
export class AgentRelay {
  private readonly agents = new Map<Socket, string>();
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((client) => this.relay(client));
  private ownPort = 0;

  /** @param natsPort returns the port of NATS; called for each connection */
  private constructor(private readonly natsPort: () => number) {}

  static async start(natsPort: () => number): Promise<AgentRelay> {
    const relay = new AgentRelay(natsPort);
    await relay.restore();
    relay.ownPort = (relay.server.address() as AddressInfo).port;
    return relay;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.ownPort}`;
  }

  /** Closes the connection of the agent, and refuses all new connections until {@link restore}. */
  cut(agentId: string): void {
    this.server.close();
    for (const [socket, id] of this.agents) if (id === agentId) socket.destroy();
  }

  async restore(): Promise<void> {
    if (this.server.listening) return;
    this.server.listen(this.ownPort, '127.0.0.1');
    await once(this.server, 'listening');
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    if (!this.server.listening) return;
    this.server.close();
    await once(this.server, 'close');
  }

  private relay(client: Socket): void {
    const upstream = connect(this.natsPort(), '127.0.0.1');
    client.once('data', (first: Buffer) => {
      const id = /"understudy-agent (agt_[0-9A-Z]+)"/.exec(first.toString('latin1'))?.[1];
      if (id !== undefined) this.agents.set(client, id);
    });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.sockets.add(from);
      from.on('data', (chunk: Buffer) => to.write(chunk));
      from.on('close', () => {
        this.agents.delete(from);
        this.sockets.delete(from);
        to.destroy();
      });
      from.on('error', () => to.destroy()); // the end of one side ends the pair; the agents reconnect
    }
  }
}
