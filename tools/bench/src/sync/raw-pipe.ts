import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * The peer: `psql -c 'COPY wide TO STDOUT' | psql -c 'COPY wide FROM STDIN'`, joined by the kernel's own pipe.
 * @returns milliseconds from start to both processes' end; throws when either fails
 */
export async function rawPipe(psql: string, sourceUrl: string, targetUrl: string): Promise<number> {
  const started = performance.now();
  const script =
    '"$1" -qX "$2" -c "COPY wide TO STDOUT" | "$1" -qX -v ON_ERROR_STOP=1 "$3" -c "COPY wide FROM STDIN"';
  const child = spawn('bash', ['-o', 'pipefail', '-c', script, 'raw-pipe', psql, sourceUrl, targetUrl], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`psql | psql ended with exit code ${String(code)}`);
  return performance.now() - started;
}
