import { startStandby, type Standby, type TestDatabase } from '@understudy/testing';
import { rowsOf, SyncHarness } from '../sync-harness.js';

const TABLES = `
  CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1), (2);
  CREATE UNLOGGED TABLE cache (id int); INSERT INTO cache VALUES (1);
  CREATE TABLE parts (id int) PARTITION BY RANGE (id);
  CREATE UNLOGGED TABLE part PARTITION OF parts FOR VALUES FROM (0) TO (10); INSERT INTO parts VALUES (1);
`;

describe('a job with a standby', () => {
  let harness: SyncHarness;
  let standby: Standby;
  let primary: TestDatabase;
  let other: TestDatabase;
  beforeAll(async () => {
    harness = await SyncHarness.start();
    primary = await harness.database(TABLES);
    other = await harness.targetDatabase('CREATE TABLE t (id int PRIMARY KEY)');
    standby = await startStandby(harness.services);
  });
  afterAll(async () => {
    await standby.stop();
    await harness.stop();
  });

  const onStandby = () => `${standby.url}/${primary.name}`;

  it('copies the logged tables of a standby', async () => {
    const { failure } = await harness.run(harness.command(onStandby(), other.url, { t: {} }));
    expect(failure).toBeUndefined();
    expect(await rowsOf(other, 't')).toEqual(['(1)', '(2)']);
  });

  it('refuses unlogged tables of a standby, and tables with unlogged partitions, in a job and in a dry run', async () => {
    const expected = ['cache', 'parts', 'part'].map((_, tableIndex) => ({
      ...{ code: 'unlogged_on_standby', side: 'source', tableIndex },
    }));
    const tables = { cache: {}, parts: {}, part: {} };
    const { failure } = await harness.run(harness.command(onStandby(), other.url, tables));
    expect(failure?.problems).toEqual(expected);
    const dry = await harness.run(harness.command(onStandby(), other.url, tables, { dryRun: true }));
    expect(dry.predicted?.failures[0]?.problems ?? dry.predicted?.failures).toEqual(expected);
  });

  it('refuses a standby as the target before anything is written', async () => {
    const expected = { code: 'target_in_recovery', side: 'target' };
    const source = await harness.database('CREATE TABLE t (id int PRIMARY KEY)');
    const command = harness.command(source.url, onStandby(), { t: {} });
    expect((await harness.run(command)).failure).toEqual(expected);
    const dry = await harness.run({ ...command, dryRun: true });
    expect(dry.predicted?.failures).toEqual([expected]);
  });
});
