import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import { RandomStream, rootKey } from '@understudy/random';

/**
 * The points at which the proxy breaks a connection. Each is equally likely.
 * - `beforeRequest`: the client has sent its request, and the server receives nothing
 * - `withinRequest`: the server receives the first part of the request
 * - `beforeWork`: the server receives the whole request, and the connection breaks while the server works
 * - `beforeResponse`: the server has responded, and the client receives nothing
 * - `withinResponse`: the client receives the first part of the response
 */
export const FAULT_POINTS = [
  'beforeRequest',
  'withinRequest',
  'beforeWork',
  'beforeResponse',
  'withinResponse',
] as const;
export type FaultPoint = (typeof FAULT_POINTS)[number];

/**
 * A TCP proxy on loopback that breaks connections. It decides for each request whether and where it breaks the
 * connection, so clients can keep connections open. Half of the broken connections end with a reset, the others are
 * closed. The decisions depend only on the seed and on the order of the requests.
 */
export class FaultProxy {
  requests = 0;
  /** The number of broken connections at each point. */
  readonly broken = Object.fromEntries(FAULT_POINTS.map((point) => [point, 0])) as Record<FaultPoint, number>;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
    private readonly random: RandomStream,
    private readonly share: number,
  ) {}

  /**
   * @param target URL of the server
   * @param share the share of the requests whose connection breaks, from 0 to 1
   */
  static async start(target: string, seed: number, share: number): Promise<FaultProxy> {
    const server = createServer({ noDelay: true });
    const proxy = new FaultProxy(
      server,
      new URL(target),
      new RandomStream().seek(rootKey('fault proxy', seed), 0),
      share,
    );
    server.on('connection', (client) => proxy.serve(client));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  /** The URL that reaches the target through the proxy. */
  get url(): string {
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}${this.target.pathname}`;
  }

  async stop(): Promise<void> {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await once(this.server, 'close');
  }

  private serve(client: Socket): void {
    const upstream = connect({ port: Number(this.target.port), host: this.target.hostname, noDelay: true });
    this.keep(client);
    this.keep(upstream);
    let request = Buffer.alloc(0);
    let fault: FaultPoint | undefined;
    const breakConnection = (point: FaultPoint) => {
      this.broken[point] += 1;
      upstream.removeAllListeners('data').resume();
      if (this.random.below(2) === 0) client.resetAndDestroy();
      else client.end(() => client.destroy());
    };
    client.on('data', (chunk: Buffer) => {
      if (request.length === 0) fault = this.next();
      request = Buffer.concat([request, chunk]);
      if (!isComplete(request)) return;
      const whole = request;
      request = Buffer.alloc(0);
      if (fault === 'beforeRequest') return breakConnection(fault);
      if (fault === 'withinRequest') {
        upstream.end(whole.subarray(0, 1 + this.random.below(whole.length - 1)));
        return breakConnection(fault);
      }
      upstream.write(whole, () => {
        if (fault === 'beforeWork') breakConnection(fault);
      });
    });
    upstream.on('data', (chunk: Buffer) => {
      if (fault === 'withinResponse')
        client.write(chunk.subarray(0, 1 + this.random.below(chunk.length - 1)));
      if (fault === 'withinResponse' || fault === 'beforeResponse') breakConnection(fault);
      else client.write(chunk);
    });
    upstream.on('close', () => client.end());
    client.on('close', () => upstream.end());
  }

  private next(): FaultPoint | undefined {
    this.requests += 1;
    return this.random.float53() < this.share
      ? FAULT_POINTS[this.random.below(FAULT_POINTS.length)]
      : undefined;
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined); // the end of one side ends the other
    socket.on('close', () => this.sockets.delete(socket));
  }
}

/** Returns whether the bytes are a whole request. The length of the body must be in Content-Length. */
function isComplete(request: Buffer): boolean {
  const end = request.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const [, length = '0'] = /\r\ncontent-length: *(\d+)/i.exec(request.toString('latin1', 0, end)) ?? [];
  return request.length >= end + 4 + Number(length);
}
