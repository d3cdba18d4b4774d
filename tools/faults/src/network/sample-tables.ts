import type { CreateSyncJobRequest } from '@understudy/client';

const CUSTOMERS = 40_000;
const ORDERS = 160_000;

/** Approximate number of bytes that a job reads from the source. */
export const SOURCE_BYTES = CUSTOMERS * 520 + ORDERS * 120;

const TABLES = `
  CREATE TABLE customers (id int PRIMARY KEY, name text NOT NULL, email text NOT NULL, note text);
  CREATE TABLE orders (
    id int PRIMARY KEY, customer_id int NOT NULL REFERENCES customers, amount numeric(12, 2) NOT NULL,
    placed_at timestamptz NOT NULL, comment text)`;

/** The source: about 40 MB, so that a copy can be slowed down to some minutes. */
export const NETWORK_SOURCE = `
  ${TABLES};
  INSERT INTO customers
    SELECT n, 'Customer ' || n, 'customer' || n || '@mail.example', repeat(md5(n::text), 14)
      FROM generate_series(1, ${CUSTOMERS}) AS n;
  INSERT INTO orders
    SELECT n, 1 + n % ${CUSTOMERS}, n % 10000 / 100.0, timestamptz '2024-01-01' + n * interval '1 minute', repeat(md5(n::text), 2)
      FROM generate_series(1, ${ORDERS}) AS n;
  ANALYZE`;

/** The target before a job: both tables with other rows. The job must replace them exactly once. */
export const NETWORK_TARGET_BEFORE = `
  ${TABLES};
  INSERT INTO customers SELECT n, 'old ' || n, 'old' || n || '@mail.example' FROM generate_series(1, 100) AS n;
  INSERT INTO orders SELECT n, n, n, timestamptz '2020-01-01' FROM generate_series(1, 100) AS n`;

/** The job. Seed and time are fixed, so every completed job gives the same rows. */
export const NETWORK_JOB: Omit<CreateSyncJobRequest, 'source' | 'target'> = {
  name: 'network',
  seed: 7,
  now: '2026-01-01T00:00:00.000Z',
  tables: [
    {
      name: 'customers',
      columns: {
        name: { generator: 'en_US/first_names' },
        email: { generator: 'template', pattern: '{{uuid}}@example.test' },
      },
    },
    { name: 'orders' },
  ],
};
