import { Client } from 'pg';

/**
 * Does work on a connection to a database. It closes the connection at the end, also if the work fails.
 * @param url URL with the name of the database
 * @param work receives the connection, and must not use it after its end
 * @returns the result of the work
 * @throws Error if the server cannot be reached, or the error of the work
 */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  // A lost connection also rejects the statement that runs.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
