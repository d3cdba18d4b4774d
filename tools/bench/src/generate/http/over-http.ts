import { setTimeout as pause } from 'node:timers/promises';

import type { StackInfo } from '@understudy/stack';

import { say } from '../../bench-environment.js';
import { ratios, type Spread, spreadOf } from '../../spread.js';
import { generateRequest, type GenerateRequest, type StreamedAnswer } from './generate-request.js';
import { latencyDuring } from './latency-probe.js';
import { personRecords } from '../schemas/person-records.js';
import { personSchema } from '../schemas/person-schema.js';
import { ProcessMemory } from '../../process-memory.js';

export interface OverHttpResult {
  readonly records: number;
  /** The very first request of a server's life: its threads start, its code is cold. */
  readonly first_request: { readonly first_byte_ms: number; readonly total_ms: number };
  readonly first_byte_ms: Spread;
  readonly records_per_second: Spread;
  /** The same records by the library alone, in one thread of the bench, in turn with the requests. */
  readonly library_records_per_second: Spread;
  /** Of each round. */
  readonly ratio_to_library: Spread;
  /** Of the server, from before the first request to the highest of the whole run; null where /proc does not tell. */
  readonly memory_growth_bytes: number | null;
  /** Of GET /healthz: with nothing else to do, and while one request after the other is being answered. */
  readonly healthz_idle_ms: Spread;
  readonly healthz_during_ms: Spread;
}

const RECORDS = 100_000;
const IDLE_MS = 1_000;
/** After the start of a server, until what the start left behind is done. */
const SETTLE_MS = 2_000;
const WARM_UPS = 10;
/** How many requests after one another the latency is measured beside. */
const BUSY_REQUESTS = 15;

/** `POST /v1/generate` of 100,000 persons as NDJSON, beside the library alone. */
export async function overHttp(stack: StackInfo, rounds: number): Promise<OverHttpResult> {
  const asked: GenerateRequest = {
    baseUrl: stack.base_url,
    token: stack.api_token,
    body: { schema: personSchema('lists'), count: RECORDS, seed: 1, format: 'ndjson' },
  };
  const healthz = new URL('/healthz', stack.base_url).href;
  await pause(SETTLE_MS);
  const idle = await latencyDuring(healthz, pause(IDLE_MS));
  const memory = new ProcessMemory(stack.pids.control_plane);
  const startBytes = memory.resetPeak() ? memory.residentBytes() : null;
  const first = checked(await generateRequest(asked));
  const library = personRecords('lists');
  for (let i = 0; i < WARM_UPS; i++) {
    checked(await generateRequest(asked));
    library(0, RECORDS);
  }
  const [firstBytes, perSecond, alone]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    const answer = checked(await generateRequest(asked));
    firstBytes.push(answer.firstByteMs);
    perSecond.push((RECORDS / answer.totalMs) * 1000);
    const started = performance.now();
    library(0, RECORDS);
    alone.push((RECORDS / (performance.now() - started)) * 1000);
    say(
      `round ${round + 1}: HTTP ${Math.round(perSecond[round] ?? 0)} records/s (first byte ${answer.firstByteMs.toFixed(1)} ms), library ${Math.round(alone[round] ?? 0)} records/s`,
    );
  }
  const during = await latencyDuring(healthz, requestsInTurn(asked, BUSY_REQUESTS));
  const peakBytes = memory.peakBytes();
  return {
    records: RECORDS,
    first_request: { first_byte_ms: first.firstByteMs, total_ms: first.totalMs },
    first_byte_ms: spreadOf(firstBytes),
    records_per_second: spreadOf(perSecond),
    library_records_per_second: spreadOf(alone),
    ratio_to_library: ratios(perSecond, alone),
    memory_growth_bytes: startBytes === null || peakBytes === null ? null : peakBytes - startBytes,
    healthz_idle_ms: idle,
    healthz_during_ms: during,
  };
}

async function requestsInTurn(asked: GenerateRequest, count: number): Promise<void> {
  for (let i = 0; i < count; i++) checked(await generateRequest(asked));
}

function checked(answer: StreamedAnswer): StreamedAnswer {
  if (answer.lines !== RECORDS)
    throw new Error(`expected ${RECORDS} lines from /generate, got ${answer.lines}`);
  return answer;
}
