import type { Client } from 'pg';
import type { MissingPrivilege } from '@understudy/sync-job';
import { LACKING_ON_SOURCE, LACKING_TO_CREATE, LACKING_TO_REPLACE } from './lacking-privileges.sql.js';
import { sqlNames } from '../catalog/names.js';

export interface LackingPrivilege {
  /** The oid of an existing table, the schema of a new table, or '' if the whole job needs the privilege. */
  readonly key: string;
  readonly privilege: MissingPrivilege;
}

const STATEMENTS = {
  read: LACKING_ON_SOURCE,
  replace: LACKING_TO_REPLACE,
  create: LACKING_TO_CREATE,
} as const;

type LackingRow = Pick<MissingPrivilege, 'privilege' | 'objectKind'> &
  Readonly<Record<'schema' | 'object' | 'owner' | 'role', string | null>> & { readonly key: string };

/**
 * Returns the privileges that the role needs but lacks: to read tables, to replace their rows, or to create schemas, and
 * tables in existing schemas.
 * @param keys the oids of the tables, or the names of the schemas in which to create tables
 */
export async function lackingPrivileges(
  client: Client,
  need: keyof typeof STATEMENTS,
  keys: readonly string[],
): Promise<readonly LackingPrivilege[]> {
  const { rows } = await client.query<LackingRow>(STATEMENTS[need], [keys]);
  return rows.map(({ key, privilege, objectKind, ...names }) => ({
    key,
    privilege: { privilege, objectKind, ...sqlNames(names) },
  }));
}
