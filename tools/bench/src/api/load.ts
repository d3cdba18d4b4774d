import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

import { log } from '../bench-environment.js';
import { ratios, type Summary, summaryOf } from '../summary.js';

export interface Route<Name extends string = string> {
  readonly name: Name;
  readonly url: string;
  /** Sent as a bearer token. Without it, no header is sent. */
  readonly token?: string;
  /** Posted as JSON. Without it, the request is a GET. */
  readonly body?: unknown;
}

export interface LoadOptions {
  readonly rounds: number;
  readonly connections: number;
  /** Duration of each run. */
  readonly seconds: number;
}

export interface RouteResult<Name extends string = string> {
  readonly name: Name;
  readonly requests_per_second: Summary;
  readonly p50_ms: Summary;
  readonly p99_ms: Summary;
}

type LoadResult = Awaited<ReturnType<typeof load>>;

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
const WARM_UP_S = 3;

/**
 * Measures the routes under the same load, one after another in each round. Each route is warmed up before
 * the first round.
 */
export async function loadInTurn<Name extends string>(
  routes: readonly Route<Name>[],
  { rounds, connections, seconds }: LoadOptions,
): Promise<{ results: RouteResult<Name>[]; ratio: (above: Name, below: Name) => Summary }> {
  const measured = new Map<Name, LoadResult[]>(routes.map(({ name }) => [name, []]));
  for (const route of routes) await load(route, connections, WARM_UP_S);
  for (let round = 1; round <= rounds; round++)
    for (const route of routes) {
      const result = await load(route, connections, seconds);
      measured.get(route.name)?.push(result);
      log(
        `round ${round}: ${route.name} ${Math.round(result.requestsPerSecond)} requests/s, p99 ${result.p99Ms} ms`,
      );
    }
  const valuesOf = (name: Name, key: keyof LoadResult) => (measured.get(name) ?? []).map((one) => one[key]);
  return {
    results: routes.map(({ name }) => ({
      name,
      requests_per_second: summaryOf(valuesOf(name, 'requestsPerSecond')),
      p50_ms: summaryOf(valuesOf(name, 'p50Ms')),
      p99_ms: summaryOf(valuesOf(name, 'p99Ms')),
    })),
    ratio: (above, below) =>
      ratios(valuesOf(above, 'requestsPerSecond'), valuesOf(below, 'requestsPerSecond')),
  };
}

/** @param width width of the column with the names */
export function describeRoute(
  { name, requests_per_second, p50_ms, p99_ms }: RouteResult,
  width: number,
): string {
  return `${name.padEnd(width)} ${Math.round(requests_per_second.median)} requests/s, p50 ${p50_ms.median} ms, p99 ${p99_ms.median} ms`;
}

/** Runs autocannon in its own process. @throws Error if a response was not a success */
async function load({ url, token, body }: Route, connections: number, seconds: number) {
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
      `expected only successes from ${new URL(url).pathname}, received ${result.non2xx} other responses and ${result.errors} errors`,
    );
  return {
    requestsPerSecond: result['2xx'] / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  };
}
