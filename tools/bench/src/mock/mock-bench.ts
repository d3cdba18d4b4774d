import { join } from 'node:path';

import type { StackInfo } from '@understudy/stack';

import { forkServer } from '../api/peer-process.js';
import { describeRoute, type LoadOptions, loadInTurn } from '../api/load.js';
import { log } from '../bench-environment.js';
import { formatFixed } from '../format.js';
import { personSchema } from '../generate/schemas/person-schema.js';
import type { Summary } from '../summary.js';
import { installPeers, startJsonServer, startPrism } from './packaged-peers.js';
import { personsDocument } from './persons-document.js';

const RECORDS = 10;

/**
 * Measures a mock endpoint and its peers in turn, under the same load on the same cores. Each response has 10
 * records with six fields.
 */
export async function benchMock(
  stack: StackInfo,
  folder: string,
  { rounds, connections, seconds }: LoadOptions,
) {
  log('installing the peers');
  await installPeers(folder);
  const url = await makeEndpoint(stack);
  const body = await (await fetch(url)).text();
  const schema = personSchema('lists');
  const { first_name: first, last_name: last } = schema.generators as Record<string, { values?: unknown }>;
  const bare = { firstNames: first?.values, lastNames: last?.values, records: RECORDS };
  const peers = {
    prism: await startPrism(folder, personsDocument(RECORDS)),
    'json-server': await startJsonServer(folder, JSON.parse(body)),
    fastify: await forkServer(join(import.meta.dirname, 'bare-server.js'), bare),
  };
  try {
    const { results, ratio } = await loadInTurn(
      [
        { name: 'mock', url },
        { name: 'seeded', url: `${url}?seed=1` },
        { name: 'prism', url: peers.prism.url },
        { name: 'json-server', url: peers['json-server'].url },
        { name: 'fastify', url: peers.fastify.url },
      ],
      { rounds, connections, seconds },
    );
    return {
      rounds,
      connections,
      seconds,
      records: RECORDS,
      answer_bytes: Buffer.byteLength(body),
      /**
       * The contenders. `mock` is an endpoint of the control plane that generates new data for each response.
       * `seeded` is the same endpoint with `?seed=`. `prism` generates each response from a JSON Schema of the
       * same fields. `json-server` always returns the same records, which it reads from a file. `fastify` is a
       * bare route that builds records with the same fields.
       */
      contenders: results,
      /** Calls of the mock endpoint per second divided by those of the peer, in each round. */
      ratio_to_prism: ratio('mock', 'prism'),
      ratio_to_json_server: ratio('mock', 'json-server'),
      ratio_to_fastify: ratio('mock', 'fastify'),
    };
  } finally {
    for (const peer of Object.values(peers)) peer.stop();
  }
}

/** Creates the mock endpoint. @returns its URL */
async function makeEndpoint(stack: StackInfo): Promise<string> {
  const response = await fetch(`${stack.base_url}/mock/endpoints`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.api_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      path: '/persons',
      method: 'GET',
      schema: personSchema('lists'),
      response: { count: RECORDS },
    }),
  });
  if (response.status !== 201)
    throw new Error(`expected a mock endpoint to be created, received: ${await response.text()}`);
  const { data } = (await response.json()) as { data: { url: string } };
  return data.url;
}

/** Describes the result as text for a terminal. */
export function describeMockResult(result: Awaited<ReturnType<typeof benchMock>>): string {
  const times = (summary: Summary) => formatFixed(summary, 2, ' ×');
  return [
    `${result.records} records of six fields, ${result.answer_bytes} bytes; medians of ${result.rounds} rounds, measured in turn, ${result.connections} connections`,
    ...result.contenders.map((contender) => describeRoute(contender, 12)),
    `mock endpoint: ${times(result.ratio_to_prism)} prism, ${times(result.ratio_to_json_server)} json-server, ${times(result.ratio_to_fastify)} bare Fastify`,
  ].join('\n');
}
