import { waitFor } from '@understudy/testing';
import { ulid } from 'ulid';

import type { Operation, Resource } from '../../../src/platform/http/operations/operation.js';
import type { OperationId } from '../../../src/platform/http/operations/operations.js';
import { handleCommands, startFakeAgent, type FakeAgent } from './fake-agent.js';
import { modelForm } from './model-files.js';
import type { ControlPlane } from './start-control-plane.js';

export interface Owner {
  readonly orgId: string;
  /** A token with the role owner. */
  readonly token: string;
}

/** A valid body for each operation, or undefined if the operation has no body. Add new operations here. */
export const SAMPLE_BODIES: Record<OperationId, Record<string, unknown> | FormData | undefined> = {
  generate: {
    schema: { generators: { id: { type: 'svc', algorithm: 'uuid_v4' } }, output: ['id'] },
    count: 1,
  },
  listModels: undefined,
  uploadModel: modelForm({ name: 'A sample', id: 'custom/sample' }),
  getModel: undefined,
  downloadModel: undefined,
  deleteModel: undefined,
  listGenerators: undefined,
  registerGenerator: { name: '@sample/people:greeting', body: 'Hello' },
  getGenerator: undefined,
  deleteGenerator: undefined,
  listMockEndpoints: undefined,
  createMockEndpoint: {
    path: '/api/sample',
    method: 'GET',
    schema: { generators: { id: { type: 'svc', algorithm: 'uuid_v4' } }, output: ['id'] },
    response: { count: 1, wrapper: { data: '{{records}}' } },
  },
  getMockEndpoint: undefined,
  deleteMockEndpoint: undefined,
  listSyncJobs: undefined,
  createSyncJob: {
    name: 'sample',
    source: { type: 'postgresql', connection_string: 'agent:a' },
    target: { type: 'postgresql', connection_string: 'agent:b' },
    tables: [{ name: 'customers' }],
  },
  getSyncJob: undefined,
  getSyncJobDefinition: undefined,
  listSyncJobTables: undefined,
  getSyncJobStoredData: undefined,
  deleteSyncJob: undefined,
  releaseSyncJob: {},
  listSnapshots: undefined,
  createSnapshot: { name: 'sample', database: 'shop' },
  getSnapshot: undefined,
  deleteSnapshot: undefined,
  restoreSnapshot: { target_database: 'review' },
  listSnapshotRestores: undefined,
  getSnapshotRestore: undefined,
  whoami: undefined,
  getOrganization: undefined,
  getUsage: undefined,
  changeOrganization: { plan: 'business' },
  listMembers: undefined,
  inviteMember: { email: 'somebody@example.com', role: 'viewer' },
  acceptInvitation: { token: 'us_invite_unknown' },
  getMember: undefined,
  changeMember: { role: 'viewer' },
  removeMember: undefined,
  listTokens: undefined,
  createToken: { name: 'sample', role: 'viewer', scopes: ['tokens:read'] },
  getToken: undefined,
  rotateToken: {},
  revokeToken: undefined,
  listAgents: undefined,
  getAgent: undefined,
  listAgentModels: undefined,
  revokeAgent: undefined,
  listEnrolmentTokens: undefined,
  createEnrolmentToken: {},
  getEnrolmentToken: undefined,
  revokeEnrolmentToken: undefined,
  listWebhooks: undefined,
  createWebhook: { url: 'https://hooks.example.com/understudy', events: ['sync.completed'] },
  getWebhook: undefined,
  changeWebhook: { enabled: true },
  rotateWebhookSecret: {},
  testWebhook: {},
  deleteWebhook: undefined,
  listWebhookDeliveries: undefined,
  getWebhookDelivery: undefined,
  resendWebhookDelivery: {},
  recoverWebhookDeliveries: { since: '2026-01-01T00:00:00Z' },
  listAuditEntries: undefined,
  getApiDescription: undefined,
  enrolAgent: {
    token: 'us_enrol_unknown',
    name: 'sample',
    nats_public_key: `U${'A'.repeat(55)}`,
    sealing_public_key: Buffer.alloc(32, 7).toString('base64'),
  },
  renewAgent: {
    agent_id: 'agt_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    issued_at: '2026-01-01T00:00:00Z',
    nonce: 'nonce-nonce-nonce',
    signature: Buffer.alloc(64).toString('base64'),
  },
  fetchHostedModel: {
    agent_id: 'agt_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    job_id: 'job_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    sha256: '0'.repeat(64),
    issued_at: '2026-01-01T00:00:00Z',
    nonce: 'nonce-nonce-nonce',
    signature: Buffer.alloc(64).toString('base64'),
  },
};

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
  sync_job: (plane, owner) => created(plane, owner, '/v1/sync/jobs', SAMPLE_BODIES.createSyncJob),
  snapshot: (plane, owner) => created(plane, owner, '/v1/snapshots', SAMPLE_BODIES.createSnapshot),
  /** Returns both ids, of the snapshot and of the restore; see {@link pathOf}. */
  snapshot_restore: async (plane, owner) => {
    const snapshot = await readySnapshot(plane, owner);
    const body = SAMPLE_BODIES.restoreSnapshot;
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
    created(plane, owner, '/v1/tokens', { ...SAMPLE_BODIES.createToken, name: ulid() }),
  member: (plane, owner) =>
    created(plane, owner, '/v1/org/members', { email: `${ulid()}@example.com`, role: 'viewer' }),
  generator: (plane, owner) =>
    created(plane, owner, '/v1/generators', {
      ...SAMPLE_BODIES.registerGenerator,
      name: `@sample/people:${ulid().toLowerCase()}`,
    }),
  mock_endpoint: (plane, owner) =>
    created(plane, owner, '/v1/mock/endpoints', {
      ...(SAMPLE_BODIES.createMockEndpoint as Record<string, unknown>),
      path: `/api/${ulid()}`,
    }),
  webhook: (plane, owner) => created(plane, owner, '/v1/webhooks', SAMPLE_BODIES.createWebhook),
  webhook_delivery: async (plane, owner) => {
    const webhook = await created(plane, owner, '/v1/webhooks', SAMPLE_BODIES.createWebhook);
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
  const body = { ...(SAMPLE_BODIES.createSyncJob as Record<string, unknown>), agent: { name: 'nobody' } };
  const id = await created(plane, owner, '/v1/sync/jobs', body);
  const agentId = await plane.addAgent({ orgId: owner.orgId });
  await plane.query(
    `UPDATE sync_jobs SET agent_id = $2, attempts = 1, epoch = 1, leased_at = now(),
      lease_expires_at = now() + interval '1 hour' WHERE id = $1`,
    [id, agentId],
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
  const id = await created(plane, owner, '/v1/snapshots', SAMPLE_BODIES.createSnapshot);
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
