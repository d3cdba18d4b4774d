import fc from 'fast-check';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { PLANS } from '../../../src/config/plans.js';
import type { Operation } from '../../../src/http/operations/operation.js';
import { OPERATIONS, type OperationId } from '../../../src/http/operations/operations.js';
import { pathOf, sampleFor, type Owner } from '../harness/operation-samples.js';
import { payloadOf, requestKinds, type GeneratedRequest } from './request-arbitraries.js';
import { startControlPlane, type Answer, type ControlPlane } from '../harness/start-control-plane.js';

/** So many of every kind; those that are all as the description wants them lead furthest, and are the only ones of their kind. */
const OF_A_KIND = Number(process.env['UNDERSTUDY_FUZZ_OF_A_KIND'] ?? 2);
const WANTED_OF_A_KIND = 16 * OF_A_KIND;
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
beforeAll(async () => {
  plane = await startControlPlane({
    // Of each plan: requests change it.
    planLimits: Object.fromEntries(PLANS.map((plan) => [plan, UNLIMITED_PLAN])),
    rateLimits: { anonymousPerMinute: UNLIMITED },
    generation: { waiting: 2 * AT_A_TIME },
    models: { maxPerOrganization: UNLIMITED },
    webhooks: { maxPerOrganization: UNLIMITED },
    snapshots: { answerMs: 500 }, // nobody is waited for long
    mockEndpoints: { url: 'https://mock.example.com' }, // shown, and no trace of this machine
  });
  owner = { orgId: plane.orgId, token: plane.token };
});
afterAll(() => plane?.stop());

// `request` fails on a status, a header or a body that the description does not have: see documented-answers.ts.
it('answers whatever comes as described, and tells nothing of itself', async () => {
  const generated = generatedRequests();
  const statuses = new Map<OperationId, Map<number, number>>();
  const faults: string[] = [];
  const ids = new ExistingIds();
  for (const row of ROWS.filter(({ id }) => NEEDS_AGENT.has(id))) await ids.of(row);
  await Promise.all(
    Array.from({ length: AT_A_TIME }, async () => {
      for (let request = generated.pop(); request && faults.length < 10; request = generated.pop()) {
        const answer = await sendPatiently(request, ids).catch((error: unknown) =>
          faults.push(faultOf(request, error)),
        );
        if (typeof answer !== 'object') continue;
        const fault = faultIn(answer, request);
        if (fault !== undefined) faults.push(faultOf(request, `${fault}: ${answer.text.slice(0, 500)}`));
        const seen = statuses.get(request.operationId) ?? new Map<number, number>();
        statuses.set(request.operationId, seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1));
      }
    }),
  );
  expect(faults).toEqual([]);
  // Otherwise nothing but refusals would have been looked at.
  const served = ROWS.filter(({ id, status, acceptedStatus }) =>
    [status, acceptedStatus].some((success) => success !== undefined && statuses.get(id)?.has(success)),
  );
  expect(
    ROWS.filter((row) => !served.includes(row) && !NEEDS_SECRET.has(row.id)).map(({ id }) => id),
  ).toEqual([]);
}, 1_800_000);

/** Every operation with every combination of ways to make its parts, in an order that mixes them. */
function generatedRequests(): GeneratedRequest[] {
  const inOrder = requestKinds().flatMap(({ isWanted, requests }, i) =>
    fc.sample(requests, { numRuns: isWanted ? WANTED_OF_A_KIND : OF_A_KIND, seed: SEED + i }),
  );
  const { length } = inOrder;
  return (
    fc.sample(fc.shuffledSubarray(inOrder, { minLength: length, maxLength: length }), {
      numRuns: 1,
      seed: SEED,
    })[0] ?? []
  );
}

/** Take a secret that was shown once, or a signature, which no schema yields; api-description.spec.ts sends real ones. */
const NEEDS_SECRET = new Set<OperationId>([
  'acceptInvitation',
  'enrolAgent',
  'renewAgent',
  'fetchHostedModel',
]);

/** Of something that an agent has made: before so much is asked of it that this would have to wait. */
const NEEDS_AGENT = new Set<string>(['restoreSnapshot', 'getSnapshotRestore']);

/** A machine that stands still for as long as a statement may take answers 503, whatever was asked: it is asked once more. */
async function sendPatiently(request: GeneratedRequest, ids: ExistingIds): Promise<Answer> {
  try {
    const answer = await sendOne(request, ids);
    if (answer.status !== 503 || request.operationId === 'restoreSnapshot') return answer;
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('answered 503'))) throw error;
  }
  return sendOne(request, ids);
}

async function sendOne(request: GeneratedRequest, ids: ExistingIds): Promise<Answer> {
  const body = payloadOf(request);
  return plane.request(await pathFor(request, ids), {
    method: request.method,
    headers: request.headers,
    ...(body === undefined ? {} : { body }),
  });
}

/** With ids of what is there, where the request has left a place for them. */
async function pathFor({ operationId, path }: GeneratedRequest, ids: ExistingIds): Promise<string> {
  const row = ROWS.find(({ id }) => id === operationId);
  if (row?.resource === undefined || !path.includes('{id}')) return path;
  return pathOf({ ...row, path: path.replace('{id}', ':id') }, await ids.of(row));
}

/** One for each operation; what may be deleted is made anew. */
class ExistingIds {
  private readonly known = new Map<string, Promise<string>>();

  of(row: Operation): Promise<string> {
    if (row.method === 'DELETE') return sampleFor(plane, owner, row);
    const kind = JSON.stringify([row.resource, row.parts, NEEDS_AGENT.has(row.id)]);
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

/** Traces of the machine or of the program in an answer. */
function faultIn({ status, text }: Answer, request: GeneratedRequest): string | undefined {
  const isAway = status === 503 && request.operationId === 'restoreSnapshot'; // an agent had 5 s to answer
  if (status >= 500 && !isAway) return `status ${status}`;
  const echoed = HOST.test(JSON.stringify(request).replace(/%[0-9a-f]{2}/gi, ' ')); // a short name stands in generated texts by chance
  if (status >= 400 && !echoed && HOST.test(text)) return 'shows the name of the host';
  const found = LEAKS.find((leak) => (typeof leak === 'string' ? text.includes(leak) : leak.test(text)));
  return found === undefined ? undefined : `shows ${String(found)}`;
}

// As a word, and in refusals alone: successes hold what was generated before.
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
