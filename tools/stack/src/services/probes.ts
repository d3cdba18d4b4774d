import { connect } from 'node:net';
import { Client } from 'pg';
import { Redis } from 'ioredis';

/** Resolves when the server greets with an INFO line that offers JetStream. Needs no credentials. */
export function probeNats(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port || 4222), timeout: 5_000 });
    let greeting = '';
    const settle = (error?: Error) => {
      socket.destroy();
      if (error) reject(error);
      else resolve();
    };
    socket.setEncoding('utf8');
    socket.once('error', settle);
    socket.once('timeout', () => settle(new Error('the NATS server did not answer')));
    socket.once('close', () => settle(new Error('the NATS server closed the connection')));
    socket.on('data', (chunk: string) => {
      greeting += chunk;
      if (greeting.includes('\r\n')) settle(problemIn(greeting));
    });
  });
}

function problemIn(greeting: string): Error | undefined {
  if (!greeting.startsWith('INFO ')) return new Error('this is no NATS server');
  return /"jetstream":\s*true/.test(greeting)
    ? undefined
    : new Error('JetStream is not enabled on the NATS server');
}

/** Resolves when the server answers a query. */
export async function probePostgres(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined); // a connection that breaks also rejects the call that waits on it
  try {
    await client.connect();
    await client.query('SELECT 1');
  } finally {
    await client.end().catch(() => undefined); // it may never have been connected
  }
}

/** Resolves when the server answers PING. */
export async function probeRedis(url: string): Promise<void> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 5_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let failure: Error | undefined;
  redis.on('error', (error: Error) => (failure ??= error)); // says more than the rejection of connect()
  try {
    await redis.connect();
    await redis.ping();
  } catch (error) {
    throw failure ?? error;
  } finally {
    // On a connection that has ended, disconnect() would hold the process for two more seconds.
    if (redis.status !== 'end') redis.disconnect();
  }
}
