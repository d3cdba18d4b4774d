import { setTimeout as pause } from 'node:timers/promises';

import type { StackInfo } from '@understudy/stack';

import { log } from '../../bench-environment.js';
import { ratios, summaryOf } from '../../summary.js';
import { generateRequest, type GenerateRequest, type StreamedResponse } from './generate-request.js';
import { latencyDuring } from './latency-probe.js';
import { personRecords } from '../schemas/person-records.js';
import { personSchema } from '../schemas/person-schema.js';
import { ProcessMemory } from '../../process-memory.js';

const RECORDS = 100_000;
const IDLE_MS = 1_000;
/** Time to wait after the start of a server, so that its startup work does not disturb the measurement. */
const STARTUP_MS = 2_000;
const WARM_UPS = 10;
/** Number of consecutive generate requests during which the latency of GET /healthz is measured. */
const BUSY_REQUESTS = 15;

/** Measures `POST /v1/generate` of 100,000 persons as NDJSON, and the library without HTTP. */
export async function overHttp(stack: StackInfo, rounds: number) {
  const request: GenerateRequest = {
    baseUrl: stack.base_url,
    token: stack.api_token,
    body: { schema: personSchema('lists'), count: RECORDS, seed: 1, format: 'ndjson' },
  };
  const healthz = new URL('/healthz', stack.base_url).href;
  await pause(STARTUP_MS);
  const idle = await latencyDuring(healthz, pause(IDLE_MS));
  const memory = new ProcessMemory(stack.pids.control_plane);
  const startBytes = memory.resetPeak() ? memory.residentBytes() : null;
  const first = checked(await generateRequest(request));
  const library = personRecords('lists');
  for (let i = 0; i < WARM_UPS; i++) {
    checked(await generateRequest(request));
    library(0, RECORDS);
  }
  const [firstBytes, perSecond, libraryOnly]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    const response = checked(await generateRequest(request));
    firstBytes.push(response.firstByteMs);
    perSecond.push((RECORDS / response.totalMs) * 1000);
    const started = performance.now();
    library(0, RECORDS);
    libraryOnly.push((RECORDS / (performance.now() - started)) * 1000);
    log(
      `round ${round + 1}: HTTP ${Math.round(perSecond[round] ?? 0)} records/s (first byte ${response.firstByteMs.toFixed(1)} ms), library ${Math.round(libraryOnly[round] ?? 0)} records/s`,
    );
  }
  const during = await latencyDuring(healthz, requestsInTurn(request, BUSY_REQUESTS));
  const peakBytes = memory.peakBytes();
  return {
    records: RECORDS,
    /**
     * Times of the first request to the server. For this request, the server starts its threads and runs cold
     * code.
     */
    first_request: { first_byte_ms: first.firstByteMs, total_ms: first.totalMs },
    first_byte_ms: summaryOf(firstBytes),
    records_per_second: summaryOf(perSecond),
    /**
     * Speed of the library without HTTP: it generates the same records in one thread of the benchmark, in turn
     * with the requests.
     */
    library_records_per_second: summaryOf(libraryOnly),
    /** `records_per_second` divided by `library_records_per_second`, in each round. */
    ratio_to_library: ratios(perSecond, libraryOnly),
    /**
     * Growth of the server's memory from before the first request to its peak in the whole run. null if /proc
     * does not report it.
     */
    memory_growth_bytes: startBytes === null || peakBytes === null ? null : peakBytes - startBytes,
    /**
     * Latency of GET /healthz on an idle server. `healthz_during_ms` is the latency while the server responds
     * to generate requests.
     */
    healthz_idle_ms: idle,
    healthz_during_ms: during,
  };
}

async function requestsInTurn(request: GenerateRequest, count: number): Promise<void> {
  for (let i = 0; i < count; i++) checked(await generateRequest(request));
}

function checked(response: StreamedResponse): StreamedResponse {
  if (response.lines !== RECORDS)
    throw new Error(`expected ${RECORDS} lines from /generate, received ${response.lines}`);
  return response;
}
