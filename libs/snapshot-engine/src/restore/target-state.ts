import { readProperties, type FoundDatabase } from '@understudy/database-swap';
import { PUBLICATION_CONFLICTS, type Client } from '@understudy/postgres';
import { defined } from '@understudy/sync-job';
import { CAN_ACT_FOR, READ_CONTENT, READ_DISK, READ_SERVER } from './target-state.sql.js';

/** Facts about a target's server, as the session's role sees them. */
export interface TargetServer {
  /** True if the role may create databases. */
  readonly canCreate: boolean;
  /** PostgreSQL's `server_version_num`, such as 150014. */
  readonly version: number;
  readonly systemIdentifier: string;
  /** Roles and tablespaces that the snapshot needs and the server lacks. */
  readonly missing: readonly string[];
  /** Absent if the database does not exist. */
  readonly database?: FoundDatabase & { readonly isTemplate: boolean; readonly isOwner: boolean };
}

export async function readTargetServer(
  client: Client,
  database: string,
  wanted: { readonly roles: readonly string[]; readonly tablespaces: readonly string[] },
): Promise<TargetServer> {
  const { rows } = await client.query<ServerRow>(READ_SERVER, [database, wanted.roles, wanted.tablespaces]);
  const [row] = rows;
  if (row === undefined) throw new Error('the server has no role of the name current_user');
  const { isTemplate, isOwner, ...server } = row;
  const found = await readProperties(client, database);
  return { ...server, ...defined({ database: found && { ...found, isTemplate, isOwner } }) };
}

type ServerRow = Omit<TargetServer, 'database'> & { readonly isTemplate: boolean; readonly isOwner: boolean };

/** Checks whether the session's role may create objects that belong to another role. */
export async function canActFor(client: Client, role: string): Promise<boolean> {
  const { rows } = await client.query<{ can: boolean }>(CAN_ACT_FOR, [role]);
  return rows[0]?.can === true;
}

/** Content of the client's own database. */
export interface DatabaseContent {
  readonly hasObjects: boolean;
  /** Pairs of schema and name. */
  readonly tables: readonly (readonly [string, string])[];
  /** True if the role may create schemas in the database. */
  readonly canCreateIn: boolean;
}

export async function readContent(client: Client): Promise<DatabaseContent> {
  const { rows } = await client.query<DatabaseContent>(READ_CONTENT);
  const [row] = rows;
  if (row === undefined) throw new Error('expected one row about the content of the database, received none');
  return row;
}

/**
 * Finds a publication of the client's own database that would send the rows of new tables to subscribers.
 * @param schemas the schemas in which tables are created
 * @returns the failure of a restore into this database, if there is such a publication
 */
export async function findPublication(
  client: Client,
  schemas: readonly string[],
): Promise<'publication_of_all_tables' | 'publication_of_schema' | undefined> {
  const { rows } = await client.query<{ kind: string }>(PUBLICATION_CONFLICTS, [[], schemas]);
  const [conflict] = rows;
  if (conflict === undefined) return undefined;
  return conflict.kind === 'all_tables' ? 'publication_of_all_tables' : 'publication_of_schema';
}

/**
 * Reads the size of a database, and the path of its folder on the server's machine. The path is undefined if
 * the role may not read it.
 */
export async function readDisk(
  client: Client,
  database: string,
): Promise<{ readonly bytes: number; readonly folder: string | undefined }> {
  const { rows } = await client.query<{ bytes: string; folder: string | null }>(READ_DISK, [database]);
  return { bytes: Number(rows[0]?.bytes ?? 0), folder: rows[0]?.folder ?? undefined };
}
