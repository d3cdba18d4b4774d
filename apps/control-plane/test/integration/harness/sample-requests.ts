import { waitFor } from '@understudy/testing';
import { ulid } from 'ulid';

import { BY_ID, type OperationId } from '../../../src/api-description/operations.js';
import {
  exampleRequest,
  type Operation,
  type Resource,
} from '../../../src/platform/http/operations/operation.js';
import { handleCommands, startFakeAgent, type FakeAgent } from './fake-agent.js';
import { modelForm } from './model-files.js';
import type { ControlPlane } from './start-control-plane.js';

export interface Owner {
  readonly orgId: string;
  /** A token with the role owner. */
  readonly token: string;
}

/** Bodies for the tests in which the example of the operation does not fit. */
const OTHER_BODIES: Partial<Record<OperationId, Record<string, unknown>>> = {
  // No agent of this name exists, so that the job stays pending.
  createSyncJob: {
    name: 'sample',
    source: { type: 'postgresql', connection_string: 'agent:a' },
    target: { type: 'postgresql', connection_string: 'agent:b' },
    tables: [{ name: 'customers' }],
  },
  createSnapshot: { name: 'sample', database: 'shop' },
  restoreSnapshot: { target_database: 'review' },
  changeWebhook: { enabled: true },
  changeMember: { role: 'viewer' },
  inviteMember: { email: 'somebody@example.com', role: 'viewer' },
  createToken: { name: 'sample', role: 'viewer', scopes: ['tokens:read'] }, // a token may give its own scopes only
};

/** Returns a valid body of the operation, or undefined if it has none. */
export function sampleBody(id: OperationId): Record<string, unknown> | FormData | undefined {
  const operation = BY_ID[id];
  const body = OTHER_BODIES[id] ?? exampleRequest(operation).body;
  return operation.takes === undefined ? body : modelForm(body);
}

/**
 * Creates the resource that the path of the operation needs.
 * @returns its id in the form that {@link pathOf} takes
 */
export function sampleFor(
  plane: ControlPlane,
  owner: Owner,
  { id, resource, parts = {} }: Operation,
): Promise<string> {
  if (id === 'restoreSnapshot') return readySnapshot(plane, owner);
  if (id === 'releaseSyncJob') return heldJob(plane, owner);
  if (id === 'revertSyncJob') return revertibleJob(plane, owner);
  const [part] = Object.values(parts);
  const kind = part ?? resource;
  return kind === undefined ? Promise.resolve('') : SAMPLE_RESOURCES[kind](plane, owner);
}

/**
 * Returns the path of the operation, with ids in place of its parameters.
 * @param id the id of the resource, or `<resource id>/<part id>` if the path also contains the id of a part
 */
export function pathOf({ path, parts }: Operation, id: string): string {
  const [first = '', second = first] = parts === undefined ? [id] : id.split('/');
  return path.replace(':id', first).replace(/:\w+_id/, second);
}

/** Functions that create a resource of each kind for an organisation and return its id. */
export const SAMPLE_RESOURCES: Record<Resource, (plane: ControlPlane, owner: Owner) => Promise<string>> = {
  sync_job: (plane, owner) => created(plane, owner, '/v1/sync/jobs', sampleBody('createSyncJob')),
  /** Returns both ids, of the job and of the revert. */
  sync_job_revert: async (plane, owner) => {
    const job = await created(plane, owner, '/v1/sync/jobs', sampleBody('createSyncJob'));
    const revert = `rvt_${ulid()}`;
    await plane.query(
      "INSERT INTO sync_job_reverts (id, job_id, organization_id, last_change, status, created_at) VALUES ($1, $2, $3, $2, 'pending', now())",
      [revert, job, owner.orgId],
    );
    return `${job}/${revert}`;
  },
  snapshot: (plane, owner) => created(plane, owner, '/v1/snapshots', sampleBody('createSnapshot')),
  /** Returns both ids, of the snapshot and of the restore; see {@link pathOf}. */
  snapshot_restore: async (plane, owner) => {
    const snapshot = await readySnapshot(plane, owner);
    const body = sampleBody('restoreSnapshot');
    const response = await plane.request(`/v1/snapshots/${snapshot}/restore`, {
      method: 'POST',
      token: owner.token,
      body,
    });
    const { data } = response.body as unknown as { data: { restore_id: string } };
    return `${snapshot}/${data.restore_id}`;
  },
  agent: (plane, { orgId }) => plane.addAgent({ orgId }),
  enrolment_token: (plane, owner) => created(plane, owner, '/v1/agents/enrolment-tokens', undefined),
  token: (plane, owner) =>
    created(plane, owner, '/v1/tokens', { ...sampleBody('createToken'), name: ulid() }),
  member: (plane, owner) =>
    created(plane, owner, '/v1/org/members', { email: `${ulid()}@example.com`, role: 'viewer' }),
  generator: (plane, owner) =>
    created(plane, owner, '/v1/generators', {
      ...sampleBody('registerGenerator'),
      name: `@sample/people:${ulid().toLowerCase()}`,
    }),
  mock_endpoint: (plane, owner) =>
    created(plane, owner, '/v1/mock/endpoints', {
      ...(sampleBody('createMockEndpoint') as Record<string, unknown>),
      path: `/api/${ulid()}`,
    }),
  webhook: (plane, owner) => created(plane, owner, '/v1/webhooks', sampleBody('createWebhook')),
  webhook_delivery: async (plane, owner) => {
    const webhook = await created(plane, owner, '/v1/webhooks', sampleBody('createWebhook'));
    return created(plane, owner, `/v1/webhooks/${webhook}/test`, {});
  },
  model: (plane, owner) => created(plane, owner, '/v1/models', modelForm({ name: ulid() })),
};

