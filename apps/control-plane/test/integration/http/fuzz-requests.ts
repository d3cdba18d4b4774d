import fc from 'fast-check';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { PLANS } from '../../../src/platform/config/plans.js';
import type { Operation } from '../../../src/platform/http/operations/operation.js';
import { OPERATIONS, type OperationId } from '../../../src/api-description/operations.js';
import { pathOf, sampleFor, type Owner } from '../harness/sample-requests.js';
import { payloadOf, requestKinds, type GeneratedRequest } from './request-arbitraries.js';
import { startControlPlane, type ApiResponse, type ControlPlane } from '../harness/start-control-plane.js';

/** Number of requests of a kind whose parts are all valid. They are more, because they reach the most code. */
const WANTED_OF_A_KIND = 32;
const AT_A_TIME = 8;
const SEED = 20_261_121;

const ROWS: readonly (Operation & { id: OperationId })[] = OPERATIONS;
const UNLIMITED = 1_000_000_000;
const UNLIMITED_PLAN = {
  requests_per_minute: UNLIMITED,
  model_bytes: UNLIMITED,
  sync_jobs: UNLIMITED,
  endpoints: UNLIMITED,
  snapshots: UNLIMITED,
  api_calls: UNLIMITED,
};

let plane: ControlPlane;
let owner: Owner;

export interface FuzzSize {
  /** The largest number of parts of a request that are not valid. */
  readonly maxUnwantedParts: number;
  /** The number of requests of each other kind, and of equal requests. */
  readonly ofAKind: number;
}

/** Tests requests to all operations. */
export function describeFuzz(size: FuzzSize): void {
  jest.setTimeout(600_000); // sends all requests in one test

  beforeAll(async () => {
    plane = await startControlPlane({
      // Set for every plan, because some requests change the plan.
      planLimits: Object.fromEntries(PLANS.map((plan) => [plan, UNLIMITED_PLAN])),
      rateLimits: { anonymousPerMinute: UNLIMITED },
      generation: { waiting: 2 * AT_A_TIME },
      models: { maxPerOrganization: UNLIMITED },
      webhooks: { maxPerOrganization: UNLIMITED },
      snapshots: { precheckTimeoutMs: 500 }, // keeps the waits for agents short
      // Responses contain these URLs, which must not reveal this machine.
      http: { publicUrl: 'https://understudy.example.com' },
      mockEndpoints: { url: 'https://mock.example.com' },
    });
    owner = { orgId: plane.orgId, token: plane.token };
  });
  afterAll(() => plane?.stop());

  // `request` fails on a status, a header or a body that the description does not contain; see documented-responses.ts.
  it('returns documented responses to any request and reveals no internals', async () => {
    const generated = generatedRequests(size);
    const statuses = new Map<OperationId, Map<number, number>>();
    const faults: string[] = [];
    const ids = new ExistingIds();
    for (const row of ROWS.filter(({ id }) => NEEDS_AGENT.has(id))) await ids.of(row);
    await Promise.all(
      Array.from({ length: AT_A_TIME }, async () => {
        for (let request = generated.pop(); request && faults.length < 10; request = generated.pop()) {
          const response = await sendPatiently(request, ids).catch((error: unknown) =>
            faults.push(faultOf(request, error)),
          );
          if (typeof response !== 'object') continue;
          const fault = faultIn(response, request);
          if (fault !== undefined) faults.push(faultOf(request, `${fault}: ${response.text.slice(0, 500)}`));
          const seen = statuses.get(request.operationId) ?? new Map<number, number>();
          statuses.set(request.operationId, seen.set(response.status, (seen.get(response.status) ?? 0) + 1));
        }
      }),
    );
    expect(faults).toEqual([]);
    // Checks that each operation succeeded at least once, so that not only refusals were tested.
    const served = ROWS.filter(({ id, status, acceptedStatus }) =>
      [status, acceptedStatus].some((success) => success !== undefined && statuses.get(id)?.has(success)),
    );
    expect(
      ROWS.filter((row) => !served.includes(row) && !NEEDS_SECRET.has(row.id)).map(({ id }) => id),
    ).toEqual([]);
  });
}

/** Generates requests of every kind in a shuffled order. */
function generatedRequests({ maxUnwantedParts, ofAKind }: FuzzSize): GeneratedRequest[] {
  // The seed of a kind counts all kinds, so that the requests of one do not depend on which others are sent.
  const inOrder = requestKinds().flatMap(({ unwantedParts, requests }, i) => {
    if (unwantedParts > maxUnwantedParts) return [];
    const numRuns = unwantedParts === 0 ? WANTED_OF_A_KIND : ofAKind;
    return withFewRepeats(fc.sample(requests, { numRuns, seed: SEED + i }), ofAKind);
  });
  const { length } = inOrder;
  return (
    fc.sample(fc.shuffledSubarray(inOrder, { minLength: length, maxLength: length }), {
      numRuns: 1,
      seed: SEED,
    })[0] ?? []
  );
}

