import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor, type TestDatabase } from '@understudy/testing';
import { SyncHarness } from '../sync-harness.js';

const CUSTOMERS = 'CREATE TABLE customers (code text, n int, PRIMARY KEY (code, n))';
const ORDERS = 'CREATE TABLE orders (id int PRIMARY KEY, customer varchar(40), n bigint)';
const KEY = 'ALTER TABLE orders ADD CONSTRAINT of_customer FOREIGN KEY (customer, n) REFERENCES customers';
const INSERT_ORDERS =
  "INSERT INTO orders SELECT i, 'canary' || 'Key' || i, 7 * 1000000 + i FROM generate_series(1, 300) i";

describe('a dry run between servers that log everything', () => {
  let harness: SyncHarness;
  let source: TestDatabase;
  let target: TestDatabase;
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  beforeEach(async () => {
    source = await harness.database(`${CUSTOMERS}; ${ORDERS}; ${INSERT_ORDERS}`);
    target = await harness.database(
      `${CUSTOMERS}; ${ORDERS}; ${KEY}; INSERT INTO customers SELECT 'canary' || 'Key' || i, 7 * 1000000 + i FROM generate_series(1, 300) i`,
    );
    for (const setting of [
      "log_statement = 'all'",
      'log_parameter_max_length = -1',
      'log_min_duration_statement = 0',
    ])
      await target.query(`ALTER SYSTEM SET ${setting}`);
    await target.query('SELECT pg_reload_conf()');
    await waitFor('the servers to log', async () => {
      const { rows } = await target.query('SHOW log_min_duration_statement');
      return rows[0]?.['log_min_duration_statement'] === '0';
    });
  });
  afterEach(async () => {
    for (const setting of ['log_statement', 'log_parameter_max_length', 'log_min_duration_statement'])
      await target.query(`ALTER SYSTEM RESET ${setting}`);
    await target.query('SELECT pg_reload_conf()');
    await harness.dropAll();
  });
  afterAll(() => harness.stop());

  const log = () => readFileSync(join(harness.services.folder, 'postgres.log'), 'utf8');
  const predict = async () => {
    const command = harness.command(source.url, target.url, { orders: {} }, { dryRun: true });
    return (await harness.run(command)).predicted;
  };

  it('leaves no value of a foreign key in the logs, whether its row exists or not', async () => {
    expect((await predict())?.failures).toEqual([]);
    await source.query('UPDATE orders SET n = n + 1000000 WHERE id = 300');
    expect((await predict())?.failures).toMatchObject([
      { code: 'constraint_violation', constraintKind: 'foreign_key' },
    ]);
    expect(log()).toContain('understudy_references');
    expect(log()).not.toMatch(/canaryKey\d|\b[78]\d{6}\b/);
  });

  it('leaves no value in the logs if the two ends of the key have types of different ranges', async () => {
    await source.query('UPDATE orders SET n = n * 1000000 WHERE id = 300');
    expect((await predict())?.failures).toMatchObject([
      { code: 'constraint_violation', constraintKind: 'foreign_key' },
    ]);
    expect(log()).not.toMatch(/canaryKey\d|\b7\d{12}\b/);
  });
});
