import type { Client } from 'pg';

import { withClient } from '../services/with-client.js';

const CONTROL = 'understudy_control';
/** The role of {@link makeDatabasesRole}. */
export const DATABASES_ROLE = 'understudy_databases';

/**
 * Creates the database of the control plane with its own role. Only this role and superusers can connect to
 * the database. A second call only sets the password of the role.
 * @param adminUrl URL of a superuser, without a database name
 * @param password hexadecimal digits
 * @param isNew drops an existing database of that name first
 * @returns the URL of the database, with this role and its password
 */
export async function makeControlDatabase(
  adminUrl: string,
  password: string,
  isNew: boolean,
): Promise<string> {
  await withServer(adminUrl, async (client) => {
    await makeRole(client, CONTROL, `LOGIN PASSWORD '${password}'`);
    if (isNew) await client.query(`DROP DATABASE IF EXISTS ${CONTROL} WITH (FORCE)`);
    if (!(await exists(client, 'SELECT 1 FROM pg_database WHERE datname = $1', CONTROL)))
      await client.query(`CREATE DATABASE ${CONTROL} OWNER ${CONTROL}`);
    await client.query(`REVOKE ALL ON DATABASE ${CONTROL} FROM PUBLIC`);
  });
  return urlOf(adminUrl, { username: CONTROL, password, pathname: `/${CONTROL}` });
}

/**
 * Creates the role for source and target databases, or sets its password. The role is not a superuser. It owns the
 * databases that it creates, so it has all privileges for jobs, snapshots and restores there.
 * @param adminUrl URL of a superuser, without a database name
 * @param password hexadecimal digits
 * @returns the URL of the server with this role, without a database name
 */
export async function makeDatabasesRole(adminUrl: string, password: string): Promise<string> {
  await withServer(adminUrl, (client) =>
    makeRole(client, DATABASES_ROLE, `LOGIN CREATEDB PASSWORD '${password}'`),
  );
  return urlOf(adminUrl, { username: DATABASES_ROLE, password });
}

function withServer(adminUrl: string, work: (client: Client) => Promise<void>): Promise<void> {
  return withClient(urlOf(adminUrl, { pathname: '/postgres' }), work);
}

async function makeRole(client: Client, name: string, options: string): Promise<void> {
  const isThere = await exists(client, 'SELECT 1 FROM pg_roles WHERE rolname = $1', name);
  await client.query(`${isThere ? 'ALTER' : 'CREATE'} ROLE ${name} ${options}`);
}

async function exists(client: Client, sql: string, name: string): Promise<boolean> {
  return (await client.query(sql, [name])).rowCount === 1;
}

function urlOf(adminUrl: string, parts: Partial<Pick<URL, 'username' | 'password' | 'pathname'>>): string {
  return Object.assign(new URL(adminUrl), parts).href;
}
