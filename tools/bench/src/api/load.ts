import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

export interface LoadOptions {
  readonly url: string;
  /** Sent as a bearer token; none without. */
  readonly token?: string;
  readonly connections: number;
  readonly seconds: number;
  /** Posted as JSON; a GET without. */
  readonly body?: unknown;
}

export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

interface AutocannonResult {
  readonly requests: { readonly total: number };
  readonly duration: number;
  readonly latency: { readonly p50: number; readonly p99: number };
  readonly '2xx': number;
  readonly non2xx: number;
  readonly errors: number;
}

const AUTOCANNON = createRequire(import.meta.url).resolve('autocannon/autocannon.js');
const run = promisify(execFile);

/** autocannon in a process of its own. Throws when any answer was not a success. */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const { url, token, connections, seconds, body } = options;
  const headers = [
    ...(token ? [`authorization=Bearer ${token}`] : []),
    ...(body ? ['content-type=application/json'] : []),
  ];
  const args = [
    ...['--json', '--no-progress', '-c', String(connections), '-d', String(seconds)],
    ...headers.flatMap((header) => ['-H', header]),
    ...(body ? ['-m', 'POST', '-b', JSON.stringify(body)] : []),
    url,
  ];
  const { stdout } = await run(process.execPath, [AUTOCANNON, ...args], { maxBuffer: 16 * 2 ** 20 });
  const result = JSON.parse(stdout) as AutocannonResult;
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(
      `expected successes alone from ${new URL(url).pathname}, got ${result.non2xx} refusals and ${result.errors} errors`,
    );
  return {
    requestsPerSecond: result['2xx'] / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  };
}
