import type { CreateSyncJobRequest } from '@understudy/client';

/**
 * @param scale factor for the number of rows. At 1, the large tables have some megabytes in several chunks,
 *   and a job takes about two seconds. A fault at a given time hits a longer job more reliably
 */
export const sourceOf = (scale: number) => `
  CREATE TABLE customers (
    id int PRIMARY KEY, name varchar(60) NOT NULL, email text NOT NULL, city text, note text,
    referred_by int REFERENCES customers DEFERRABLE);
  INSERT INTO customers
    SELECT n, 'Customer ' || n, 'customer' || n || '@mail.example', (ARRAY['Springfield', 'Riverton', NULL])[1 + n % 3],
           repeat('a note of ordinary length ', n % 5), CASE WHEN n % 7 = 0 THEN n / 7 + 1 END
      FROM generate_series(1, ${20_000 * scale}) AS n;
  CREATE TABLE orders (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, customer_id int NOT NULL REFERENCES customers,
    amount numeric(12, 2) NOT NULL CHECK (amount >= 0), placed_at timestamptz NOT NULL, comment text);
  INSERT INTO orders (customer_id, amount, placed_at, comment)
    SELECT 1 + n % ${20_000 * scale}, n % 10000 / 100.0, timestamptz '2024-01-01' + n * interval '1 minute', repeat('said about it ', n % 4)
      FROM generate_series(1, ${60_000 * scale}) AS n;
  CREATE INDEX ON orders (placed_at);
  CREATE TYPE channel AS ENUM ('web', 'shop');
  CREATE TABLE visits (customer_id int, at timestamptz, via channel, address inet);
  INSERT INTO visits
    SELECT 1 + n % ${20_000 * scale}, timestamptz '2025-01-01' + n * interval '1 second', (ARRAY['web', 'shop'])[1 + n % 2]::channel,
           inet '10.0.0.0' + n FROM generate_series(1, ${40_000 * scale}) AS n;
  CREATE TABLE labels (id serial PRIMARY KEY, label text UNIQUE);
  INSERT INTO labels (label) SELECT 'label ' || n FROM generate_series(1, 50) AS n;
  ${PAGES};
  INSERT INTO pages (customer_id, path, body)
    SELECT 1 + n % ${20_000 * scale}, '/page/' || n, repeat(md5(n::text), 25) FROM generate_series(1, ${14_000 * scale}) AS n;
  ANALYZE`;

/** A table that is large enough to be swapped instead of rewritten. No object depends on it. */
const PAGES = `
  CREATE TABLE pages (id serial PRIMARY KEY, customer_id int REFERENCES customers, path text NOT NULL, body text CHECK (body <> ''));
  CREATE INDEX ON pages (path)`;

/**
 * Content of the target before a job: three of the job's tables with other rows, a view on one of them, and a
 * table that the job does not name.
 */
export const TARGET_BEFORE = `
  CREATE TABLE customers (
    id int PRIMARY KEY, name varchar(60) NOT NULL, email text NOT NULL, city text, note text,
    referred_by int REFERENCES customers DEFERRABLE);
  INSERT INTO customers SELECT n, 'old ' || n, 'old' || n || '@mail.example' FROM generate_series(1, 500) AS n;
  CREATE TABLE orders (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, customer_id int NOT NULL REFERENCES customers,
    amount numeric(12, 2) NOT NULL CHECK (amount >= 0), placed_at timestamptz NOT NULL, comment text);
  INSERT INTO orders (customer_id, amount, placed_at) SELECT n, n, timestamptz '2020-01-01' FROM generate_series(1, 500) AS n;
  ${PAGES};
  INSERT INTO pages (customer_id, path, body) SELECT n, '/old/' || n, 'old' FROM generate_series(1, 500) AS n;
  CREATE VIEW spent AS SELECT customer_id, sum(amount) AS amount FROM orders GROUP BY 1;
  CREATE TABLE kept (id int PRIMARY KEY, customer_id int REFERENCES customers);
  INSERT INTO kept SELECT n, n FROM generate_series(1, 100) AS n`;

/** The database of the snapshot: other rows than the target and the source have. */
export const SNAPSHOTTED = `
  CREATE TABLE customers (id int PRIMARY KEY, name text NOT NULL);
  INSERT INTO customers SELECT n, 'from the snapshot ' || n FROM generate_series(1, 2000) AS n;
  CREATE VIEW names AS SELECT name FROM customers`;

/** The kind of a job: it replaces the tables that it names, or the whole database. */
export type Replaced = 'tables' | 'database';

const PRESERVED = { preserve: true };

/**
 * The tables of the jobs, with a decision about every column. A job on tables replaces three of them, one of which has
 * another definition on the target, and creates two.
 */
const TABLES: CreateSyncJobRequest['tables'] = [
  {
    name: 'customers',
    columns: {
      name: { generator: 'en_US/first_names' },
      email: { generator: 'template', pattern: '{{uuid}}@example.test' },
      ...{ id: PRESERVED, city: PRESERVED, note: PRESERVED, referred_by: PRESERVED },
    },
  },
  {
    name: 'orders',
    columns: {
      comment: { generator: 'en_US/words' },
      ...{ id: PRESERVED, customer_id: PRESERVED, amount: PRESERVED, placed_at: PRESERVED },
    },
  },
  {
    name: 'pages',
    columns: {
      path: { generator: 'template', pattern: '/{{uuid}}' },
      ...{ id: PRESERVED, customer_id: PRESERVED, body: PRESERVED },
    },
  },
  {
    name: 'visits',
    columns: {
      address: { generator: 'template', pattern: '192.0.2.1' },
      ...{ customer_id: PRESERVED, at: PRESERVED, via: PRESERVED },
    },
  },
  { name: 'labels', columns: { id: PRESERVED, label: PRESERVED } },
];

const WITHOUT_ROWS = ['orders', 'pages', 'visits'];

/** The jobs. Seed and time are fixed, so every undisturbed job gives the same rows. */
export const JOBS: Readonly<Record<Replaced | 'history', Omit<CreateSyncJobRequest, 'source' | 'target'>>> = {
  tables: { name: 'faults', seed: 7, now: '2026-01-01T00:00:00.000Z', tables: TABLES },
  database: {
    ...{ name: 'faults', seed: 7, now: '2026-01-01T00:00:00.000Z', tables: TABLES },
    ...{ replace: 'database', drop_target_only: true },
  },
  // A history needs many jobs, so they copy fewer rows.
  history: {
    ...{ name: 'faults', now: '2026-01-01T00:00:00.000Z', replace: 'database', drop_target_only: true },
    tables: TABLES.map((table) =>
      WITHOUT_ROWS.includes(table.name) ? { name: table.name, rows: 'none' } : table,
    ),
  },
};
