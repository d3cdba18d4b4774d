import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A relay on loopback that records every byte of both directions. */
export class TcpRecorder {
  private readonly chunks: Buffer[] = [];
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((client) => this.relay(client));

  private constructor(
    private readonly host: string,
    private readonly port: number,
  ) {}

  static async start(target: { host: string; port: number }): Promise<TcpRecorder> {
    const recorder = new TcpRecorder(target.host, target.port);
    recorder.server.listen(0, '127.0.0.1');
    await once(recorder.server, 'listening');
    return recorder;
  }

  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  recorded(): Buffer {
    return Buffer.concat(this.chunks);
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private relay(client: Socket): void {
    const upstream = connect(this.port, this.host);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.sockets.add(from);
      from.on('data', (chunk: Buffer) => {
        this.chunks.push(chunk);
        to.write(chunk);
      });
      from.on('close', () => to.destroy());
      from.on('error', () => to.destroy()); // the end of one side ends the pair; the programs under test reconnect
    }
  }
}
