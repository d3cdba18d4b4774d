import { withClient } from '@understudy/local-system';
import type { StackInfo } from '@understudy/stack';

/** The table of the copy benchmark, with 13 columns and about 204 bytes per row in COPY's text format. */
const WIDE_TABLE = `
CREATE TABLE wide (
  id          bigint PRIMARY KEY,
  first_name  varchar(40) NOT NULL,
  last_name   varchar(40) NOT NULL,
  email       varchar(120) NOT NULL,
  phone       varchar(20),
  city        text NOT NULL,
  country     char(2) NOT NULL,
  created_at  timestamptz NOT NULL,
  updated_at  timestamptz NOT NULL,
  balance     numeric(12, 2) NOT NULL,
  active      boolean NOT NULL,
  settings    jsonb NOT NULL,
  note        text
)`;

const ROWS = `
INSERT INTO wide
SELECT n, 'First' || n % 5000, 'Last' || n % 9000, 'first' || n || '.last@mail.example', '+1 555 ' || lpad((n * 7919 % 10000000)::text, 7, '0'),
  (ARRAY['Springfield', 'Riverton', 'Fairview', 'Georgetown'])[1 + n % 4], 'US',
  timestamptz '2021-01-01 00:00:00+00' + n * interval '61 seconds', timestamptz '2024-01-01 00:00:00+00' + n * interval '7 seconds',
  (n % 1000000) / 100.0, n % 3 = 0, jsonb_build_object('theme', 'dark', 'size', n % 50),
  CASE WHEN n % 4 > 0 THEN 'a note of ordinary length about order ' || n END
FROM generate_series(1, $1::bigint) AS n`;

/** Rules for four of the columns: two with names from models, two with templates. */
export const WIDE_RULES = {
  first_name: { generator: 'en_US/first_names' },
  last_name: { generator: 'en_US/last_names' },
  email: {
    generator: 'template',
    pattern: '{{lowercase(first_name)}}.{{lowercase(last_name)}}@example.test',
  },
  phone: { generator: 'template', pattern: '+1 555 {{substring(uuid, 0, 8)}}' },
};

/**
 * Creates an empty `database` on the server. Drops an existing database of that name. Without FORCE, the server ends
 * autovacuum itself, which the role may not do. It waits for other sessions, such as those of a job that has ended.
 */
export async function makeDatabase(serverUrl: string, database: string): Promise<void> {
  await withClient(`${serverUrl}/postgres`, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${database}`);
    await client.query(`CREATE DATABASE ${database}`);
  });
}

/** Creates `database` on the server with the table and its rows. */
export async function makeWideTable(serverUrl: string, database: string, rows: number): Promise<void> {
  await makeDatabase(serverUrl, database);
  await withClient(`${serverUrl}/${database}`, async (client) => {
    await client.query(WIDE_TABLE);
    if (rows > 0) await client.query(ROWS, [rows]);
    await client.query('VACUUM ANALYZE wide');
  });
}

/** Writes dirty pages to the disk, so that a run does not have to write the pages of the previous run. */
export async function checkpoint({ databases_admin_url: serverUrl }: StackInfo): Promise<void> {
  await withClient(`${serverUrl}/postgres`, (client) => client.query('CHECKPOINT'));
}
