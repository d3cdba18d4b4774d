import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { makeDatabase } from '../sync/wide-table.js';
import { timeProgram } from '../time-program.js';

/** Runs `pg_dump -Fd -j2` into a folder. A run without `options` is compared with taking a snapshot. */
export async function plainDump(url: string, folder: string, options: readonly string[] = []) {
  rmSync(folder, { recursive: true, force: true });
  const ms = await timeProgram('pg_dump', ['-Fd', '-j2', ...options, '-f', folder, `--dbname=${url}`]);
  const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  return { ms, bytes };
}

/** Runs `createdb` and `pg_restore -j2` on a folder that pg_dump wrote. @returns milliseconds */
export async function plainRestore(server: string, database: string, folder: string): Promise<number> {
  const started = performance.now();
  await makeDatabase(server, database);
  await timeProgram('pg_restore', [
    '-Fd',
    '-j2',
    '--exit-on-error',
    `--dbname=${server}/${database}`,
    folder,
  ]);
  return performance.now() - started;
}
