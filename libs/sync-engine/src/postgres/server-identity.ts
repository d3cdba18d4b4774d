import type { Client } from 'pg';

export interface ServerIdentity {
  readonly majorVersion: number;
  /** The same for all names and addresses of a server, and for its physical replicas. */
  readonly systemIdentifier: string;
  readonly databaseOid: string;
}

export async function readServerIdentity(client: Client): Promise<ServerIdentity> {
  const { rows } = await client.query<{ version: string; system: string; database: string }>(READ_IDENTITY);
  const [row] = rows;
  if (row === undefined) throw new Error('the server did not identify itself');
  return {
    majorVersion: Math.floor(Number(row.version) / 10_000),
    systemIdentifier: row.system,
    databaseOid: row.database,
  };
}

/** The same rows lie behind both: a replica counts, for what is written to its primary arrives in it. */
export function isSameDatabase(a: ServerIdentity, b: ServerIdentity): boolean {
  return a.systemIdentifier === b.systemIdentifier && a.databaseOid === b.databaseOid;
}

const READ_IDENTITY = `
  SELECT current_setting('server_version_num') AS version,
         (SELECT system_identifier::text FROM pg_catalog.pg_control_system()) AS system,
         (SELECT oid::text FROM pg_catalog.pg_database WHERE datname = current_database()) AS database
`;
