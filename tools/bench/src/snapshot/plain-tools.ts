import { execFile } from 'node:child_process';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { makeDatabase } from '../sync/wide-table.js';

const run = promisify(execFile);

export interface PlainRun {
  readonly ms: number;
  readonly bytes: number;
}

/** Runs `pg_dump -Fd -j2` into a folder. A run without `options` is compared with taking a snapshot. */
export async function plainDump(
  url: string,
  folder: string,
  options: readonly string[] = [],
): Promise<PlainRun> {
  rmSync(folder, { recursive: true, force: true });
  const started = performance.now();
  await run('pg_dump', ['-Fd', '-j2', ...options, '-f', folder, `--dbname=${url}`]);
  const ms = performance.now() - started;
  const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  return { ms, bytes };
}

/** Runs `createdb` and `pg_restore -j2` on a folder that pg_dump wrote. @returns milliseconds */
export async function plainRestore(server: string, database: string, folder: string): Promise<number> {
  const started = performance.now();
  await makeDatabase(server, database);
  await run('pg_restore', ['-Fd', '-j2', '--exit-on-error', `--dbname=${server}/${database}`, folder]);
  return performance.now() - started;
}
