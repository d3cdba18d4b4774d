import { PolicyHarness } from './policy-harness.js';

const SCHEMA = `
  CREATE TABLE customers (id int, email text, region text, year int) PARTITION BY RANGE (year);
  CREATE TABLE customers_2024 PARTITION OF customers FOR VALUES FROM (2024) TO (2025);
  CREATE TABLE customers_2025 PARTITION OF customers FOR VALUES FROM (2025) TO (2026) PARTITION BY LIST (region);
  CREATE TABLE customers_2025_eu PARTITION OF customers_2025 FOR VALUES IN ('eu');
  CREATE TABLE people (id int, email text);
  CREATE TABLE people_eu (vat text) INHERITS (people);
  CREATE TABLE people_eu_north () INHERITS (people_eu);
  CREATE TABLE others (id int, email text);
`;
const ROWS = `
  INSERT INTO customers SELECT i, 'cust' || i % 400 || '@example.com', 'eu', 2024 + i % 2 FROM generate_series(1, 800) i;
  INSERT INTO people_eu SELECT i, 'people' || i || '@example.com', 'v' || i FROM generate_series(1, 400) i;
  INSERT INTO people_eu_north SELECT i, 'north' || i || '@example.com', 'v' || i FROM generate_series(1, 400) i;
  INSERT INTO others SELECT i, 'other' || i || '@example.com' FROM generate_series(1, 400) i;
`;

const POLICY = `
never_preserve: ['public.customers.email', 'public.people.email']
allow_where: true
`;
const masked = (name: string, more: object = {}) => ({
  name,
  columns: [
    { name: 'id', rule: { preserve: true } },
    { name: 'email', rule: { generator: 'en_US/first_names' } },
  ],
  ...more,
});

/**
 * The tables of the jobs. The policy contains the name of an ancestor of each table, but not the table's own
 * name. The first element of each pair describes how the table is related to that ancestor.
 */
const RELATIVES = [
  ['a partition', 'customers_2024'],
  ['a partition of a partition', 'customers_2025_eu'],
  ['a partitioned partition', 'customers_2025'],
  ['a table that inherits', 'people_eu'],
  ['a table that inherits from one that inherits', 'people_eu_north'],
] as const;

describe('a policy that names a table', () => {
  let harness: PolicyHarness;
  beforeAll(async () => {
    harness = await PolicyHarness.start(SCHEMA, ROWS);
  });
  afterAll(() => harness.stop());

  it.each(RELATIVES)('refuses to preserve the column of %s', async (_, name) => {
    const denied = { code: 'policy_denied', tableIndex: 0 };
    expect(await harness.run(POLICY, [{ name }])).toMatchObject(denied);
    const preserved = { name: 'email', rule: { preserve: true } };
    expect(await harness.run(POLICY, [{ name, columns: [preserved] }])).toMatchObject({
      ...denied,
      columnIndex: 0,
    });
  });

  it.each(RELATIVES)('refuses a condition on the column of %s', async (_, name) => {
    const subset = { where: `email = 'cust1@example.com'` };
    expect(await harness.run(POLICY, [masked(name, { subset })])).toMatchObject({
      code: 'policy_denied',
      tableIndex: 0,
      columnIndex: 1,
    });
  });

  it.each(RELATIVES)('requires at least 5 values to train a model on the column of %s', async (_, name) => {
    const rule = { generator: 'private/mail', train: { order: 2, min_values: 4 } };
    const policy = `${POLICY}min_values_floor: 1`;
    expect(await harness.run(policy, [{ name, columns: [{ name: 'email', rule }] }])).toMatchObject({
      code: 'min_values_too_low',
      tableIndex: 0,
      columnIndex: 0,
    });
  });

  it('refuses to preserve a column of a table whose partition the policy names', async () => {
    const policy = `never_preserve: ['public.customers_2025_eu.email']`;
    const denied = { code: 'policy_denied', tableIndex: 0 };
    expect(await harness.run(policy, [{ name: 'customers' }])).toMatchObject(denied);
    expect(await harness.run(policy, [{ name: 'customers_2025' }])).toMatchObject(denied);
    expect(await harness.run(policy, [{ name: 'customers_2024' }])).toBeUndefined();
  });

  it('copies a table without its child tables if the policy names only columns of these', async () => {
    const policy = `never_preserve: ['public.people_eu.email']`;
    expect(await harness.run(policy, [{ name: 'people' }])).toBeUndefined();
  });

  it('does not affect tables that are neither ancestors nor descendants', async () => {
    expect(await harness.run(POLICY, [{ name: 'others' }])).toBeUndefined();
  });

  it('admits a partition whose column has a rule', async () => {
    expect(await harness.run(POLICY, [masked('customers_2024')])).toBeUndefined();
  });
});
