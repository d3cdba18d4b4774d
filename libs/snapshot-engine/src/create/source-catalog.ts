import { readServerIdentity, type Client } from '@understudy/postgres';
import { readProperties, type DatabaseProperties } from '../postgres/database-properties.js';
import { READ_SHARED_NAMES, READ_TABLES } from './source-catalog.sql.js';

export interface SourceTable {
  readonly oid: string;
  readonly schema: string;
  readonly name: string;
  /** Size of heap and TOAST. A partitioned table has 0, because its partitions have their own sizes. */
  readonly bytes: number;
  readonly isPartition: boolean;
  /** True if the table is partitioned. Such a table stores no rows; its partitions store them. */
  readonly isPartitioned: boolean;
  /** True if the role may read all rows of the table. */
  readonly readable: boolean;
  /** Oids of the tables that this table is a partition of. */
  readonly ancestors: readonly string[];
}

/** Catalog of a database, as one PostgreSQL snapshot shows it. */
export interface SourceCatalog {
  readonly database: string;
  readonly databaseOid: string;
  readonly systemIdentifier: string;
  readonly majorVersion: number;
  /** PostgreSQL's `server_version_num`, such as 150014. */
  readonly versionNumber: number;
  readonly serverVersion: string;
  readonly properties: DatabaseProperties;
  readonly tables: readonly SourceTable[];
  readonly roles: readonly string[];
  readonly tablespaces: readonly string[];
}

/** Reads the catalog. @param client a session in a transaction with one snapshot */
export async function readSourceCatalog(client: Client): Promise<SourceCatalog> {
  const identity = await readServerIdentity(client);
  const about = await client.query<{ database: string; version: string; number: string }>(
    "SELECT current_database() AS database, current_setting('server_version') AS version, current_setting('server_version_num') AS number",
  );
  const { database = '', version = '', number = '0' } = about.rows[0] ?? {};
  const found = await readProperties(client, database);
  if (found === undefined) throw new Error('the catalog has no row for the current database');
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
