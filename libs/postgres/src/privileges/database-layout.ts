import type { Client } from 'pg';
import { READ_LAYOUT, READ_OBJECT_OWNERS } from './database-layout.sql.js';

/** The facts of a database that decide which privileges a role needs in it. Names are not quoted. */
export interface DatabaseLayout {
  readonly roleExists: boolean;
  /** Whether the role is a superuser, which needs no privileges. */
  readonly isSuperuser: boolean;
  /** The schemas of users. `usedSchemas` are those with tables, sequences or the types of columns. */
  readonly schemas: readonly string[];
  readonly usedSchemas: readonly string[];
  /** The schemas in which one of the `owners` may create objects. */
  readonly openSchemas: readonly string[];
  /** The owners of tables and sequences, without superusers and the role itself. */
  readonly owners: readonly string[];
  /** The same with superusers: the roles that probably create the tables of the future. */
  readonly creators: readonly string[];
  /** The tables and sequences of superusers, such as `TABLE public.orders`. These names are quoted if necessary. */
  readonly taken: readonly string[];
  readonly hasRowSecurity: boolean;
  readonly forcesRowSecurity: boolean;
  readonly hasLargeObjects: boolean;
  /** Undefined if it is not known. */
  readonly databaseOwner: string | undefined;
  /** Whether a superuser owns the database. */
  readonly isOwnedBySuperuser: boolean;
}

/**
 * Reads the layout of the client's database. Any role may read it.
 * @param role the role that needs the privileges; it does not have to exist
 */
export async function readDatabaseLayout(client: Client, role: string): Promise<DatabaseLayout> {
  const { rows } = await client.query<DatabaseLayout>(READ_LAYOUT, [role]);
  const [layout] = rows;
  if (layout === undefined) throw new Error('expected one row about the database, received none');
  return layout;
}

/** Lists the roles that own objects of the client's database, without superusers. */
export async function readObjectOwners(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(READ_OBJECT_OWNERS);
  return rows.map(({ name }) => name);
}
