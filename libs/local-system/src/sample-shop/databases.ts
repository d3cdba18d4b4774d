import type { Client } from 'pg';

import { withClient } from '../services/with-client.js';

/**
 * Creates `database` in one step: `fill` works in a draft, which gets the name at the end. If it fails or the process
 * ends, `database` is unchanged, and the next call begins again. An existing database of that name is dropped, and its
 * sessions end.
 * @param serverUrl URL without a database name; its role owns the database
 * @returns the result of `fill`
 */
export async function createDatabase<T>(
  serverUrl: string,
  database: string,
  fill: (client: Client) => Promise<T>,
): Promise<T> {
  const draft = `${database}_draft`;
  await onServer(serverUrl, async (server) => {
    await server.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
    await server.query(`CREATE DATABASE ${draft}`);
  });
  const result = await withClient(`${serverUrl}/${draft}`, fill);
  await onServer(serverUrl, async (server) => {
    await server.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
    await server.query(`ALTER DATABASE ${draft} RENAME TO ${database}`);
  });
  return result;
}

/** Creates an empty `database`. Drops an existing database of that name and ends its sessions. */
export function createEmptyDatabase(serverUrl: string, database: string): Promise<void> {
  return createDatabase(serverUrl, database, () => Promise.resolve());
}

export function databaseExists(serverUrl: string, database: string): Promise<boolean> {
  return onServer(serverUrl, async (server) => {
    const { rowCount } = await server.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
    return rowCount === 1;
  });
}

function onServer<T>(serverUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  return withClient(`${serverUrl}/postgres`, work);
}
