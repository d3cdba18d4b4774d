import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestDatabase } from '@understudy/testing';
import { plainDump } from './dump.js';
import { SnapshotHarness } from './snapshot-harness.js';

const DATA = join(import.meta.dirname, '../../../../../shared/data');
const EVERYTHING = join(import.meta.dirname, '../../../sync-engine/test/integration/everything-schema');

const SAMPLES = [
  { name: 'Chinook', files: [join(DATA, 'chinook/Chinook_PostgreSql.sql')] },
  { name: 'Northwind', files: [join(DATA, 'northwind/northwind.sql')] },
  {
    name: 'every kind of schema object',
    files: readdirSync(EVERYTHING)
      .filter((name) => name.endsWith('.sql'))
      .sort()
      .map((name) => join(EVERYTHING, name)),
  },
];

/** Reads a script and omits psql commands and the statements that drop and create its database. */
function readScript(file: string): string {
  return readFileSync(file, 'utf8').replace(/^(\\c .*|(DROP|CREATE) DATABASE .*)$/gm, '');
}

let harness: SnapshotHarness;
beforeAll(async () => {
  harness = await SnapshotHarness.start();
});
afterAll(() => harness.stop());

async function sampleDatabase(files: readonly string[]): Promise<TestDatabase> {
  const database = await harness.database();
  const { rows } = await database.query("SELECT current_setting('server_version_num')::int / 10000 AS major");
  for (const file of files) {
    const since = Number(/since-(\d+)/.exec(file)?.[1] ?? 0);
    if (Number(rows[0]?.['major']) >= since) await database.query(readScript(file));
  }
  return database;
}

describe.each(SAMPLES)('a snapshot of $name', ({ files }) => {
  const itThere = files.every((file) => existsSync(file)) ? it : it.skip;

  itThere('restores an identical database after everything was dropped', async () => {
    const bin = harness.services.postgresBinFolder;
    const source = await sampleDatabase(files);
    const before = await plainDump(bin, source.url);
    const { command, result } = await harness.snapshotOf(source.url);
    expect(result.sizeBytes).toBeGreaterThan(0);
    expect(result.tableCount).toBe(result.tables.length);
    const admin = await harness.admin();
    await admin.query(`DROP DATABASE ${source.name} WITH (FORCE)`);
    const { failure } = await harness.restore(harness.restoration(source.url, command, result));
    expect(failure).toBeUndefined();
    expect(await plainDump(bin, source.url)).toBe(before);
    expect(harness.left.working).toEqual([]);
    expect(await harness.restoreDatabases()).toEqual([]);
  });
});
