import { type Client, quoteIdentifier } from '@understudy/postgres';
import type { SyncJobCommand } from '@understudy/sync-job';
import {
  COLUMN_PRIVILEGES,
  DEFAULT_PRIVILEGES,
  OWNED_OBJECTS,
  OWNED_OBJECTS_AND_LARGE_ONES,
} from './object-privileges.sql.js';

export interface Grant {
  /** The role that has the privilege; null for PUBLIC. */
  readonly grantee: string | null;
  readonly privilege: string;
  readonly grantable: boolean;
  /** Whether the grantee owns the object. */
  readonly isOwner?: boolean;
}

/** An object of a database, with its owner and its privileges. */
export interface OwnedObject {
  /** The words for the kind in a statement, such as `TABLE`. */
  readonly kind: string;
  /** Null if roles can have no privileges on such an object, and empty if these have no defaults. */
  readonly objtype: string | null;
  /** Null if such objects belong to no schema. */
  readonly schema: string | null;
  readonly identity: string;
  readonly owner: string;
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
  readonly objects: readonly OwnedObject[];
  readonly columns: readonly ColumnPrivileges[];
  readonly defaults: readonly DefaultPrivileges[];
}

/**
 * Reads the privileges of a database, with those of large objects if the job copies them. Reads catalogs only, so it needs
 * no privilege on the objects.
 * @param isComplete whether to include the objects of extensions, and those in schemas that have names like ledgers
 */
export async function readPrivileges(
  client: Client,
  { largeObjects }: Pick<SyncJobCommand, 'largeObjects'>,
  isComplete = false,
): Promise<DatabasePrivileges> {
  const objects = await client.query<OwnedObject>(
    largeObjects === 'copy' ? OWNED_OBJECTS_AND_LARGE_ONES : OWNED_OBJECTS,
    [isComplete],
  );
  const columns = await client.query<ColumnPrivileges>(COLUMN_PRIVILEGES, [isComplete]);
  const defaults = await client.query<DefaultPrivileges>(DEFAULT_PRIVILEGES);
  return { objects: objects.rows, columns: columns.rows, defaults: defaults.rows };
}

/**
 * Returns the statements that give the objects of a new database the privileges of the replaced one. An object that the
 * replaced database does not have gets the privileges that its default privileges give to new objects of the owner. Each
 * element belongs to one object. Pure.
 * @param objects the objects of the new database
 */
export function privilegeStatements(
  objects: readonly OwnedObject[],
  replaced: DatabasePrivileges,
): readonly Statements[] {
  const before = new Map(replaced.objects.map((object) => [keyOf(object), object]));
  const owners = new Map(objects.map((object) => [keyOf(object), object.owner]));
  const ofObjects = objects.flatMap((object) => {
    if (object.objtype === null) return [];
    const known = before.get(keyOf(object));
    const grants = known === undefined ? newGrants(object, replaced.defaults) : known.grants;
    return grants === null ? [] : [grantSql(grantedName(object), grants, object.owner)];
  });
  const ofColumns = replaced.columns.flatMap(({ identity, column, grants }) => {
    const owner = owners.get(`TABLE ${identity}`);
    if (owner === undefined) return [];
    return [granting(grants, `TABLE ${identity}`, owner, ` (${column})`)];
  });
  return [...ofObjects, ...ofColumns, ...replaced.defaults.map(defaultSql)];
}

/**
 * Lists the objects on which roles have privileges on the source, and only the owner will have some on the target. The
 * replaced database has neither such an object nor default privileges for it. Pure.
 * @param replaced undefined if no database is replaced
 * @param owner the role that will own the objects
 */
export function ungrantedObjects(
  { objects }: DatabasePrivileges,
  replaced: DatabasePrivileges = { objects: [], columns: [], defaults: [] },
  owner: string,
): readonly string[] {
  // Every new database has this schema.
  const before = new Set(['SCHEMA public', ...replaced.objects.map(keyOf)]);
  const ungranted = objects.filter((object) => {
    const implied = PUBLIC_GRANTS(object.objtype ?? '').map(({ privilege }) => privilege);
    const isGranted = object.grants?.some(
      ({ grantee, privilege, isOwner }) =>
        isOwner !== true && !(grantee === null && implied.includes(privilege)),
    );
    return (
      isGranted === true &&
      !before.has(keyOf(object)) &&
      newGrants({ ...object, owner }, replaced.defaults) === null
    );
  });
  return ungranted.map(keyOf);
}