async function created(
  plane: ControlPlane,
  { token }: Owner,
  path: string,
  body: Record<string, unknown> | FormData | undefined,
): Promise<string> {
  const response = await plane.request(path, { method: 'POST', token, ...(body ? { body } : {}) });
  const { data } = response.body as unknown as { data?: { id: string } };
  if (data === undefined) throw new Error(`POST ${path} returned ${response.status}: ${response.text}`);
  return data.id;
}

/** Creates a job and gives it to an agent that never reports. No other agent gets the job. */
async function heldJob(plane: ControlPlane, owner: Owner): Promise<string> {
  const body = { ...(sampleBody('createSyncJob') as Record<string, unknown>), agent: { name: 'nobody' } };
  const id = await created(plane, owner, '/v1/sync/jobs', body);
  const agentId = await plane.addAgent({ orgId: owner.orgId });
  await plane.query(
    `UPDATE sync_jobs SET agent_id = $2, attempts = 1, epoch = 1, leased_at = now(),
      lease_expires_at = now() + interval '1 hour' WHERE id = $1`,
    [id, agentId],
  );
  return id;
}

/** Creates a job that has replaced a database. */
async function revertibleJob(plane: ControlPlane, owner: Owner): Promise<string> {
  const body = { ...(sampleBody('createSyncJob') as Record<string, unknown>), agent: { name: 'nobody' } };
  const id = await created(plane, owner, '/v1/sync/jobs', body);
  await plane.query(
    "UPDATE sync_jobs SET status = 'completed', started_at = now(), completed_at = now() WHERE id = $1",
    [id],
  );
  await plane.query(
    `INSERT INTO kept_databases (work_id, organization_id, target, requires, last_change, is_last, kept_until)
     VALUES ($1, $2, '{"kind": "agent", "name": "x"}', '{}', $1, true, now() + interval '1 hour')`,
    [id, owner.orgId],
  );
  return id;
}

const agents = new WeakMap<ControlPlane, Map<string, Promise<FakeAgent>>>();

/**
 * Creates a snapshot and lets an agent of the organisation complete it. The agent has free slots only during this call.
 * Afterwards it still responds to pre-check requests.
 */
async function readySnapshot(plane: ControlPlane, owner: Owner): Promise<string> {
  const agent = await agentOf(plane, owner.orgId);
  agent.freeSlots = 4;
  const id = await created(plane, owner, '/v1/snapshots', sampleBody('createSnapshot'));
  await waitFor('the sample to be ready', async () => {
    const { body } = await plane.request(`/v1/snapshots/${id}`, { token: owner.token });
    return (body as unknown as { data: { status: string } }).data.status === 'ready';
  });
  agent.freeSlots = 0;
  return id;
}

function agentOf(plane: ControlPlane, orgId: string): Promise<FakeAgent> {
  const known = agents.get(plane) ?? new Map<string, Promise<FakeAgent>>();
  agents.set(plane, known);
  const start = async () => {
    const agent = await startFakeAgent(plane, { orgId });
    handleCommands(agent);
    return agent;
  };
  const agent = known.get(orgId) ?? start();
  known.set(orgId, agent);
  return agent;
}
