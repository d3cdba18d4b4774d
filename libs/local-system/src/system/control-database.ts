import { Client } from 'pg';

const NAME = 'understudy_control';

/**
 * Creates the database of the control plane with its own role. Only this role and superusers can connect to
 * the database. A second call only sets the password of the role.
 * @param databasesUrl URL of a superuser, without a database name
 * @param password hexadecimal digits
 * @returns the URL of the database, with this role and its password
 */
export async function makeControlDatabase(databasesUrl: string, password: string): Promise<string> {
  const admin = new URL(databasesUrl);
  admin.pathname = '/postgres';
  const client = new Client({ connectionString: admin.href });
  await client.connect();
  try {
    if (!(await exists(client, 'SELECT 1 FROM pg_roles WHERE rolname = $1')))
      await client.query(`CREATE ROLE ${NAME} LOGIN PASSWORD '${password}'`);
    else await client.query(`ALTER ROLE ${NAME} PASSWORD '${password}'`);
    if (!(await exists(client, 'SELECT 1 FROM pg_database WHERE datname = $1'))) {
      await client.query(`CREATE DATABASE ${NAME} OWNER ${NAME}`);
      await client.query(`REVOKE ALL ON DATABASE ${NAME} FROM PUBLIC`);
    }
  } finally {
    await client.end();
  }
  const url = new URL(databasesUrl);
  url.username = NAME;
  url.password = password;
  url.pathname = `/${NAME}`;
  return url.href;
}

async function exists(client: Client, sql: string): Promise<boolean> {
  return (await client.query(sql, [NAME])).rowCount === 1;
}
