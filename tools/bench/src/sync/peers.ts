import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { binaryEnvironment, type ServerBinary } from '@understudy/local-system';

import { withFolder } from '../bench-environment.js';
import { timeProgram } from '../time-program.js';

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
  return withFolder('pgcopydb', (folder) =>
    timeProgram(
      pgcopydb.path,
      [
        ...['clone', '--dir', join(folder, 'work'), '--no-owner', '--no-acl', '--skip-large-objects'],
        ...['--table-jobs', jobs, '--index-jobs', jobs, '--split-tables-larger-than', '64 MB'],
      ],
      {
        ...binaryEnvironment(pgcopydb),
        PGCOPYDB_SOURCE_PGURI: sourceUrl,
        PGCOPYDB_TARGET_PGURI: targetUrl,
      },
    ),
  );
}

/**
 * Runs the first peer, `psql -c 'COPY wide TO STDOUT'` piped into `psql -c 'COPY wide FROM STDIN'` by the
 * kernel.
 * @returns the duration in milliseconds until both processes have ended
 * @throws Error if either process fails
 */
export function rawPipe(sourceUrl: string, targetUrl: string): Promise<number> {
  const script =
    'psql -qX "$1" -c "COPY wide TO STDOUT" | psql -qX -v ON_ERROR_STOP=1 "$2" -c "COPY wide FROM STDIN"';
  return timeProgram('bash', ['-o', 'pipefail', '-c', script, 'raw-pipe', sourceUrl, targetUrl]);
}
