import { readServerIdentity, type Client } from '@understudy/postgres';
import { readProperties, type DatabaseProperties } from '@understudy/database-swap';
import { READ_DATABASE, READ_TABLES } from './source-catalog.sql.js';

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
  const { systemIdentifier, majorVersion } = await readServerIdentity(client);
  const about = await client.query<DatabaseRow>(READ_DATABASE);
  const [database] = about.rows;
  const found = database && (await readProperties(client, database.database));
  if (database === undefined || found === undefined)
    throw new Error('the catalog has no row for the current database');
  const { oid: databaseOid, properties } = found;
  const { rows: tables } = await client.query<SourceTable>(READ_TABLES);
  return { ...database, databaseOid, systemIdentifier, majorVersion, properties, tables };
}

type DatabaseRow = Pick<
  SourceCatalog,
  'database' | 'versionNumber' | 'serverVersion' | 'roles' | 'tablespaces'
>;
