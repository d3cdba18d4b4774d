import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describeUnless, type TestDatabase } from '@understudy/testing';
import { SyncHarness } from '../../sync-harness.js';
import { type ReplaceScene, replaceScene } from '../replace-scene.js';
import { compareQueries } from './compare-queries.js';
import {
  type ApplicationSchema,
  PACKAGED,
  readPackaged,
  readSample,
  SAMPLE_SCHEMAS,
  whyNoPackages,
} from './application-schemas.js';
import { CANARY, fillTables } from './fill-tables.js';

const run = promisify(execFile);

jest.setTimeout(600_000); // downloads a package, and builds up to 180 tables twice

describeUnless(whyNoPackages())('a schema of an application, in a replaced database', () => {
  let harness: SyncHarness;
  let scene: ReplaceScene;
  let folder: string;
  let roles: { readonly owner: string; readonly reader: string };
  beforeAll(async () => {
    harness = await SyncHarness.start();
    scene = await replaceScene(harness);
    folder = mkdtempSync(join(tmpdir(), 'understudy-schemas-'));
    roles = { owner: `of_${scene.owner}`, reader: `reader_of_${scene.owner}` };
    const admin = await harness.database();
    await admin.query(
      `CREATE ROLE ${roles.owner}; CREATE ROLE ${roles.reader}; GRANT ${roles.owner} TO ${scene.agent}`,
    );
  });
  afterEach(() => harness.dropAll());
  afterAll(async () => {
    await harness.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs the scripts as the owner of a new database. psql continues after an error. */
  async function load({ before = '', after = '', ...schema }: ApplicationSchema): Promise<TestDatabase> {
    const sql = SAMPLE_SCHEMAS.some(({ name }) => name === schema.name)
      ? readSample(schema)
      : await readPackaged(schema, folder);
    const database = await harness.database();
    await database.query(`ALTER DATABASE ${database.name} OWNER TO ${roles.owner}`);
    const file = join(folder, `${schema.name}.sql`);
    writeFileSync(file, `SET ROLE ${roles.owner}; ${before};\n${sql};\n${after};\n`);
    const psql = join(harness.services.postgresBinFolder, 'psql');
    await run(psql, ['--no-psqlrc', '--quiet', `--dbname=${database.url}`, `--file=${file}`], {
      maxBuffer: 1 << 28,
    });
    await database.query(`
      GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${roles.reader};
      ALTER DEFAULT PRIVILEGES FOR ROLE ${roles.owner} IN SCHEMA public GRANT SELECT ON TABLES TO ${roles.reader}`);
    return database;
  }

  it.each(PACKAGED)('is complete: $name', arrivesComplete);
  for (const sample of SAMPLE_SCHEMAS)
    (existsSync(sample.file) ? it : it.skip)(`is complete: ${sample.name}`, () => arrivesComplete(sample));

  async function arrivesComplete(schema: ApplicationSchema): Promise<void> {
    const source = await load(schema);
    const { rules, empty } = await fillTables(source, PACKAGED.includes(schema));
    await source.query('ANALYZE');
    const target = await harness.database();
    await target.query(`ALTER DATABASE ${target.name} OWNER TO ${scene.owner}`);
    const first = await scene.replace({ source, target, rules });
    expect(first.failure).toBeUndefined();
    expect(await scene.definitions(target)).toBe(await scene.definitions(source));
    const { compared, unequal } = await compareQueries(source, target);
    expect(unequal).toEqual([]);
    process.stderr.write(
      `  ${Object.keys(rules).length} masked columns, ${compared} views and functions; without rows: ${empty.join()}\n`,
    );
    expect(await findCanaries(source)).toBeGreaterThan(50);
    expect(await findCanaries(target)).toBe(0);
    const command = { jobId: 'job_2', owners: 'source', privileges: 'source' } as const;
    const second = await scene.replace({ source, target, rules, command });
    expect(second.failure).toBeUndefined();
    expect(await scene.definitions(target, true)).toBe(await scene.definitions(source, true));
  }

  /** Counts the original values in the dump of a database, and in its statistics. */
  async function findCanaries(database: TestDatabase): Promise<number> {
    const pgDump = join(harness.services.postgresBinFolder, 'pg_dump');
    const { stdout } = await run(pgDump, [`--dbname=${database.url}`], { maxBuffer: 1 << 28 });
    const { rows } = await database.query(
      `SELECT count(*)::int AS n FROM pg_stats s WHERE s::text LIKE '%${CANARY}%'`,
    );
    return stdout.split(CANARY).length - 1 + Number(rows[0]?.['n']);
  }
});
