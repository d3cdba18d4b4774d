import { Client } from 'pg';

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
