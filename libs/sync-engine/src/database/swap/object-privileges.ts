import { type Client, quoteIdentifier } from '@understudy/postgres';
import { COLUMN_PRIVILEGES, DEFAULT_PRIVILEGES, OBJECT_PRIVILEGES } from './object-privileges.sql.js';

interface Grant {
  /** The role that has the privilege; null for PUBLIC. */
  readonly grantee: string | null;
  readonly privilege: string;
  readonly grantable: boolean;
  /** Whether the grantee owns the object. */
  readonly isOwner?: boolean;
}

interface ObjectPrivileges {
  readonly kind: 'TABLE' | 'SEQUENCE' | 'ROUTINE' | 'DOMAIN' | 'TYPE' | 'SCHEMA';
  readonly objtype: string;
  readonly schema: string;
  readonly identity: string;
  /** Null if nobody has changed the privileges. */
  readonly grants: readonly Grant[] | null;
}

interface ColumnPrivileges {
  readonly identity: string;
  readonly column: string;
  readonly grants: readonly Grant[];
}

interface DefaultPrivileges {
  readonly role: string;
  readonly objtype: string;
  /** Null for all schemas. */
  readonly schema: string | null;
  readonly grants: readonly Grant[] | null;
}

/** The privileges of all roles on the objects of a database. */
export interface DatabasePrivileges {
  readonly objects: readonly ObjectPrivileges[];
  readonly columns: readonly ColumnPrivileges[];
  readonly defaults: readonly DefaultPrivileges[];
}

/** Reads the privileges of a database. Reads catalogs only, so it needs no privilege on the objects. */
export async function readPrivileges(client: Client): Promise<DatabasePrivileges> {
  const objects = await client.query<ObjectPrivileges>(OBJECT_PRIVILEGES);
  const columns = await client.query<ColumnPrivileges>(COLUMN_PRIVILEGES);
  const defaults = await client.query<DefaultPrivileges>(DEFAULT_PRIVILEGES);
  return { objects: objects.rows, columns: columns.rows, defaults: defaults.rows };
}

/**
 * Returns the statements that give the objects of a new database the privileges of the replaced one. An object that the
 * replaced database does not have gets the privileges that its default privileges give to new objects of the owner. Each
 * element belongs to one object. Pure.
 * @param objects the objects of the new database, which all belong to the owner
 */
export function privilegeStatements(
  objects: readonly ObjectPrivileges[],
  replaced: DatabasePrivileges,
  owner: string,
): readonly string[] {
  const keyOf = ({ kind, identity }: ObjectPrivileges) => `${kind} ${identity}`;
  const before = new Map(replaced.objects.map((object) => [keyOf(object), object]));
  const there = new Set(objects.map(keyOf));
  const ofObjects = objects.flatMap((object) => {
    const known = before.get(keyOf(object));
    const grants = known === undefined ? newGrants(object, replaced.defaults, owner) : known.grants;
    return grants === null ? [] : [grantSql(`${object.kind} ${object.identity}`, grants, owner)];
  });
  const ofColumns = replaced.columns
    .filter(({ identity }) => there.has(`TABLE ${identity}`))
    .map(({ identity, column, grants }) =>
      grants.map((grant) => granting(grant, `TABLE ${identity}`, owner, ` (${column})`)).join(';\n'),
    );
  return [...ofObjects, ...ofColumns, ...replaced.defaults.map(defaultSql)];
}

/** Returns the privileges of a new object. Defaults for all schemas replace those of PostgreSQL. */
function newGrants(
  { objtype, schema }: ObjectPrivileges,
  defaults: readonly DefaultPrivileges[],
  owner: string,
): readonly Grant[] | null {
  const own = defaults.filter((one) => one.role === owner && one.objtype === objtype);
  const everywhere = own.find((one) => one.schema === null);
  const here = own.find((one) => one.schema === schema);
  if (everywhere === undefined && here === undefined) return null;
  const ofOwner = { grantee: owner, privilege: 'ALL', grantable: false };
  return [...(everywhere?.grants ?? [ofOwner, ...PUBLIC_GRANTS(objtype)]), ...(here?.grants ?? [])];
}

/** The privileges that PostgreSQL gives to PUBLIC on a new object. */
const PUBLIC_GRANTS = (objtype: string): readonly Grant[] => {
  const privilege = { f: 'EXECUTE', T: 'USAGE' }[objtype];
  return privilege === undefined ? [] : [{ grantee: null, privilege, grantable: false }];
};

function grantSql(object: string, grants: readonly Grant[], owner: string): string {
  const revoke = `REVOKE ALL ON ${object} FROM PUBLIC, ${quoteIdentifier(owner)}`;
  return [revoke, ...grants.map((grant) => granting(grant, object, owner))].join(';\n');
}

function granting(
  { grantee, privilege, grantable, isOwner }: Grant,
  object: string,
  owner: string,
  part = '',
): string {
  const role = isOwner === true ? owner : grantee;
  // The owner cannot have a grant option from itself.
  const option = grantable && role !== owner ? ' WITH GRANT OPTION' : '';
  return `GRANT ${privilege}${part} ON ${object} TO ${roleSql(role)}${option}`;
}

function defaultSql({ role, objtype, schema, grants }: DefaultPrivileges): string {
  const where = schema === null ? '' : ` IN SCHEMA ${quoteIdentifier(schema)}`;
  const change = `ALTER DEFAULT PRIVILEGES FOR ROLE ${quoteIdentifier(role)}${where}`;
  const objects = DEFAULT_KINDS[objtype] ?? 'TABLES';
  // Defaults for one schema can only add privileges.
  const revoke =
    schema === null ? [`${change} REVOKE ALL ON ${objects} FROM PUBLIC, ${quoteIdentifier(role)}`] : [];
  const given = (grants ?? []).map(
    ({ grantee, privilege, grantable }) =>
      `${change} GRANT ${privilege} ON ${objects} TO ${roleSql(grantee)}${grantable && grantee !== role ? ' WITH GRANT OPTION' : ''}`,
  );
  return [...revoke, ...given].join(';\n');
}

const DEFAULT_KINDS: Readonly<Record<string, string>> = {
  r: 'TABLES',
  S: 'SEQUENCES',
  f: 'ROUTINES',
  T: 'TYPES',
  n: 'SCHEMAS',
};

function roleSql(grantee: string | null): string {
  return grantee === null ? 'PUBLIC' : quoteIdentifier(grantee);
}

/**
 * Runs statements that are independent of each other. Leaves out those that fail, because the role may not run them, or
 * because they name a role or a column that is not there.
 * @returns the errors of the statements that failed
 */
export async function runEach(client: Client, statements: readonly string[]): Promise<readonly unknown[]> {
  const failures: unknown[] = [];
  for (let from = 0; from < statements.length; from += BATCH) {
    const batch = statements.slice(from, from + BATCH);
    try {
      await client.query(`BEGIN; ${batch.join(';\n')}; COMMIT`);
    } catch {
      await client.query('ROLLBACK');
      for (const sql of batch) {
        try {
          await client.query(`BEGIN; ${sql}; COMMIT`);
        } catch (error) {
          await client.query('ROLLBACK');
          failures.push(error);
        }
      }
    }
  }
  return failures;
}

/** The number of objects that one transaction changes. It locks each of them. */
const BATCH = 100;
