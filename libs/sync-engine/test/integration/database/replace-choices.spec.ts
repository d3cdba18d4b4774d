import type { TestDatabase } from '@understudy/testing';
import { SyncHarness } from '../sync-harness.js';
import { it } from '../test-run.js';
import { type ReplaceScene, replaceScene } from './replace-scene.js';

describe('what a new database gets if the job chooses it', () => {
  let harness: SyncHarness;
  let scene: ReplaceScene;
  beforeAll(async () => {
    harness = await SyncHarness.start();
    scene = await replaceScene(harness);
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  async function target(): Promise<TestDatabase> {
    const made = await harness.database();
    await made.query(`ALTER DATABASE ${made.name} OWNER TO ${scene.owner}`);
    return made;
  }

  it('is publications and large objects of the source, with their owners and privileges', async () => {
    const source = await harness.database(`
      CREATE TABLE t (id int PRIMARY KEY, lo oid); CREATE TABLE u (id int);
      CREATE PUBLICATION of_t FOR TABLE t WITH (publish = 'insert, truncate');
      CREATE PUBLICATION all_of_it FOR ALL TABLES;
      SELECT lo_from_bytea(7001, ''), lo_from_bytea(7002, convert_to('canary', 'UTF8')); SELECT lo_create(n) FROM generate_series(8001, 8100) n;
      SELECT lo_from_bytea(9001, convert_to(repeat('0123456789', 60000), 'UTF8')); COMMENT ON LARGE OBJECT 9001 IS 'it''s large';
      ALTER LARGE OBJECT 9001 OWNER TO ${scene.owner}; GRANT SELECT ON LARGE OBJECT 7002 TO ${scene.owner};
      ALTER PUBLICATION of_t OWNER TO ${scene.owner}; INSERT INTO t VALUES (1, 7002)`);
    const old = await target();
    const chosen = {
      largeObjects: 'copy',
      publications: 'source',
      owners: 'source',
      privileges: 'source',
    } as const;
    const refused = await scene.replace({ source, target: old, command: chosen });
    const publication = { kind: 'publication', name: 'all_of_it' };
    expect(refused.failure?.problems).toMatchObject([{ code: 'superuser_objects', object: publication }]);
    const command = { ...chosen, jobId: 'job_2' };
    await source.query('DROP PUBLICATION all_of_it');
    const outcome = await scene.replace({ source, target: old, command });
    expect([outcome.failure, outcome.completed?.warnings]).toEqual([
      undefined,
      [{ code: 'owner_not_given', count: 104 }],
    ]);
    const read = async (database: TestDatabase) => {
      const { rows } = await database.query(`
        SELECT oid, md5(lo_get(oid)) AS content, obj_description(oid, 'pg_largeobject') AS comment, lomowner::regrole::text = '${scene.owner}' OR oid <> 9001 AS owner,
               lomacl::text LIKE '%${scene.owner}=r%' OR oid <> 7002 AS granted FROM pg_largeobject_metadata ORDER BY oid`);
      return rows;
    };
    expect(await read(old)).toEqual(await read(source));
    const published =
      'SELECT pubname, pubinsert, pubupdate, pubtruncate, pubowner::regrole::text AS owner, (SELECT array_agg(prrelid::regclass::text) FROM pg_publication_rel) AS tables FROM pg_publication p';
    expect((await old.query(published)).rows).toEqual((await source.query(published)).rows);
  });
});
