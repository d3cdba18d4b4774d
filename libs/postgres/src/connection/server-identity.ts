import type { Client } from 'pg';

export interface ServerIdentity {
  readonly majorVersion: number;
  /** Identical for all addresses of a server, its physical replicas, and all servers created from its data files. */
  readonly systemIdentifier: string;
  readonly databaseOid: string;
  /** The start time in microseconds. It distinguishes servers with the same system identifier. */
  readonly startedAt: string;
  /** Whether the server replays the changes of another server. */
  readonly isReplica: boolean;
}

export async function readServerIdentity(client: Client): Promise<ServerIdentity> {
  const { rows } = await client.query<ServerIdentity>(READ_IDENTITY);
  const [identity] = rows;
  if (identity === undefined) throw new Error('the server did not identify itself');
  return identity;
}

/** Reads the major version of a server, such as 15. */
export async function readMajorVersion(client: Client): Promise<number> {
  const { rows } = await client.query<{ major: number }>(
    "SELECT pg_catalog.current_setting('server_version_num')::int4 / 10000 AS major",
  );
  if (rows[0] === undefined) throw new Error('the server did not return its version');
  return rows[0].major;
}

/**
 * Tests whether changes to one database may appear in the other, for example in a replica. Returns false for
 * two independent primaries, even if one was restored from a backup of the other.
 */
export function isSameDatabase(a: ServerIdentity, b: ServerIdentity): boolean {
  const isOneLineage = a.systemIdentifier === b.systemIdentifier && a.databaseOid === b.databaseOid;
  return isOneLineage && (a.startedAt === b.startedAt || a.isReplica || b.isReplica);
}

const READ_IDENTITY = `
  SELECT current_setting('server_version_num')::int4 / 10000 AS "majorVersion",
         (SELECT system_identifier::text FROM pg_catalog.pg_control_system()) AS "systemIdentifier",
         (SELECT oid::text FROM pg_catalog.pg_database WHERE datname = current_database()) AS "databaseOid",
         (extract(epoch FROM pg_catalog.pg_postmaster_start_time()) * 1000000)::numeric(20, 0)::text AS "startedAt",
         pg_catalog.pg_is_in_recovery() AS "isReplica"
`;