/** Statements that belong to one object. If one of them fails, the others can still run. */
export type Statements = readonly string[];

/** Returns the words that name an object in statements. */
export function keyOf({ kind, identity }: OwnedObject): string {
  return `${kind} ${identity}`;
}

/** Returns the words that name an object in GRANT and REVOKE. */
export function grantedName(object: OwnedObject): string {
  return object.kind === 'SERVER' ? `FOREIGN ${keyOf(object)}` : keyOf(object);
}

/** Returns the privileges of a new object. Defaults for all schemas replace those of PostgreSQL. */
function newGrants(
  { objtype, schema, owner }: OwnedObject,
  defaults: readonly DefaultPrivileges[],
): readonly Grant[] | null {
  const own = defaults.filter((one) => one.role === owner && one.objtype === objtype);
  const everywhere = own.find((one) => one.schema === null);
  const here = own.find((one) => one.schema === schema);
  if (everywhere === undefined && here === undefined) return null;
  const ofOwner = { grantee: owner, privilege: 'ALL', grantable: false };
  return [...(everywhere?.grants ?? [ofOwner, ...PUBLIC_GRANTS(objtype ?? '')]), ...(here?.grants ?? [])];
}

/** The privileges that PostgreSQL gives to PUBLIC on a new object. */
export const PUBLIC_GRANTS = (objtype: string): readonly Grant[] => {
  const privilege = { f: 'EXECUTE', T: 'USAGE' }[objtype];
  return privilege === undefined ? [] : [{ grantee: null, privilege, grantable: false }];
};

function grantSql(object: string, grants: readonly Grant[], owner: string): Statements {
  const revoke = `REVOKE ALL ON ${object} FROM PUBLIC, ${quoteIdentifier(owner)}`;
  return [revoke, ...granting(grants, object, owner)];
}

/**
 * Returns the statements that grant privileges on an object. Roles get their grant options last, and those for one
 * privilege in one statement. Otherwise, the server could record one of these roles as the grantor.
 */
function granting(grants: readonly Grant[], object: string, owner: string, part = ''): Statements {
  const options = new Map<string, string[]>();
  const given = grants.map(({ grantee, privilege, grantable, isOwner }) => {
    const role = isOwner === true ? owner : grantee;
    const grant = `GRANT ${privilege}${part} ON ${object} TO`;
    // The owner cannot have a grant option from itself.
    if (grantable && role !== owner) options.set(grant, [...(options.get(grant) ?? []), roleSql(role)]);
    return `${grant} ${roleSql(role)}`;
  });
  const withOption = [...options].map(([grant, roles]) => `${grant} ${roles.join(', ')} WITH GRANT OPTION`);
  return [...given, ...withOption];
}

function defaultSql({ role, objtype, schema, grants }: DefaultPrivileges): Statements {
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
  return [...revoke, ...given];
}

const DEFAULT_KINDS: Readonly<Record<string, string>> = {
  r: 'TABLES',
  S: 'SEQUENCES',
  f: 'ROUTINES',
  T: 'TYPES',
  n: 'SCHEMAS',
  L: 'LARGE OBJECTS',
};

export function roleSql(grantee: string | null): string {
  return grantee === null ? 'PUBLIC' : quoteIdentifier(grantee);
}

/**
 * Runs the statements of objects. If a statement of an object fails, runs the others of the object one by one. Causes
 * are a role or a column that is not there, and a privilege that the client's role may not give.
 * @returns the errors of the objects with such a statement, one for each
 */
export async function runEach(client: Client, objects: readonly Statements[]): Promise<readonly unknown[]> {
  const failures: unknown[] = [];
  for (let from = 0; from < objects.length; from += BATCH) {
    const batch = objects.slice(from, from + BATCH);
    if ((await errorOf(client, batch.flat())) === undefined) continue;
    for (const statements of batch) {
      const failure = await errorOf(client, statements);
      if (failure === undefined) continue;
      failures.push(failure);
      if (statements.length > 1) for (const sql of statements) await errorOf(client, [sql]);
    }
  }
  return failures;
}

/** The number of objects that one transaction changes. It locks each of them. */
const BATCH = 100;

/** Runs statements in one transaction. @returns the error of the server if one of them fails */
async function errorOf(client: Client, statements: Statements): Promise<unknown> {
  try {
    await client.query(`BEGIN; ${statements.join(';\n')}; COMMIT`);
    return undefined;
  } catch (error) {
    await client.query('ROLLBACK');
    return error;
  }
}
