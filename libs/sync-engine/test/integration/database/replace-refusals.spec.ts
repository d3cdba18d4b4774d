import type { TestDatabase } from '@understudy/testing';
import { BuildDatabase } from '../../../src/database/build/build-database.js';
import { parseConnectionUrl } from '@understudy/postgres';
import { SyncHarness } from '../sync-harness.js';
import { it } from '@understudy/testing';
import { type ReplaceScene, replaceScene } from './replace-scene.js';

describe('a job that replaces a database', () => {
  let harness: SyncHarness;
  let scene: ReplaceScene;
  beforeAll(async () => {
    harness = await SyncHarness.start();
    scene = await replaceScene(harness);
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  async function target(): Promise<TestDatabase> {
    const made = await harness.targetDatabase();
    await made.query(`ALTER DATABASE ${made.name} OWNER TO ${scene.owner}`);
    return made;
  }

  it('refuses an extension that the server of the target does not have, and names those that need a superuser', async () => {
    const source = await harness.database(`
      CREATE TABLE t (id int); CREATE EXTENSION citext; CREATE EXTENSION hstore; CREATE EXTENSION file_fdw;
      UPDATE pg_extension SET extname = 'not_there' WHERE extname = 'hstore'`);
    const old = await target();
    for (const dryRun of [true, false]) {
      const { predicted, failure } = await scene.replace({ source, target: old, command: { dryRun } });
      const problems = (predicted?.failures ?? [failure]).flatMap((one) => one?.problems ?? []);
      expect(problems).toMatchObject([
        { code: 'superuser_objects', object: { kind: 'extension', name: 'file_fdw' } },
        { code: 'extension_unavailable', object: { kind: 'extension', name: 'not_there' } },
      ]);
    }
    const command = { skipObjects: ['extension not_there', 'extension file_fdw'] };
    const skipped = await scene.replace({ source, target: old, command });
    expect(new Set(skipped.completed?.warnings.map(({ code }) => code))).toEqual(new Set(['object_skipped']));
  });

  it('warns about an extension that the new database has in another version', async () => {
    const source = await harness.database(`
      CREATE TABLE t (id int); CREATE EXTENSION citext; CREATE EXTENSION hstore;
      UPDATE pg_extension SET extversion = '0.9' WHERE extname = 'citext'`);
    const old = await target();
    const warnings = [{ code: 'extension_version_differs', object: { kind: 'extension', name: 'citext' } }];
    const dry = await scene.replace({ source, target: old, command: { dryRun: true } });
    expect(dry.predicted).toMatchObject({ failures: [], warnings });
    const { failure, completed } = await scene.replace({ source, target: old });
    expect([failure, completed?.warnings]).toMatchObject([undefined, warnings]);
  });

  it.each(['owner', 'superuser'])(
    'leaves a database of the %s that has the name of the new one',
    async (role) => {
      const source = await harness.database('CREATE TABLE t (id int)');
      const old = await target();
      const command = harness.command(source.url, scene.agentUrl(old), {});
      const agent = parseConnectionUrl(scene.agentUrl(old));
      const { name } = new BuildDatabase(undefined as never, command, agent, agent);
      await old.query(`CREATE DATABASE ${name}`);
      if (role === 'owner') await old.query(`ALTER DATABASE ${name} OWNER TO ${scene.owner}`);
      const { failure } = await scene.replace({ source, target: old });
      expect(failure).toMatchObject({ code: 'build_database_taken', side: 'target' });
      expect((await old.query('SELECT FROM pg_database WHERE datname = $1', [name])).rows).toHaveLength(1);
      await old.query(`DROP DATABASE ${name}`);
    },
  );
});
