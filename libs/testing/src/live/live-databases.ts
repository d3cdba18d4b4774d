import { withClient } from '@understudy/local-system';

import type { TestDatabase } from '../test-database.js';
import { waitFor } from '../test-services.js';

/** The databases of an organisation. */
export interface LiveDatabases {
  /** The database of the control plane. All organisations use it. */
  readonly control: TestDatabase;
  /** The source that jobs name `agent:shop`. All organisations use it. */
  readonly shop: TestDatabase;
  /** The target that jobs name `agent:copy`. The restored database has the same name with `_review`. */
  readonly copy: TestDatabase;
  /** The target that jobs name `agent:staging`, if the system has one. Jobs replace the whole database. */
  readonly staging: TestDatabase | undefined;
}

/** The number of rows of `customers` in the source. */
export const CUSTOMERS = 300;

/** Creates the tables of the source. */
export const SHOP = `
  CREATE TABLE customers (id int PRIMARY KEY, name text NOT NULL, email text NOT NULL);
  INSERT INTO customers
    SELECT n, 'Customer ' || n, 'customer' || n || '@mail.example' FROM generate_series(1, ${CUSTOMERS}) AS n;
  CREATE TABLE stock (id int PRIMARY KEY);
  INSERT INTO stock SELECT generate_series(1, 10)`;

/** Creates the table of `agent:staging`, which the source does not have. */
export const STAGING = 'CREATE TABLE before_the_job (id int)';

type Row = Readonly<Record<string, unknown>>;

/** Runs work while a table is locked, so that no job can read it. */
export async function withLock(
  database: TestDatabase,
  table: string,
  work: () => Promise<void>,
): Promise<void> {
  await withClient(database.url, async (client) => {
    await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    await work();
  });
}

/** Waits until an agent of the organisation has begun a job. */
export async function untilRunning(
  { control }: LiveDatabases,
  organizationId: string,
  job: string,
): Promise<void> {
  await waitFor(`the start of the job "${job}"`, async () => {
    const { rows } = await control.query(
      `SELECT FROM sync_jobs WHERE organization_id = $1 AND name = $2 AND status = 'running'`,
      [organizationId, job],
    );
    return rows.length > 0;
  });
}

/** Returns the ids of the sync jobs of an organisation by name. */
export async function storedJobs(
  { control }: LiveDatabases,
  organizationId: string,
): Promise<Record<string, readonly string[]>> {
  const { rows } = await control.query(
    'SELECT name, array_agg(id::text) AS ids FROM sync_jobs WHERE organization_id = $1 GROUP BY name',
    [organizationId],
  );
  return Object.fromEntries(rows.map(({ name, ids }) => [name, ids as string[]]));
}

/** Returns the rows of `customers` in the target. */
export async function copiedCustomers({ copy }: LiveDatabases): Promise<readonly Row[]> {
  return (await copy.query(CUSTOMERS_BY_ID)).rows;
}

/** Returns the rows of `customers` in the restored database. */
export async function restoredCustomers({ copy }: LiveDatabases): Promise<readonly Row[]> {
  return withClient(`${copy.url}_review`, async (client) => (await client.query<Row>(CUSTOMERS_BY_ID)).rows);
}

/** Returns the names of the tables in `agent:staging`, and the rows of `customers` in the database kept beside it. */
export async function revertedStaging({
  staging,
}: LiveDatabases): Promise<{ readonly tables: readonly unknown[]; readonly kept: readonly Row[] }> {
  if (staging === undefined) throw new Error('expected a system with the option staging');
  const { rows: tables } = await staging.query(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  const { rows: databases } = await staging.query(
    `SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)`,
    [`${staging.name}_replaced_`],
  );
  const kept = Object.assign(new URL(staging.url), { pathname: databases.map(({ name }) => name).join() });
  return {
    tables: tables.map(({ name }) => name),
    kept: await withClient(kept.href, async (client) => (await client.query<Row>(CUSTOMERS_BY_ID)).rows),
  };
}

const CUSTOMERS_BY_ID = 'SELECT * FROM customers ORDER BY id';
