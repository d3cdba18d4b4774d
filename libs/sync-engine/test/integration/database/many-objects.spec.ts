import type { TestDatabase } from '@understudy/testing';
import { rowsOf, SyncHarness } from '../sync-harness.js';
import { replaceScene } from './replace-scene.js';

// A server of its own, with room for 300 locks: 10 * 30.
const SETTINGS = { max_locks_per_transaction: '10', max_connections: '30' };

/** More than the server lets one transaction lock. It also uses memory that it reserves for other things. */
const SEQUENCES = 1_200;
/** Two sessions can lock this many tables, and three cannot. */
const TABLES = 250;
/** Objects that one transaction can create. */
const BATCH = 100;

describe('a database with more objects than the server has locks', () => {
  let harness: SyncHarness;
  beforeAll(async () => {
    harness = await SyncHarness.start(SETTINGS);
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  async function filled(): Promise<TestDatabase> {
    const database = await harness.database(
      'CREATE TABLE item (id serial PRIMARY KEY, name text); INSERT INTO item (name) VALUES (NULL)',
    );
    for (let from = 0; from < SEQUENCES; from += BATCH)
      await database.query(`
        DO $$ BEGIN FOR i IN ${from + 1}..${from + BATCH} LOOP
          EXECUTE format('CREATE SEQUENCE s%s', i); PERFORM setval('s' || i, i);
        END LOOP; END $$`);
    for (let from = 0; from < TABLES; from += BATCH / 2)
      await database.query(`
        DO $$ BEGIN FOR i IN ${from + 1}..${from + BATCH / 2} LOOP EXECUTE format('CREATE TABLE t%s (id int)', i); END LOOP; END $$`);
    return database;
  }

  it('is replaced, with the positions of all sequences, and all objects belong to the owner of the target', async () => {
    const scene = await replaceScene(harness);
    const source = await filled();
    const target = await harness.database();
    await target.query(`ALTER DATABASE ${target.name} OWNER TO ${scene.owner}`);
    const { failure } = await scene.replace({ source, target });
    expect(failure).toBeUndefined();
    expect(
      await rowsOf(
        target,
        `(SELECT relowner::regrole, count(*) FROM pg_class WHERE relkind = 'S' GROUP BY 1)`,
      ),
    ).toEqual([`(${scene.owner},${SEQUENCES + 1})`]);
    expect(await rowsOf(target, `(SELECT last_value FROM s${SEQUENCES})`)).toEqual([`(${SEQUENCES + 1})`]);
  });
});
