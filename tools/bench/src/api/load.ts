import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

import { say } from '../bench-environment.js';
import { ratios, type Spread, spreadOf } from '../spread.js';

export interface Route<Name extends string = string> {
  readonly name: Name;
  readonly url: string;
  /** Sent as a bearer token; none without. */
  readonly token?: string;
  /** Posted as JSON; a GET without. */
  readonly body?: unknown;
}

export interface LoadOptions {
  readonly rounds: number;
  readonly connections: number;
  /** Of each run. */
  readonly seconds: number;
}

export interface RouteResult<Name extends string = string> {
  readonly name: Name;
  readonly requests_per_second: Spread;
  readonly p50_ms: Spread;
  readonly p99_ms: Spread;
}

interface LoadResult {
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
const WARM_UP_S = 3;

/** Puts the routes under the same load in turn, round by round, each warm before the first round. */
export async function loadInTurn<Name extends string>(
  routes: readonly Route<Name>[],
  { rounds, connections, seconds }: LoadOptions,
): Promise<{ results: RouteResult<Name>[]; ratio: (above: Name, below: Name) => Spread }> {
  const measured = new Map<Name, LoadResult[]>(routes.map(({ name }) => [name, []]));
  for (const route of routes) await load(route, connections, WARM_UP_S);
  for (let round = 1; round <= rounds; round++)
    for (const route of routes) {
      const result = await load(route, connections, seconds);
      measured.get(route.name)?.push(result);
      say(
        `round ${round}: ${route.name} ${Math.round(result.requestsPerSecond)} requests/s, p99 ${result.p99Ms} ms`,
      );
    }
  const valuesOf = (name: Name, key: keyof LoadResult) => (measured.get(name) ?? []).map((one) => one[key]);
  return {
    results: routes.map(({ name }) => ({
      name,
      requests_per_second: spreadOf(valuesOf(name, 'requestsPerSecond')),
      p50_ms: spreadOf(valuesOf(name, 'p50Ms')),
      p99_ms: spreadOf(valuesOf(name, 'p99Ms')),
    })),
    ratio: (above, below) =>
      ratios(valuesOf(above, 'requestsPerSecond'), valuesOf(below, 'requestsPerSecond')),
  };
}

/** @param width of the column of names */
export function describeRoute(
  { name, requests_per_second, p50_ms, p99_ms }: RouteResult,
  width: number,
): string {
  return `${name.padEnd(width)} ${Math.round(requests_per_second.median)} requests/s, p50 ${p50_ms.median} ms, p99 ${p99_ms.median} ms`;
}

/** autocannon in a process of its own. Throws when any answer was not a success. */
async function load({ url, token, body }: Route, connections: number, seconds: number): Promise<LoadResult> {
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
