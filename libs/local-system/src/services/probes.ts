import { connect } from 'node:net';
import { Client } from 'pg';
import { Redis } from 'ioredis';

/** Resolves if the server sends an INFO line with JetStream. Needs no credentials. */
export function probeNats(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port || 4222), timeout: 5_000 });
    let greeting = '';
    const finish = (error?: Error) => {
      socket.destroy();
      if (error) reject(error);
      else resolve();
    };
    socket.setEncoding('utf8');
    socket.once('error', finish);
    socket.once('timeout', () => finish(new Error('the NATS server did not respond')));
    socket.once('close', () => finish(new Error('the NATS server closed the connection')));
    socket.on('data', (chunk: string) => {
      greeting += chunk;
      if (greeting.includes('\r\n')) finish(problemIn(greeting));
    });
  });
}

function problemIn(greeting: string): Error | undefined {
  if (!greeting.startsWith('INFO ')) return new Error('the server is not a NATS server');
  return /"jetstream":\s*true/.test(greeting)
    ? undefined
    : new Error('JetStream is not enabled on the NATS server');
}

/** Resolves if the server answers a query. */
export async function probePostgres(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined); // a broken connection also rejects the pending call
  try {
    await client.connect();
    await client.query('SELECT 1');
  } finally {
    await client.end().catch(() => undefined); // the client may never have been connected
  }
}

/** Resolves if the server answers PING. */
export async function probeRedis(url: string): Promise<void> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 5_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let failure: Error | undefined;
  redis.on('error', (error: Error) => (failure ??= error)); // has more details than the rejection of connect()
  try {
    await redis.connect();
    await redis.ping();
  } catch (error) {
    throw failure ?? error;
  } finally {
    // On a closed connection, disconnect() would delay the end of the process by two seconds.
    if (redis.status !== 'end') redis.disconnect();
  }
}
