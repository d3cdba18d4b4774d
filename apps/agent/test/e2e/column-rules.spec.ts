import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { asSource, asTarget, createTestDatabase, type TestDatabase } from '@understudy/testing';

import { removeStack, startStack } from './support/stack.js';
import { RecordingApi, type JobView } from './support/sync-over-rest.js';

const ROWS = 200;
const SEED_ROWS = `
  CREATE TABLE customers (id int PRIMARY KEY, first_name text, email text, note text);
  INSERT INTO customers SELECT n, 'Old ' || n, 'old' || n || '@corp.invalid', 'note ' || n FROM generate_series(1, ${ROWS}) AS n`;

/** The three example rules of docs/reference.md. */
const COLUMNS = {
  first_name: { generator: 'en_US/first_names' },
  email: { generator: 'template', pattern: '{{uuid}}@example.com' },
  note: { preserve: true },
};

describe('a sync job with a model, a template and a preserved column', () => {
  let dataDir: string;
  let source: TestDatabase;
  let target: TestDatabase;
  let api: RecordingApi;
  let job: JobView;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'understudy-e2e-'));
    // The agent keeps temporary files in its state folder, so it needs no other folder to create a missing table.
    const stack = await startStack({ dataDir, agentSettings: { TMPDIR: join(dataDir, 'does-not-exist') } });
    api = new RecordingApi(stack.base_url, stack.api_token);
    source = await createTestDatabase(stack.databases_admin_url, SEED_ROWS);
    target = await createTestDatabase(stack.databases_admin_url);
    const tables = [{ name: 'customers', columns: COLUMNS }];
    job = await api.sync({ source: await asSource(source), target: await asTarget(target), tables });
  });

  afterAll(() => removeStack(dataDir));

  const column = async (database: TestDatabase, name: string): Promise<string[]> =>
    (await database.query(`SELECT "${name}" AS value FROM customers ORDER BY id`)).rows.map(({ value }) =>
      String(value),
    );

  it('changes from pending to running to completed and writes its rows to the target', async () => {
    const states = api.responses.flatMap((text) => /"status":"(\w+)"/.exec(text)?.[1] ?? []);
    const order = ['pending', 'running', 'completed'];
    expect(states.map((state) => order.indexOf(state))).toEqual(
      states.map((state) => order.indexOf(state)).toSorted(),
    );
    expect([states[0], states.at(-1)]).toEqual(['pending', 'completed']);
    expect(job).toMatchObject({ status: 'completed', rows_processed: ROWS, error: null });
    expect(await column(target, 'id')).toEqual(await column(source, 'id'));
  });

  it('fills a column from a model', async () => {
    const names = await column(target, 'first_name');
    expect(names.every((name) => /^\p{L}[\p{L}' -]*$/u.test(name))).toBe(true);
    expect(new Set(names).size).toBeGreaterThan(ROWS / 4);
  });

  it('fills a column from a template', async () => {
    const emails = await column(target, 'email');
    expect(emails.every((email) => /^[0-9a-f-]{36}@example\.com$/.test(email))).toBe(true);
    expect(new Set(emails).size).toBe(ROWS);
  });

  it('keeps the original values of a preserved column', async () => {
    expect(await column(target, 'note')).toEqual(await column(source, 'note'));
  });
});
