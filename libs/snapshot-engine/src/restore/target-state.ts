import type { Client } from '@understudy/postgres';
import { readProperties, type FoundDatabase } from '../postgres/database-properties.js';
import { CAN_ACT_FOR, COUNT_USERS, READ_CONTENT, READ_DISK, READ_SERVER } from './target-state.sql.js';

/** The server of a target, as its role sees it. */
export interface TargetServer {
  readonly isSuperuser: boolean;
  /** The role may create databases. */
  readonly canCreate: boolean;
  /** `server_version_num` */
  readonly version: number;
  readonly systemIdentifier: string;
  /** Those of the wanted roles and tablespaces that it lacks. */
  readonly missing: readonly string[];
  /** Absent: there is no such database. */
  readonly database?: FoundDatabase & { readonly isTemplate: boolean; readonly isOwner: boolean };
}

export async function readTargetServer(
  client: Client,
  database: string,
  wanted: { readonly roles: readonly string[]; readonly tablespaces: readonly string[] },
): Promise<TargetServer> {
  const { rows } = await client.query<ServerRow>(READ_SERVER, [database, wanted.roles, wanted.tablespaces]);
  const [row] = rows;
  if (row === undefined) throw new Error('the server does not know the role');
  const { isSuperuser, canCreate, version, system: systemIdentifier, missing, isTemplate, isOwner } = row;
  const found = await readProperties(client, database);
  return {
    ...{ isSuperuser, canCreate, version, systemIdentifier, missing },
    ...(found === undefined
      ? {}
      : { database: { ...found, isTemplate: isTemplate === true, isOwner: isOwner === true } }),
  };
}

/** Whether the session's role may make things that belong to this one. */
export async function canActFor(client: Client, role: string): Promise<boolean> {
  const { rows } = await client.query<{ can: boolean }>(CAN_ACT_FOR, [role]);
  return rows[0]?.can === true;
}

/** Sessions of others, prepared transactions, slots and subscriptions: what keeps a database from being renamed or dropped. */
export async function countBlockingUses(client: Client, databaseOid: string): Promise<number> {
  const { rows } = await client.query<{ users: string }>(COUNT_USERS, [databaseOid]);
  return Number(rows[0]?.users ?? 0);
}

/** What is in the client's own database. */
export interface DatabaseContent {
  readonly hasObjects: boolean;
  /** Schema and name. */
  readonly tables: readonly (readonly [string, string])[];
  /** The role may make schemas in it. */
  readonly canCreateIn: boolean;
}

export async function readContent(client: Client): Promise<DatabaseContent> {
  const { rows } = await client.query<DatabaseContent>(READ_CONTENT);
  const [row] = rows;
  if (row === undefined) throw new Error('the database does not answer');
  return row;
}

/** What a database takes, and the folder of the server's machine that it is in; undefined when the role may not know it. */
export async function readDisk(
  client: Client,
  database: string,
): Promise<{ readonly bytes: number; readonly folder: string | undefined }> {
  const { rows } = await client.query<{ bytes: string; folder: string | null }>(READ_DISK, [database]);
  return { bytes: Number(rows[0]?.bytes ?? 0), folder: rows[0]?.folder ?? undefined };
}

interface ServerRow {
  readonly isSuperuser: boolean;
  readonly canCreate: boolean;
  readonly version: number;
  readonly system: string;
  readonly missing: string[];
  readonly isTemplate: boolean | null;
  readonly isOwner: boolean | null;
}
