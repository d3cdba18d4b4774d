import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Client } from 'pg';

/**
 * How the pooler uses its server connections. `transaction`: all clients share them, and each statement uses the next
 * one in turn. `session`: each client has one of its own, and waits while all are used.
 */
export type PoolMode = 'transaction' | 'session';

/** A small connection pooler like PgBouncer. It accepts each client at once, and needs no password. */
export class SmallPooler {
  private constructor(
    private readonly server: Server,
    private readonly backends: ReadonlySet<Client>,
    readonly url: string,
  ) {}

  /** @param size the number of server connections */
  static async start(url: string, mode: PoolMode, size: number): Promise<SmallPooler> {
    const backends = new Set<Client>();
    const waiting: (() => void)[] = [];
    let free = size;
    const open = async (name = '') => {
      const client = await backend(url, name);
      backends.add(client);
      return client;
    };
    const shared = mode === 'session' ? [] : await Promise.all(Array.from({ length: size }, () => open()));
    const welcome = await welcomeOf(url);
    let turn = 0;
    const next = () => shared[turn++ % size] as Client;
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      void (async () => {
        const name = await greet(socket, welcome);
        if (mode === 'transaction') {
          shareWith(socket, next);
          return;
        }
        const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
        if (free === 0) await Promise.race([closed, new Promise<void>((resolve) => waiting.push(resolve))]);
        else free -= 1;
        const own = socket.destroyed ? undefined : await open(name).catch(() => undefined);
        if (own !== undefined) await relay(socket, streamOf(own), closed);
        const [first] = waiting.splice(0, 1);
        if (first === undefined) free += 1;
        else first();
      })();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const pooled = new URL(url);
    pooled.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    return new SmallPooler(server, backends, pooled.href);
  }

  stop(): void {
    this.server.close();
    for (const client of this.backends) streamOf(client).destroy();
  }
}

async function backend(url: string, name: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: name });
  client.on('error', () => undefined); // the server stops before the client
  await client.connect();
  streamOf(client).removeAllListeners('data');
  return client;
}

function streamOf(client: Client): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

/** Returns AuthenticationOk, the server's version, an invented BackendKeyData and ReadyForQuery. */
async function welcomeOf(url: string): Promise<Buffer> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ version: string }>(
    "SELECT current_setting('server_version') AS version",
  );
  await client.end();
  const version = Buffer.from(`server_version\0${rows[0]?.version ?? ''}\0`);
  return Buffer.concat([
    Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x53, 0, 0, 0, version.length + 4]),
    version,
    Buffer.from([0x4b, 0, 0, 0, 12, 0x7f, 1, 2, 3, 4, 5, 6, 7, 0x5a, 0, 0, 0, 5, 0x49]),
  ]);
}

/** Accepts a client. @returns its application_name */
async function greet(socket: Socket, welcome: Buffer): Promise<string> {
  for (;;) {
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    if (bytes.readInt32BE(4) !== SSL_REQUEST) {
      socket.pause();
      socket.write(welcome);
      return /application_name\0([^\0]*)\0/.exec(bytes.toString())?.[1] ?? '';
    }
    socket.write('N');
  }
}

async function relay(socket: Socket, stream: Socket, closed: Promise<void>): Promise<void> {
  socket.pipe(stream);
  stream.pipe(socket);
  await closed;
  stream.destroy();
}

/** Forwards messages of the simple query protocol, one query at a time. */
function shareWith(socket: Socket, next: () => Client): void {
  socket.on('data', (bytes: Buffer) => {
    if (bytes[0] === TERMINATE) {
      socket.end();
      return;
    }
    const stream = streamOf(next());
    stream.removeAllListeners('data');
    stream.on('data', (response: Buffer) => socket.write(response));
    stream.write(bytes);
  });
  socket.resume();
}

const SSL_REQUEST = 80877103;
const TERMINATE = 0x58;
