import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { binaryEnvironment, type ServerBinary } from '@understudy/local-system';

import { withFolder } from '../bench-environment.js';

/**
 * Runs the second peer, `pgcopydb clone` of a whole database. pgcopydb uses as many table jobs and index jobs
 * as there are cores, and splits tables larger than 64 MB.
 * @returns the duration in milliseconds
 * @throws Error with the end of the error output if pgcopydb fails
 */
export async function pgcopydbClone(
  pgcopydb: ServerBinary,
  sourceUrl: string,
  targetUrl: string,
): Promise<number> {
  const jobs = String(availableParallelism());
  return withFolder('pgcopydb', async (folder) => {
    const started = performance.now();
    const child = spawn(
      pgcopydb.path,
      [
        ...['clone', '--dir', join(folder, 'work'), '--no-owner', '--no-acl', '--skip-large-objects'],
        ...['--table-jobs', jobs, '--index-jobs', jobs, '--split-tables-larger-than', '64 MB'],
      ],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          ...binaryEnvironment(pgcopydb),
          PGCOPYDB_SOURCE_PGURI: sourceUrl,
          PGCOPYDB_TARGET_PGURI: targetUrl,
        },
      },
    );
    let errors = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => (errors = (errors + text.toString()).slice(-2_000)));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`pgcopydb ended with exit code ${String(code)}:\n${errors}`);
    return performance.now() - started;
  });
}

/**
 * Runs the first peer, `psql -c 'COPY wide TO STDOUT'` piped into `psql -c 'COPY wide FROM STDIN'` by the
 * kernel.
 * @returns the duration in milliseconds until both processes have ended
 * @throws Error if either process fails
 */
export async function rawPipe(sourceUrl: string, targetUrl: string): Promise<number> {
  const started = performance.now();
  const script =
    'psql -qX "$1" -c "COPY wide TO STDOUT" | psql -qX -v ON_ERROR_STOP=1 "$2" -c "COPY wide FROM STDIN"';
  const child = spawn('bash', ['-o', 'pipefail', '-c', script, 'raw-pipe', sourceUrl, targetUrl], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`psql | psql ended with exit code ${String(code)}`);
  return performance.now() - started;
}
