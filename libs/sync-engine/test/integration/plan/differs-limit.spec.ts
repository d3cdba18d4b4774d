import type { SyncPolicy } from '../../../src/policy.js';
import { rowsOf, SyncHarness, type Outcome } from '../sync-harness.js';

const SCHEMA = 'CREATE TABLE people (id int PRIMARY KEY, sex text, name text, mail text)';
const ROWS = `; INSERT INTO people SELECT i, CASE i % 2 WHEN 0 THEN 'F' ELSE 'M' END, 'Ann', 'a' || i FROM generate_series(1, 200) i`;
const list = (count: number) => ({ type: 'list', values: Array.from({ length: count }, (_, i) => `v${i}`) });
const SEX = { type: 'list', values: ['F', 'M'] };

describe('a job with rules that set differs', () => {
  let harness: SyncHarness;
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  async function run(
    rules: Readonly<Record<string, unknown>>,
    { isProtected = false, dryRun = false } = {},
  ): Promise<{ outcome: Outcome; rows: string[] }> {
    const source = await harness.database(SCHEMA + ROWS);
    const target = await harness.database(SCHEMA);
    const { policy } = harness.environment();
    const protecting: SyncPolicy = {
      ...policy,
      refusesPreserve: (_, { name }) => isProtected && name !== 'id',
    };
    const command = harness.command(source.url, target.url, { people: rules }, { dryRun });
    const outcome = await harness.run(command, { policy: protecting });
    return { outcome, rows: await rowsOf(target, 'people') };
  }

  it('is refused before a row is copied if a rule makes fewer than 20 values', async () => {
    const { outcome, rows } = await run({ sex: { ...SEX, differs: true } });
    expect(outcome.failure).toEqual({ code: 'too_few_values', tableIndex: 0, columnIndex: 0 });
    expect(rows).toEqual([]);
  });

  it('is refused if a rule makes fewer than 1,000 values on a column that the policy protects', async () => {
    const masked = { sex: SEX, name: list(1_000), mail: { ...list(999), differs: true } };
    const { outcome } = await run(masked, { isProtected: true });
    expect(outcome.failure).toEqual({ code: 'too_few_values', tableIndex: 0, columnIndex: 2 });
  });

  it('completes if the rules make enough values for protected and other columns', async () => {
    const enough = {
      sex: SEX,
      name: { ...list(1_000), differs: true },
      mail: { ...list(1_000), differs: true },
    };
    expect((await run(enough, { isProtected: true })).outcome.failure).toBeUndefined();
    expect((await run({ ...enough, mail: { ...list(20), differs: true } })).outcome.failure).toBeUndefined();
  });

  it('is predicted to fail by a dry run if a rule makes too few values', async () => {
    const { outcome } = await run({ sex: { ...SEX, differs: true } }, { dryRun: true });
    expect(outcome.predicted?.failures).toContainEqual({
      code: 'too_few_values',
      tableIndex: 0,
      columnIndex: 0,
    });
  });

  it('completes with few values on a protected column without differs, and may keep an original value', async () => {
    const few = { generator: 'en_US/first_names', constraints: { starts_with: 'An', max_length: 3 } };
    const { outcome, rows } = await run({ sex: SEX, name: few, mail: list(3) }, { isProtected: true });
    expect(outcome.failure).toBeUndefined();
    expect(rows).toHaveLength(200);
    // The column has only two values. If the new value always differed, it would reveal the original one.
    const kept = rows
      .filter((row) => /^\((\d+),(.),/.test(row))
      .filter((row) => {
        const [, id, sex] = /^\((\d+),(.),/.exec(row) ?? [];
        return sex === (Number(id) % 2 === 0 ? 'F' : 'M');
      });
    expect(kept.length).toBeGreaterThan(50);
    expect(rows.some((row) => row.includes(',Ann,'))).toBe(true);
  });
});
