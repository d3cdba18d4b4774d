import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestDatabase } from '@understudy/testing';
import type { SyncHarness } from '../sync-harness.js';

/** A database with all that the SQL files of this folder make. */
export async function everythingDatabase(harness: SyncHarness): Promise<TestDatabase> {
  const database = await harness.database();
  const { rows } = await database.query("SELECT current_setting('server_version_num')::int / 10000 AS major");
  for (const { file, since } of sqlFiles()) {
    if (Number(rows[0]?.['major']) >= since) {
      await database.query(readFileSync(join(import.meta.dirname, file), 'utf8'));
    }
  }
  return database;
}

/** Names of its tables as SQL spells them; partitions come with their parents. */
export async function tablesOf(database: TestDatabase): Promise<readonly string[]> {
  const { rows } = await database.query(`
    SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
     ORDER BY c.oid`);
  return rows.map(({ name }) => String(name));
}

function sqlFiles(): readonly { file: string; since: number }[] {
  return readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((file) => ({ file, since: Number(/since-(\d+)/.exec(file)?.[1] ?? 0) }));
}
