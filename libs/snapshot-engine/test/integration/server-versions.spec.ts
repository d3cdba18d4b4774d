import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase, postgresVersions, type TestDatabase } from '@understudy/testing';
import { dumpedRows, plainDump } from './dump.js';
import { SnapshotHarness } from './snapshot-harness.js';

/* Restores snapshots on the server for targets, which environment variables can set to another version of PostgreSQL. */

const EVERYTHING = join(import.meta.dirname, '../../../sync-engine/test/integration/everything-schema');
const FILES = readdirSync(EVERYTHING)
  .filter((name) => name.endsWith('.sql'))
  .sort();
const VERSIONS = postgresVersions();

let harness: SnapshotHarness;
let target: TestDatabase;
beforeAll(async () => {
  harness = await SnapshotHarness.start();
  target = await createTestDatabase(harness.targetServer);
});
afterAll(() => harness.stop());

/** Returns the first major version of PostgreSQL that can run a file. */
function sinceOf(file: string): number {
  return Number(/since-(\d+)/.exec(file)?.[1] ?? 0);
}

async function filled(files: readonly string[]): Promise<TestDatabase> {
  const database = await harness.database();
  for (const file of files) await database.query(readFileSync(join(EVERYTHING, file), 'utf8'));
  return database;
}

/** Returns the names of all objects in a dump, without those of the database. */
function objectsOf(dump: string): readonly string[] {
  return [...dump.matchAll(/^-- Name: .*; Type: .*; Schema: (?!-).*$/gm)].map(([line]) => line).sort();
}

const isOlder = VERSIONS.target < VERSIONS.source;

(isOlder ? it.skip : it)('restores all rows and objects into a new database', async () => {
  const bin = harness.services.postgresBinFolder;
  const source = await filled(FILES.filter((file) => sinceOf(file) <= VERSIONS.source));
  const { command, result } = await harness.snapshotOf(source.url);
  const url = `${harness.targetServer}/restored`;
  const { failure } = await harness.restore(harness.restoration(url, command, result));
  expect(failure).toBeUndefined();
  const [before, after] = [await plainDump(bin, source.url), await plainDump(bin, url)];
  expect(Object.keys(dumpedRows(before))).not.toEqual([]);
  expect(dumpedRows(after)).toEqual(dumpedRows(before));
  expect(objectsOf(after)).toEqual(objectsOf(before));
});

(isOlder ? it : it.skip)('refuses to restore on an older server, and leaves no database there', async () => {
  const { command, result } = await harness.snapshotOf((await harness.database()).url);
  const url = `${harness.targetServer}/refused`;
  const { failure } = await harness.restore(harness.restoration(url, command, result));
  expect(failure).toEqual({ code: 'target_server_older', side: 'target' });
  const { rows } = await target.query(
    "SELECT datname FROM pg_database WHERE datname = 'refused' OR datname LIKE '%understudy%'",
  );
  expect(rows).toEqual([]);
});
