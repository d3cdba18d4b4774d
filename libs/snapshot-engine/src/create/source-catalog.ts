import { readServerIdentity, type Client } from '@understudy/postgres';
import { readProperties, type DatabaseProperties } from '../postgres/database-properties.js';
import { READ_SHARED_NAMES, READ_TABLES } from './source-catalog.sql.js';

export interface SourceTable {
  readonly oid: string;
  readonly schema: string;
  readonly name: string;
  /** Heap and TOAST; those of a partitioned table are with its partitions. */
  readonly bytes: number;
  readonly isPartition: boolean;
  /** Has partitions, and no rows of its own. */
  readonly isPartitioned: boolean;
  /** The role may read all its rows. */
  readonly readable: boolean;
  /** Oids of the tables that it is a partition of. */
  readonly ancestors: readonly string[];
}

/** A database as one snapshot of it shows it. */
export interface SourceCatalog {
  readonly database: string;
  readonly databaseOid: string;
  readonly systemIdentifier: string;
  readonly majorVersion: number;
  /** `server_version_num` */
  readonly versionNumber: number;
  readonly serverVersion: string;
  readonly properties: DatabaseProperties;
  readonly tables: readonly SourceTable[];
  readonly roles: readonly string[];
  readonly tablespaces: readonly string[];
}

/** In a transaction of one snapshot. */
export async function readSourceCatalog(client: Client): Promise<SourceCatalog> {
  const identity = await readServerIdentity(client);
  const about = await client.query<{ database: string; version: string; number: string }>(
    "SELECT current_database() AS database, current_setting('server_version') AS version, current_setting('server_version_num') AS number",
  );
  const { database = '', version = '', number = '0' } = about.rows[0] ?? {};
  const found = await readProperties(client, database);
  if (found === undefined) throw new Error('the database does not know itself');
  const tables = await client.query<Omit<SourceTable, 'bytes'> & { bytes: string }>(READ_TABLES);
  const shared = await client.query<{ roles: string[]; tablespaces: string[] }>(READ_SHARED_NAMES);
  return {
    database,
    databaseOid: found.oid,
    systemIdentifier: identity.systemIdentifier,
    majorVersion: identity.majorVersion,
    versionNumber: Number(number),
    serverVersion: version,
    properties: found.properties,
    tables: tables.rows.map((table) => ({ ...table, bytes: Number(table.bytes) })),
    roles: shared.rows[0]?.roles ?? [],
    tablespaces: shared.rows[0]?.tablespaces ?? [],
  };
}
