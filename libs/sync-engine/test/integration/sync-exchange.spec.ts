import type { TestDatabase } from '@understudy/testing';
import {
  expectRows,
  OLD_ROWS,
  oidsOf,
  ROLES,
  schemaOf,
  SOURCE_ROWS,
  TABLES,
  TABLES_SQL,
  TRIMMINGS,
} from './exchange-scene.js';
import { leftovers } from './staging-scene.js';
import { rowsOf, SyncHarness } from './sync-harness.js';

describe('an existing table that another one can stand in for', () => {
  let harness: SyncHarness;
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  const both = async (targetSql = '') => ({
    source: await harness.database(TABLES_SQL + SOURCE_ROWS),
    target: await harness.targetDatabase(ROLES + TABLES_SQL + OLD_ROWS + TRIMMINGS + targetSql),
  });
  const run = (source: TestDatabase, target: TestDatabase, more: object = {}) =>
    harness.run(harness.command(source.url, target.url, TABLES), more);

  it('is exchanged, and nothing but its rows is another', async () => {
    const { source, target } = await both(
      "SELECT setval('places_n_seq', 7000), setval('places_id_seq', 20, false)",
    );
    const before = await schemaOf(harness, target);
    const old = await oidsOf(target, 'places', 'people');
    for (const jobId of ['job_1', 'job_2']) {
      const outcome = await harness.run(harness.command(source.url, target.url, TABLES, { jobId }));
      expect(outcome.failure).toBeUndefined();
      expect(await schemaOf(harness, target)).toBe(before);
      await expectRows(source, target);
      expect(await leftovers(target)).toEqual([]);
    }
    const now = await oidsOf(target, 'places', 'people');
    expect(now.filter((oid) => old.includes(oid))).toEqual([]);
    const sequences = "SELECT nextval('places_n_seq')::int AS n, nextval('places_id_seq')::int AS id";
    expect((await target.query(sequences)).rows).toEqual([{ n: 7001, id: 210 }]);
    expect(await rowsOf(target, 'log')).toEqual([]);
  });
});
