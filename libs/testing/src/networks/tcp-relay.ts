import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** How a relay changes the traffic. All fields apply to each direction of each connection. */
export interface RelaySettings {
  /** Absent for no limit. */
  readonly bytesPerSecond?: number;
  /** Time by which every byte is delayed. */
  readonly delayMs?: number;
}

/** A TCP relay that limits the throughput or delays the traffic. The settings can change at any time. */
export class TcpRelay {
  private readonly server: Server;

  private constructor(
    private readonly target: { readonly host: string; readonly port: number },
    public settings: RelaySettings,
  ) {
    this.server = createServer((client) => this.accept(client));
  }

  /** Listens on all addresses of the namespace. */
  static async listen(
    port: number,
    target: { readonly host: string; readonly port: number },
    settings: RelaySettings,
  ): Promise<TcpRelay> {
    const relay = new TcpRelay(target, settings);
    relay.server.listen(port, '0.0.0.0');
    await once(relay.server, 'listening');
    return relay;
  }

  private accept(client: Socket): void {
    const upstream = connect(this.target.port, this.target.host);
    this.pump(client, upstream);
    this.pump(upstream, client);
  }

  private pump(from: Socket, to: Socket): void {
    const waiting: { readonly chunk: Buffer; readonly dueMs: number }[] = [];
    let freeAtMs = 0;
    let timer: NodeJS.Timeout | undefined;
    const send = (): void => {
      timer = undefined;
      const now = performance.now();
      while (waiting[0] !== undefined && waiting[0].dueMs <= now) to.write(waiting.shift()?.chunk ?? '');
      if (waiting.length < MAX_WAITING) from.resume();
      if (waiting[0] !== undefined) timer = setTimeout(send, waiting[0].dueMs - now);
      else if (from.readableEnded) to.end();
    };
    from.on('data', (chunk: Buffer) => {
      const { bytesPerSecond, delayMs = 0 } = this.settings;
      const now = performance.now();
      freeAtMs =
        bytesPerSecond === undefined
          ? now
          : Math.max(now, freeAtMs) + (chunk.length / bytesPerSecond) * 1_000;
      waiting.push({ chunk, dueMs: freeAtMs + delayMs });
      // With a limit, the sender must notice the limit, so the relay holds one chunk only.
      if (waiting.length >= MAX_WAITING || bytesPerSecond !== undefined) from.pause();
      if (timer === undefined) send();
    });
    from.on('end', () => {
      if (waiting.length === 0) to.end();
    });
    from.on('close', () => {
      if (waiting.length === 0) to.destroy();
    });
    from.on('error', () => to.destroy()); // the end of one side ends the pair; the programs under test reconnect
  }
}

const MAX_WAITING = 64;
