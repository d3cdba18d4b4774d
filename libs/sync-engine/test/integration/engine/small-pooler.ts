import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Client } from 'pg';

/**
 * A small connection pooler like PgBouncer. In the mode `transaction`, all clients share one server connection. In the
 * mode `session`, each client has a separate server connection.
 */
export class SmallPooler {
  private constructor(
    private readonly server: Server,
    private readonly backends: readonly Client[],
    readonly url: string,
  ) {}

  static async start(url: string, mode: 'transaction' | 'session'): Promise<SmallPooler> {
    const backends: Client[] = [];
    const shared = mode === 'transaction' ? [await backend(url)] : [];
    backends.push(...shared);
    const server = createServer((socket) => {
      void (async () => {
        const own = shared[0] ?? (await backend(url));
        if (!backends.includes(own)) backends.push(own);
        await greet(socket);
        serve(socket, own);
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

async function backend(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined); // the server stops before the client
  await client.connect();
  streamOf(client).removeAllListeners('data');
  return client;
}

function streamOf(client: Client): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

/**
 * Accepts a client without a password: sends AuthenticationOk, an invented BackendKeyData and ReadyForQuery.
 */
async function greet(socket: Socket): Promise<void> {
  await once(socket, 'data');
  const key = Buffer.from([0x4b, 0, 0, 0, 12, 0x7f, 1, 2, 3, 4, 5, 6, 7]);
  socket.write(
    Buffer.concat([Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]), key, Buffer.from([0x5a, 0, 0, 0, 5, 0x49])]),
  );
}

/**
 * Forwards messages of the simple query protocol, one query at a time. This is enough for the tests, because
 * the engine's first queries are simple queries.
 */
function serve(socket: Socket, client: Client): void {
  const stream = streamOf(client);
  socket.on('error', () => undefined);
  socket.on('data', (bytes: Buffer) => {
    if (bytes[0] === TERMINATE) {
      socket.end();
      return;
    }
    stream.removeAllListeners('data');
    stream.on('data', (response: Buffer) => socket.write(response));
    stream.write(bytes);
  });
}

const TERMINATE = 0x58;
