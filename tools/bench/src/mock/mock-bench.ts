import { join } from 'node:path';

import type { StackInfo } from '@understudy/stack';

import { forkServer } from '../api/peer-process.js';
import { load, type LoadResult } from '../api/load.js';
import { personSchema } from '../generate/schemas/person-schema.js';
import { ratios, type Spread, spreadOf } from '../spread.js';
import { installPeers, startJsonServer, startPrism } from './packaged-peers.js';
import { personsDocument } from './persons-document.js';

const NAMES = ['mock', 'seeded', 'prism', 'json-server', 'fastify'] as const;
type Name = (typeof NAMES)[number];

export interface MockContender {
  readonly name: Name;
  readonly requests_per_second: Spread;
  readonly p50_ms: Spread;
  readonly p99_ms: Spread;
}

export interface MockBenchResult {
  readonly rounds: number;
  readonly connections: number;
  readonly seconds: number;
  readonly records: number;
  readonly answer_bytes: number;
  /**
   * `mock`: an endpoint of the control plane, new data each time · `seeded`: the same with `?seed=` · `prism`: dynamic, from a
   * JSON Schema of the same fields · `json-server`: the same records from a file each time · `fastify`: a bare route that
   * builds such records
   */
  readonly contenders: readonly MockContender[];
  /** Of each round: calls of the mock endpoint over those of the peer. */
  readonly ratio_to_prism: Spread;
  readonly ratio_to_json_server: Spread;
  readonly ratio_to_fastify: Spread;
}

export interface MockBenchOptions {
  readonly rounds: number;
  readonly connections: number;
  readonly seconds: number;
  /** For the peers' packages. */
  readonly folder: string;
  readonly say: (text: string) => void;
}

const RECORDS = 10;
const WARM_UP_S = 3;

/** A mock endpoint of 10 records with six fields beside other ways to have one, in turn, under the same load on the same cores. */
export async function benchMock(stack: StackInfo, options: MockBenchOptions): Promise<MockBenchResult> {
  const { folder, rounds, connections, seconds, say } = options;
  say('installs the peers');
  await installPeers(folder);
  const url = await makeEndpoint(stack);
  const answer = await (await fetch(url)).text();
  const schema = personSchema('lists');
  const { first_name: first, last_name: last } = schema.generators as Record<string, { values?: unknown }>;
  const bare = { firstNames: first?.values, lastNames: last?.values, records: RECORDS };
  const peers = {
    prism: await startPrism(folder, personsDocument(RECORDS)),
    'json-server': await startJsonServer(folder, JSON.parse(answer)),
    fastify: await forkServer(join(import.meta.dirname, 'bare-server.js'), bare),
  };
  try {
    const urls: Record<Name, string> = {
      mock: url,
      seeded: `${url}?seed=1`,
      prism: peers.prism.url,
      'json-server': peers['json-server'].url,
      fastify: peers.fastify.url,
    };
    const measured = await inTurn(urls, { rounds, connections, seconds, say });
    const perSecond = (name: Name) => measured[name].map((one) => one.requestsPerSecond);
    return {
      rounds,
      connections,
      seconds,
      records: RECORDS,
      answer_bytes: Buffer.byteLength(answer),
      contenders: NAMES.map((name) => ({
        name,
        requests_per_second: spreadOf(perSecond(name)),
        p50_ms: spreadOf(measured[name].map((one) => one.p50Ms)),
        p99_ms: spreadOf(measured[name].map((one) => one.p99Ms)),
      })),
      ratio_to_prism: ratios(perSecond('mock'), perSecond('prism')),
      ratio_to_json_server: ratios(perSecond('mock'), perSecond('json-server')),
      ratio_to_fastify: ratios(perSecond('mock'), perSecond('fastify')),
    };
  } finally {
    for (const peer of Object.values(peers)) peer.stop();
  }
}

async function inTurn(
  urls: Record<Name, string>,
  { rounds, connections, seconds, say }: Pick<MockBenchOptions, 'rounds' | 'connections' | 'seconds' | 'say'>,
): Promise<Record<Name, LoadResult[]>> {
  const measured: Record<Name, LoadResult[]> = {
    mock: [],
    seeded: [],
    prism: [],
    'json-server': [],
    fastify: [],
  };
  for (const name of NAMES) await load({ url: urls[name], connections, seconds: WARM_UP_S });
  for (let round = 1; round <= rounds; round++)
    for (const name of NAMES) {
      const result = await load({ url: urls[name], connections, seconds });
      measured[name].push(result);
      say(
        `round ${round}: ${name} ${Math.round(result.requestsPerSecond)} requests/s, p99 ${result.p99Ms} ms`,
      );
    }
  return measured;
}

/** @returns its URL */
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
  if (response.status !== 201) throw new Error(`no endpoint was made: ${await response.text()}`);
  const { data } = (await response.json()) as { data: { url: string } };
  return data.url;
}

/** The result as text for a terminal. */
export function describeMockResult(result: MockBenchResult): string {
  const lines = result.contenders.map(
    ({ name, requests_per_second, p50_ms, p99_ms }) =>
      `${name.padEnd(12)} ${Math.round(requests_per_second.median)} requests/s, p50 ${p50_ms.median} ms, p99 ${p99_ms.median} ms`,
  );
  const times = ({ median, min, max }: Spread) =>
    `${median.toFixed(2)} × (${min.toFixed(2)}–${max.toFixed(2)})`;
  return [
    `${result.records} records of six fields, ${result.answer_bytes} bytes; medians of ${result.rounds} rounds in turn, ${result.connections} connections`,
    ...lines,
    `mock endpoint: ${times(result.ratio_to_prism)} prism, ${times(result.ratio_to_json_server)} json-server, ${times(result.ratio_to_fastify)} bare Fastify`,
  ].join('\n');
}
