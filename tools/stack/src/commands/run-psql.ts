import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { databaseUrl } from '../load/load-script.js';
import { binaryEnvironment, type PostgresBinaries } from '../provision/service-binaries.js';

/** Runs psql on the caller's terminal. @returns its exit code */
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
  const ignore = () => undefined; // Ctrl-C is psql's: it cancels a query there
  process.on('SIGINT', ignore);
  return new Promise((resolve, reject) => {
    psql.once('error', reject);
    psql.once('close', (code) => {
      process.off('SIGINT', ignore);
      resolve(code ?? 1);
    });
  });
}
