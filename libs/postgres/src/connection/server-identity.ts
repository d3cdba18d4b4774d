import type { Client } from 'pg';

export interface ServerIdentity {
  readonly majorVersion: number;
  /** The same for all names and addresses of a server, for its physical replicas, and for whatever was made of its data files. */
  readonly systemIdentifier: string;
  readonly databaseOid: string;
  /** When it was started, in microseconds: no two servers at once. */
  readonly startedAt: string;
  /** It replays what another server writes. */
  readonly isReplica: boolean;
}

export async function readServerIdentity(client: Client): Promise<ServerIdentity> {
  const { rows } = await client.query<Row>(READ_IDENTITY);
  const [row] = rows;
  if (row === undefined) throw new Error('the server did not identify itself');
  return {
    majorVersion: Math.floor(Number(row.version) / 10_000),
    systemIdentifier: row.system,
    databaseOid: row.database,
    startedAt: row.started,
    isReplica: row.replica,
  };
}

/**
 * Whether what is written to one is seen in the other. A replica counts, for what is written to its primary arrives in it. Two servers of
 * which each writes for itself are two, also when one was made of the other's backup.
 */
export function isSameDatabase(a: ServerIdentity, b: ServerIdentity): boolean {
  const isOneLineage = a.systemIdentifier === b.systemIdentifier && a.databaseOid === b.databaseOid;
  return isOneLineage && (a.startedAt === b.startedAt || a.isReplica || b.isReplica);
}

interface Row {
  readonly version: string;
  readonly system: string;
  readonly database: string;
  readonly started: string;
  readonly replica: boolean;
}

const READ_IDENTITY = `
  SELECT current_setting('server_version_num') AS version,
         (SELECT system_identifier::text FROM pg_catalog.pg_control_system()) AS system,
         (SELECT oid::text FROM pg_catalog.pg_database WHERE datname = current_database()) AS database,
         (extract(epoch FROM pg_catalog.pg_postmaster_start_time()) * 1000000)::numeric(20, 0)::text AS started,
         pg_catalog.pg_is_in_recovery() AS replica
`;
