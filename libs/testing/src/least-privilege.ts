import { randomBytes } from 'node:crypto';
import {
  connect,
  type DatabaseRole,
  disconnect,
  grantStatements,
  parseConnectionUrl,
  quoteIdentifier,
  quoteLiteral,
  readDatabaseLayout,
} from '@understudy/postgres';
import { createTestDatabase, type TestDatabase } from './test-database.js';

export interface LeastPrivilege {
  readonly roles: readonly DatabaseRole[];
  /** The name of a new role. By default, it contains the uses and the name of the database. */
  readonly role?: string;
  /** The default is a random password. */
  readonly password?: string;
  /** The roles that own objects of the snapshots that are restored. */
  readonly objectOwners?: readonly string[];
  /** Whether the role restores only databases that do not exist yet. The URL then names another database. */
  readonly isForNew?: boolean;
  /** For jobs that replace the database: the role of the second login. */
  readonly buildRole?: string;
}

/** The last call. PostgreSQL refuses concurrent grants on what the databases of a server share. */
let granted: Promise<unknown> = Promise.resolve();

/**
 * Creates a role with the SQL that `understudy-agent grants` prints for these uses of a database.
 * @param adminUrl URL of the database, with a superuser. The database must contain all tables that are not new.
 * @returns the URL of the database, with the new role
 */
export function asLeastPrivileged(adminUrl: string, privileges: LeastPrivilege): Promise<string> {
  const done = granted.then(() => grant(adminUrl, privileges));
  granted = done.catch(() => undefined); // the caller gets the error
  return done;
}

async function grant(
  adminUrl: string,
  {
    roles,
    password = randomBytes(12).toString('hex'),
    objectOwners = [],
    isForNew = false,
    buildRole,
    ...more
  }: LeastPrivilege,
): Promise<string> {
  const admin = parseConnectionUrl(adminUrl);
  const { role = `${roles.join('_')}_of_${admin.database}` } = more;
  const client = await connect(admin, 'target');
  try {
    const found = await readDatabaseLayout(client, role);
    const layout = isForNew ? { ...found, databaseOwner: undefined, isOwnedBySuperuser: false } : found;
    const request = {
      roles: new Set(roles),
      role,
      database: admin.database,
      layout,
      objectOwners,
      buildRole,
    };
    for (const { sql } of grantStatements(request)) await client.query(sql);
    await client.query(`ALTER ROLE ${quoteIdentifier(role)} PASSWORD ${quoteLiteral(password)}`);
  } finally {
    await disconnect(client);
  }
  const url = new URL(adminUrl);
  url.username = encodeURIComponent(role);
  url.password = encodeURIComponent(password);
  return url.href;
}

/** Creates a role that may only read the database in sync jobs. @returns the URL with the role */
export function asSource(database: { readonly url: string }): Promise<string> {
  return asLeastPrivileged(database.url, { roles: ['source'] });
}

/** Creates a role that may only write the database in sync jobs. @returns the URL with the role */
export function asTarget(database: { readonly url: string }): Promise<string> {
  return asLeastPrivileged(database.url, { roles: ['target'] });
}

/** Creates the two roles of jobs that replace the database. @returns the URLs of the database with these roles */
export async function asReplacer(
  database: TestDatabase,
): Promise<{ readonly url: string; readonly buildUrl: string }> {
  const buildRole = `build_of_${database.name}`;
  await database.query(`CREATE ROLE ${buildRole} LOGIN PASSWORD '${buildRole}'`);
  const url = await asLeastPrivileged(database.url, { roles: ['replace'], buildRole });
  const login = { username: buildRole, password: buildRole };
  return { url, buildUrl: Object.assign(new URL(url), login).href };
}

/**
 * Creates a database that belongs to a role without superuser rights, as a real one does. A restore with least
 * privileges cannot create objects of a superuser.
 * @param owner the name of the role; the role is created if it does not exist
 */
export async function createOwnedDatabase(
  postgresUrl: string,
  owner: string,
  sql = '',
): Promise<TestDatabase> {
  const database = await createTestDatabase(
    postgresUrl,
    `DO $$ BEGIN CREATE ROLE ${owner}; EXCEPTION WHEN duplicate_object THEN NULL; END $$`,
  );
  await database.query(`ALTER DATABASE ${database.name} OWNER TO ${owner}; SET LOCAL ROLE ${owner}; ${sql}`);
  return database;
}
