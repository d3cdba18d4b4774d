import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { postgresVersions, type TestDatabase } from '@understudy/testing';

/**
 * Runs the SQL files of this folder. Skips a file if the source or the target has an older PostgreSQL version
 * than the file needs.
 */
export async function fillWithEverything(database: TestDatabase): Promise<TestDatabase> {
  const { source, target } = postgresVersions();
  for (const { sql, since } of sqlFiles()) if (Math.min(source, target) >= since) await database.query(sql());
  return database;
}

/** Returns the quoted names of the database's tables, without partitions. */
export async function tablesOf(database: TestDatabase): Promise<readonly string[]> {
  const { rows } = await database.query(`
    SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
     ORDER BY c.oid`);
  return rows.map(({ name }) => String(name));
}

/** Lists the SQL files of this folder, and the first major version of PostgreSQL that can run each of them. */
export function sqlFiles(): readonly { sql: () => string; since: number }[] {
  return readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((file) => ({
      sql: () => readFileSync(join(import.meta.dirname, file), 'utf8'),
      since: Number(/since-(\d+)/.exec(file)?.[1] ?? 0),
    }));
}
