import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { binaryEnvironment, type ServerBinary } from '@understudy/stack';

import { withFolder } from '../bench-environment.js';

/**
 * The other peer: `pgcopydb clone` of a whole database, as many jobs as cores, large tables split.
 * @returns milliseconds from start to end; throws with the end of what it said when it fails
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
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => (said = (said + text.toString()).slice(-2_000)));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`pgcopydb ended with exit code ${String(code)}:\n${said}`);
    return performance.now() - started;
  });
}

/**
 * The peer: `psql -c 'COPY wide TO STDOUT' | psql -c 'COPY wide FROM STDIN'`, joined by the kernel's own pipe.
 * @returns milliseconds from start to both processes' end; throws when either fails
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
