import type { Client } from 'pg';
import type { MissingPrivilege } from '@understudy/sync-job';
import { LACKING_ON_SOURCE, LACKING_TO_CREATE, LACKING_TO_REPLACE } from './lacking-privileges.sql.js';
import { sqlName } from '../catalog/names.js';

export interface LackingPrivilege {
  /** The oid of an existing table, the schema of a new table, or '' if the whole job needs the privilege. */
  readonly key: string;
  readonly privilege: MissingPrivilege;
}

/**
 * Returns the privileges that reading the tables needs and that the role lacks.
 * @param oids the oids of the tables in the source
 */
export function lackingOnSource(
  client: Client,
  oids: readonly string[],
): Promise<readonly LackingPrivilege[]> {
  return lacking(client, LACKING_ON_SOURCE, oids);
}

/**
 * Returns the privileges that replacing the tables' rows needs and that the role lacks.
 * @param oids the oids of the tables in the target
 */
export function lackingToReplace(
  client: Client,
  oids: readonly string[],
): Promise<readonly LackingPrivilege[]> {
  return lacking(client, LACKING_TO_REPLACE, oids);
}

/** Returns the privileges that the role needs but lacks: to create schemas, and tables in these schemas. */
export function lackingToCreate(
  client: Client,
  schemas: readonly string[],
): Promise<readonly LackingPrivilege[]> {
  return lacking(client, LACKING_TO_CREATE, schemas);
}

interface LackingRow {
  readonly table?: string;
  readonly schema_of?: string | null;
  readonly privilege: MissingPrivilege['privilege'];
  readonly kind: MissingPrivilege['objectKind'];
  readonly schema: string | null;
  readonly object: string | null;
  readonly owner: string | null;
  readonly role: string;
}

async function lacking(
  client: Client,
  sql: string,
  keys: readonly string[],
): Promise<readonly LackingPrivilege[]> {
  const { rows } = await client.query<LackingRow>(sql, [keys]);
  return rows.map((row) => ({
    key: row.table ?? row.schema_of ?? '',
    privilege: {
      privilege: row.privilege,
      objectKind: row.kind,
      ...named('schema', row.schema),
      ...named('object', row.object),
      ...named('owner', row.owner),
      ...named('role', row.role),
    },
  }));
}

function named(
  field: 'schema' | 'object' | 'owner' | 'role',
  name: string | null,
): Partial<MissingPrivilege> {
  const known = name === null ? undefined : sqlName(name);
  return known === undefined ? {} : { [field]: known };
}
