import type { TestDatabase } from '@understudy/testing';
import { dumpDatabase, sortedRows } from '../everything-schema/dumped-database.js';
import { fillWithEverything } from '../everything-schema/everything-database.js';
import { MASKS } from '../everything-schema/masks.js';
import { SyncHarness } from '../sync-harness.js';
import { type ReplaceScene, replaceScene } from './replace-scene.js';

describe('a job that replaces a database with everything that a table can have', () => {
  let harness: SyncHarness;
  let scene: ReplaceScene;
  beforeAll(async () => {
    harness = await SyncHarness.start();
    scene = await replaceScene(harness);
  });
  afterAll(() => harness.stop());

  const rowsIn = async (database: TestDatabase) => {
    const entries = await dumpDatabase(harness.services.postgresBinFolder, database, 'data-only');
    const masked = new Set(Object.keys(MASKS).map((name) => name.replaceAll('"', '')));
    return entries
      .filter(({ type, schema, name }) => type === 'TABLE DATA' && !masked.has(`${schema}.${name}`))
      .map((entry) => [`${entry.schema}.${entry.name}`, sortedRows(entry)]);
  };

  it('copies all definitions and rows', async () => {
    const source = await fillWithEverything(await harness.database());
    const target = await harness.database();
    await target.query(`ALTER DATABASE ${target.name} OWNER TO ${scene.owner}`);
    const outcome = await scene.replace({ source, target });
    expect(outcome.failure).toBeUndefined();
    expect(await scene.definitions(target)).toBe(await scene.definitions(source));
    expect(await rowsIn(target)).toEqual(await rowsIn(source));
  });
});
