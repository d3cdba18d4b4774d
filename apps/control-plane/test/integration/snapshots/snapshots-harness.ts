import { waitFor } from '@understudy/testing';

import {
  makeSnapshot,
  startFakeAgent,
  type FakeAgent,
  type FakeAgentOptions,
} from '../harness/fake-agent.js';
import { startControlPlane, type ApiResponse, type ControlPlane } from '../harness/start-control-plane.js';

export interface Snapshot {
  readonly id: string;
  readonly restore_id: string;
  readonly status: string;
  readonly tables: string[];
  readonly error: { code: string; message: string } | null;
  readonly warnings: { code: string; message: string }[];
}

/** A control plane with adjustable clocks, and helpers that request snapshots from it. */
export interface SnapshotsHarness {
  readonly plane: ControlPlane;
  /** Creates an organisation with an agent that stores snapshots. */
  organization(plan?: 'business' | 'free'): Promise<SnapshotsOrganization>;
  stop(): Promise<void>;
}

export type SnapshotsOrganization = Awaited<ReturnType<typeof addOrganization>>;

export async function startSnapshots(): Promise<SnapshotsHarness> {
  const plane = await startControlPlane({
    syncJobs: { reconcileMs: 100, resendMs: 3_600_000 },
    snapshots: { expireMs: 3_600_000, deletionResendMs: 3_600_000, refusedDeletionResendMs: 7_200_000 },
    webhooks: { allowedNetworks: ['127.0.0.1'] },
    planLimits: { free: { snapshots: 2, requests_per_minute: 1_000 } },
  });
  const agents: FakeAgent[] = [];
  return {
    plane,
    organization: (plan = 'business') => addOrganization(plane, plan, agents),
    stop: async () => {
      await Promise.all(agents.map((agent) => agent.stop()));
      await plane.stop();
    },
  };
}

export const dataOf = (response: ApiResponse) => (response.body as unknown as { data: Snapshot }).data;

async function addOrganization(plane: ControlPlane, plan: 'business' | 'free', agents: FakeAgent[]) {
  const orgId = await plane.addOrganization(plan);
  const { token } = await plane.addToken({ orgId });
  const send = (path: string, method = 'GET', body?: unknown) =>
    plane.request(`/v1/snapshots${path}`, { method, token, ...(body === undefined ? {} : { body }) });
  const addAgent = async (options: FakeAgentOptions = {}) => {
    const agent = await startFakeAgent(plane, { orgId, ...options });
    agents.push(agent);
    await agent.beat();
    return agent;
  };
  const agent = await addAgent();
  const get = async (id: string) => dataOf(await send(`/${id}`));
  const org = {
    ...{ orgId, token, agent, addAgent, send, get },
    post: async (changes: object = {}) => {
      const response = await send('', 'POST', { name: 'nightly', database: 'shop', ...changes });
      expect([response.status, response.text]).toEqual([201, expect.anything()]);
      return dataOf(response).id;
    },
    /** Creates a snapshot and lets the agent complete it. */
    ready: async (changes: object = {}) => {
      const id = await org.post(changes);
      await agent.beat();
      const { epoch } = await created(agent);
      await makeSnapshot(agent, { snapshotId: id, epoch });
      return id;
    },
    /** Subscribes to the ends of snapshots and restores. Nothing listens at the address of the webhook. */
    subscribe: async () => {
      const events = ['snapshot.created', 'snapshot.failed', 'snapshot.restored', 'restore.failed'];
      const body = { url: 'http://127.0.0.1:65535/', events };
      expect((await plane.request('/v1/webhooks', { method: 'POST', token, body })).status).toBe(201);
    },
    /** Returns the types and data of the webhook events about a snapshot, in order. */
    events: async (id: string) => {
      const rows = await plane.query(
        `SELECT type, body::json -> 'data' AS data FROM webhook_events
         WHERE organization_id = $1 AND body::json -> 'data' ->> 'snapshot_id' = $2 ORDER BY created_at, id`,
        [orgId, id],
      );
      return rows.map(({ type, data }) => [type, data]);
    },
    restore: (id: string, changes: object = {}) =>
      send(`/${id}/restore`, 'POST', { target_database: 'review', ...changes }),
    used: async () => {
      const [row] = await plane.query(
        `SELECT used::int AS used FROM usage_counters WHERE organization_id = $1 AND metric = 'snapshots'`,
        [orgId],
      );
      return row?.['used'] ?? 0;
    },
  };
  return org;
}

/** Receives the agent's next command. Throws if it is not a command to create a snapshot. */
export async function created(agent: FakeAgent) {
  const command = await agent.nextCommand();
  if (command.case !== 'createSnapshot') throw new Error(`expected a snapshot, got ${command.case}`);
  return command.value;
}

/** Receives the agent's next command. Throws if it is not a command to delete a snapshot. */
export async function deletion(agent: FakeAgent) {
  const command = await agent.nextCommand();
  if (command.case !== 'deleteSnapshot') throw new Error(`expected a deletion, got ${command.case}`);
  return command.value;
}

/** Receives the agent's next command. Throws if it is not a command to restore a snapshot. */
export async function restoring(agent: FakeAgent) {
  const command = await agent.nextCommand();
  if (command.case !== 'restoreSnapshot') throw new Error(`expected a restore, got ${command.case}`);
  return command.value;
}

export const gone = (org: { send(path: string): Promise<ApiResponse> }, id: string) =>
  waitFor('the snapshot to be deleted', async () => (await org.send(`/${id}`)).status === 404);
