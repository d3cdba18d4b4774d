import { join } from 'node:path';

import type { StackInfo } from '@understudy/stack';

import { describeRoute, type LoadOptions, loadInTurn } from './load.js';
import { forkServer } from './peer-process.js';

/**
 * Settings of the control plane: limits of the plan `business` that the load never reaches. The control plane
 * still counts each request against these limits.
 */
export const API_BENCH_SETTINGS = {
  UNDERSTUDY_PLAN_LIMITS: JSON.stringify({
    business: { requests_per_minute: 100_000_000, api_calls: 1_000_000_000 },
  }),
};

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

/**
 * Measures the routes of the control plane and of the peer server in turn, under the same load on the same
 * cores.
 */
export async function benchApi(stack: StackInfo, { rounds, connections, seconds }: LoadOptions) {
  const token = stack.api_token;
  const models = `${stack.base_url}/models`;
  const page = await (await fetch(models, { headers: { authorization: `Bearer ${token}` } })).text();
  const peer = await forkServer(join(import.meta.dirname, 'peer-server.js'), {
    page: JSON.parse(page) as unknown,
    databaseUrl: stack.control_db_url,
  });
  try {
    const { results, ratio } = await loadInTurn(
      [
        { name: 'bare', url: `${peer.url}/bare`, token },
        { name: 'pg', url: `${peer.url}/pg`, token },
        { name: 'api', url: models, token },
        { name: 'generate', url: `${stack.base_url}/generate`, token, body: ONE_RECORD },
      ],
      { rounds, connections, seconds },
    );
    return {
      rounds,
      connections,
      seconds,
      page_bytes: Buffer.byteLength(page),
      /**
       * The measured routes. `bare` is a Fastify route of the peer server. `pg` is a route of the same server
       * that also looks up the token in PostgreSQL. `api` and `generate` are routes of the control plane: GET
       * /v1/models, and POST /v1/generate for one record.
       */
      routes: results,
      /**
       * Requests per second of `api` divided by those of `pg` in the same round. `ratio_to_bare` divides by those
       * of `bare`.
       */
      ratio_to_pg: ratio('api', 'pg'),
      ratio_to_bare: ratio('api', 'bare'),
    };
  } finally {
    peer.stop();
  }
}

/** Describes the result as text for a terminal. */
export function describeApiResult(result: Awaited<ReturnType<typeof benchApi>>): string {
  const { ratio_to_pg: pg, ratio_to_bare: bare } = result;
  return [
    `medians of ${result.rounds} rounds, measured in turn, ${result.connections} connections`,
    ...result.routes.map((route) => describeRoute(route, 9)),
    `GET /v1/models: ${pg.median.toFixed(2)} × Fastify + pg (${pg.min.toFixed(2)}–${pg.max.toFixed(2)}), ${bare.median.toFixed(2)} × bare Fastify`,
  ].join('\n');
}
