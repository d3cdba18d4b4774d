import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { databaseUrl } from '../load/load-script.js';
import { binaryEnvironment, type PostgresBinaries } from '@understudy/local-system';

/** Runs psql on the terminal of the caller. @returns the exit code of psql */
export function runPsql(
  { databasesUrl, binaries }: { databasesUrl: string; binaries: PostgresBinaries },
  database: string,
  args: readonly string[],
): Promise<number> {
  const psql = spawn(
    join(binaries.binFolder, 'psql'),
    ['-d', databaseUrl(databasesUrl, database, { password: false }), ...args],
    {
      stdio: 'inherit',
      env: {
        ...process.env,
        ...(binaries.libraryPath && binaryEnvironment(binaries)),
        PGPASSWORD: decodeURIComponent(new URL(databasesUrl).password),
      },
    },
  );
  const ignore = () => undefined; // Ctrl-C belongs to psql, where it cancels a query
  process.on('SIGINT', ignore);
  return new Promise((resolve, reject) => {
    psql.once('error', reject);
    psql.once('close', (code) => {
      process.off('SIGINT', ignore);
      resolve(code ?? 1);
    });
  });
}
