import { withClient } from '@understudy/local-system';

/** Prevents that a suite changes the template of all databases. */
export async function protectTemplate(postgresUrl: string): Promise<void> {
  await withClient(`${postgresUrl}/postgres`, (client) =>
    client.query('ALTER DATABASE template1 WITH ALLOW_CONNECTIONS false'),
  );
}

/**
 * Ends all other sessions of a server, and removes its databases, roles and replication slots. Templates stay, because
 * no suite can connect to them.
 * @throws Error with each other change that databases of the server have in common
 */
export async function removeWhatIsLeft(postgresUrl: string): Promise<void> {
  await withClient(`${postgresUrl}/postgres`, async (client) => {
    const names = async (sql: string): Promise<string[]> =>
      (await client.query<{ name: string }>(sql)).rows.map(({ name }) => name);
    await client.query(END_SESSIONS);
    await client.query(DROP_SLOTS);
    for (const name of await names(DATABASES)) await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
    for (const name of await names(ROLES)) await client.query(`DROP ROLE ${name}`);
    const changes = await names(CHANGES);
    if (changes.length > 0)
      throw new Error(
        `expected a shared PostgreSQL without changes of the server, found ${changes.join(', ')}`,
      );
  });
}

/** Waits for each session, because a role or slot in use cannot be dropped. */
const END_SESSIONS = `
  SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
  WHERE backend_type IN ('client backend', 'walsender') AND pid <> pg_backend_pid()`;

const DROP_SLOTS = 'SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots';

const DATABASES = `
  SELECT quote_ident(datname) AS name FROM pg_database WHERE datname <> 'postgres' AND NOT datistemplate`;

/** Ids of objects that users create start at 16384. */
const ROLES = 'SELECT quote_ident(rolname) AS name FROM pg_roles WHERE oid >= 16384';

const CHANGES = `
  SELECT 'the setting ' || name AS name FROM pg_file_settings WHERE sourcefile LIKE '%/postgresql.auto.conf'
  UNION ALL SELECT 'a setting of a role or of a database' FROM pg_db_role_setting
  UNION ALL SELECT 'the tablespace ' || spcname FROM pg_tablespace WHERE oid >= 16384
  UNION ALL SELECT 'privileges of the database postgres' FROM pg_database
    WHERE datname = 'postgres' AND datacl IS NOT NULL
  UNION ALL SELECT * FROM (
    SELECT pg_describe_object(classid, objid, 0) || ' in the database postgres' FROM pg_depend WHERE objid >= 16384
    UNION SELECT 'schema ' || nspname || ' in the database postgres' FROM pg_namespace
      WHERE oid >= 16384 AND nspname !~ '^pg_(toast_)?temp_'
    UNION SELECT 'publication ' || pubname || ' in the database postgres' FROM pg_publication) AS objects`;
