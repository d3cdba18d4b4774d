import type { StackInfo } from '@understudy/stack';

import { ratios, type Spread, spreadOf } from '../spread.js';
import { load, type LoadResult } from './load.js';
import { startPeer } from './peer-process.js';

export interface RouteResult {
  readonly name: 'bare' | 'pg' | 'api' | 'generate';
  readonly requests_per_second: Spread;
  readonly p50_ms: Spread;
  readonly p99_ms: Spread;
}

export interface ApiBenchResult {
  readonly rounds: number;
  readonly connections: number;
  readonly seconds: number;
  readonly page_bytes: number;
  /** `bare`: a Fastify route · `pg`: the same, after the token was found in Postgres · `api`: GET /v1/models · `generate`: POST /v1/generate of one record */
  readonly routes: readonly RouteResult[];
  /** Of each round: GET /v1/models over the Fastify + pg route, and over the bare one. */
  readonly ratio_to_pg: Spread;
  readonly ratio_to_bare: Spread;
}

export interface ApiBenchOptions {
  readonly rounds: number;
  readonly connections: number;
  readonly seconds: number;
  readonly say: (text: string) => void;
}

/** What the control plane needs to be told, so that the plan's limits are counted and never reached. */
export const API_BENCH_SETTINGS = {
  UNDERSTUDY_PLAN_LIMITS: JSON.stringify({
    business: { requests_per_minute: 100_000_000, api_calls: 1_000_000_000 },
  }),
};

const WARM_UP_S = 3;
const ONE_RECORD = {
  schema: {
    generators: {
      id: { type: 'svc', algorithm: 'uuid_v4' },
      first_name: { type: 'model', source: 'en_US/first_names' },
    },
    output: ['id', 'first_name'],
  },
  count: 1,
};

/** The control plane beside a bare Fastify and one with a query, in turn, under the same load on the same cores. */
export async function benchApi(
  stack: StackInfo,
  { rounds, connections, seconds, say }: ApiBenchOptions,
): Promise<ApiBenchResult> {
  const token = stack.api_token;
  const models = `${stack.base_url}/models`;
  const page = await (await fetch(models, { headers: { authorization: `Bearer ${token}` } })).text();
  const peer = await startPeer(JSON.parse(page), stack.control_db_url);
  try {
    const routes = [
      { name: 'bare', url: `${peer.url}/bare` },
      { name: 'pg', url: `${peer.url}/pg` },
      { name: 'api', url: models },
      { name: 'generate', url: `${stack.base_url}/generate`, body: ONE_RECORD },
    ] as const;
    const measured = new Map<string, LoadResult[]>(routes.map(({ name }) => [name, []]));
    for (const route of routes) await load({ ...route, token, connections, seconds: WARM_UP_S });
    for (let round = 1; round <= rounds; round++)
      for (const route of routes) {
        const result = await load({ ...route, token, connections, seconds });
        measured.get(route.name)?.push(result);
        say(
          `round ${round}: ${route.name} ${Math.round(result.requestsPerSecond)} requests/s, p99 ${result.p99Ms} ms`,
        );
      }
    const perSecond = (name: string) => (measured.get(name) ?? []).map((one) => one.requestsPerSecond);
    return {
      rounds,
      connections,
      seconds,
      page_bytes: Buffer.byteLength(page),
      routes: routes.map(({ name }) => ({
        name,
        requests_per_second: spreadOf(perSecond(name)),
        p50_ms: spreadOf((measured.get(name) ?? []).map((one) => one.p50Ms)),
        p99_ms: spreadOf((measured.get(name) ?? []).map((one) => one.p99Ms)),
      })),
      ratio_to_pg: ratios(perSecond('api'), perSecond('pg')),
      ratio_to_bare: ratios(perSecond('api'), perSecond('bare')),
    };
  } finally {
    peer.stop();
  }
}

/** The result as text for a terminal. */
export function describeApiResult(result: ApiBenchResult): string {
  const lines = result.routes.map(
    ({ name, requests_per_second, p50_ms, p99_ms }) =>
      `${name.padEnd(9)} ${Math.round(requests_per_second.median)} requests/s, p50 ${p50_ms.median} ms, p99 ${p99_ms.median} ms`,
  );
  const { ratio_to_pg: pg, ratio_to_bare: bare } = result;
  return [
    `medians of ${result.rounds} rounds in turn, ${result.connections} connections`,
    ...lines,
    `GET /v1/models: ${pg.median.toFixed(2)} × Fastify + pg (${pg.min.toFixed(2)}–${pg.max.toFixed(2)}), ${bare.median.toFixed(2)} × bare Fastify`,
  ].join('\n');
}