/** Leaves out requests that equal `most` earlier ones. Half of the operations have only one valid request. */
function withFewRepeats(requests: readonly GeneratedRequest[], most: number): GeneratedRequest[] {
  const seen = new Map<string, number>();
  return requests.filter((request) => {
    const text = JSON.stringify(request);
    const count = (seen.get(text) ?? 0) + 1;
    seen.set(text, count);
    return count <= most;
  });
}

/**
 * Operations that need a secret or a signature, which cannot be generated from a schema.
 * api-description.spec.ts sends these operations with real secrets and signatures.
 */
const NEEDS_SECRET = new Set<OperationId>([
  'acceptInvitation',
  'enrolAgent',
  'renewAgent',
  'fetchHostedModel',
]);

/**
 * Operations on a snapshot that an agent has completed. Their snapshots are created first, before other
 * requests could delay the agent.
 */
const NEEDS_AGENT = new Set<string>(['restoreSnapshot', 'getSnapshotRestore']);

/** Operations that need a sync job in a state of its own: held by an agent, or with a kept database. */
const NEEDS_OWN = new Set<string>(['releaseSyncJob', 'revertSyncJob']);

/**
 * Sends a request. Sends it a second time if the response is 503, except for `restoreSnapshot`. Any request
 * can get a 503 if the machine pauses for the whole statement timeout.
 */
async function sendPatiently(request: GeneratedRequest, ids: ExistingIds): Promise<ApiResponse> {
  try {
    const response = await sendOne(request, ids);
    if (response.status !== 503 || request.operationId === 'restoreSnapshot') return response;
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('answered 503'))) throw error;
  }
  return sendOne(request, ids);
}

async function sendOne(request: GeneratedRequest, ids: ExistingIds): Promise<ApiResponse> {
  const body = payloadOf(request);
  return plane.request(await pathFor(request, ids), {
    method: request.method,
    headers: request.headers,
    ...(body === undefined ? {} : { body }),
  });
}

/** Returns the path of a request with the id of an existing resource in place of `{id}`. */
async function pathFor({ operationId, path }: GeneratedRequest, ids: ExistingIds): Promise<string> {
  const row = ROWS.find(({ id }) => id === operationId);
  if (row?.resource === undefined || !path.includes('{id}')) return path;
  return pathOf({ ...row, path: path.replace('{id}', ':id') }, await ids.of(row));
}

/** Creates one resource for each kind, and a new resource for each DELETE request. */
class ExistingIds {
  private readonly known = new Map<string, Promise<string>>();

  of(row: Operation): Promise<string> {
    if (row.method === 'DELETE') return sampleFor(plane, owner, row);
    const own = NEEDS_OWN.has(row.id) ? row.id : undefined;
    const kind = JSON.stringify([row.resource, row.parts, NEEDS_AGENT.has(row.id), own]);
    const id = this.known.get(kind) ?? sampleFor(plane, owner, row);
    this.known.set(kind, id);
    id.catch(() => this.known.delete(kind));
    return id;
  }
}

function faultOf(request: GeneratedRequest, error: unknown): string {
  return `${error instanceof Error ? error.message : String(error)}\n${JSON.stringify(request)}`;
}

const REPOSITORY = join(import.meta.dirname, '../../../../..');

/**
 * Returns the fault in a response: an unexpected status, or a text that reveals internals of the machine or
 * the program. Returns undefined if there is none.
 */
function faultIn({ status, text }: ApiResponse, request: GeneratedRequest): string | undefined {
  const isAway = status === 503 && request.operationId === 'restoreSnapshot'; // the agent did not respond in time
  if (status >= 500 && !isAway) return `status ${status}`;
  // A generated text may contain a short host name by chance.
  const echoed = HOST.test(JSON.stringify(request).replace(/%[0-9a-f]{2}/gi, ' '));
  if (status >= 400 && !echoed && HOST.test(text)) return 'shows the name of the host';
  const found = LEAKS.find((leak) => (typeof leak === 'string' ? text.includes(leak) : leak.test(text)));
  return found === undefined ? undefined : `shows ${String(found)}`;
}

// Searched as a word and only in refusals, because successful responses repeat generated texts.
const HOST = new RegExp(`\\b${hostname().replaceAll('.', '\\.')}\\b`);

const LEAKS: readonly (string | RegExp)[] = [
  REPOSITORY,
  'node_modules',
  'canary-password',
  '127.0.0.1',
  /\bat [\w.<>]+ \(?(file|node|\/)[^ ]*:\d+:\d+/,
  /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM)\b.+\b(FROM|VALUES|SET|WHERE)\b/,
  /QueryFailedError|duplicate key value|violates [\w-]+ constraint|invalid input syntax|relation "/,
  /ECONNREFUSED|ENOENT|TypeError|SyntaxError|RangeError|is not a function|Cannot read propert/,
];
