import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { DashboardTest } from '../harness/dashboard-test.js';
import { seedExampleJobs, type ExampleJobs } from '../harness/example-jobs.js';
import { AGENT_ID } from '../harness/seed-jobs.js';
import { seedUsageDays } from '../harness/seed-organization.js';
import { seedSnapshots, type SeededSnapshots } from '../harness/seed-snapshots.js';

/** The ids of what the pictures show. */
export interface ExampleData {
  readonly jobs: ExampleJobs;
  readonly snapshots: SeededSnapshots;
  readonly agentId: string;
  readonly endpointId: string;
  readonly webhookId: string;
  readonly deliveryId: string;
}

interface Created {
  readonly id: string;
}

const CUSTOMERS = {
  generators: {
    id: { type: 'svc', algorithm: 'sequence' },
    first: { type: 'model', source: 'en_US/first_names' },
    email: { body: '{{lowercase(first)}}@example.com' },
  },
  output: ['id', 'first', 'email'],
};

const GREETING = {
  name: '@acme/people:greeting',
  version: '1.0.0',
  description: 'A greeting with a first name.',
  let: { first: { type: 'model', source: 'en_US/first_names' } },
  variants: [{ pattern: 'Hello {{first}}!', weight: 2 }, { pattern: 'Good morning {{first}}.' }],
};

/** Lets the agent of the seeded jobs look alive, because no process sends its heartbeats. */
export async function refreshSeededAgent(dashboard: DashboardTest): Promise<void> {
  const { control } = dashboard.organization.databases;
  await control.query('UPDATE agents SET last_seen_at = now() WHERE id = $1', [AGENT_ID]);
  await control.query(`UPDATE sync_jobs SET renewed_at = now() WHERE agent_id = $1 AND status = 'running'`, [
    AGENT_ID,
  ]);
}

/** Fills the organisation as a small company does: jobs, snapshots, keys, a mock endpoint, and a webhook with deliveries. */
export async function createExampleData(dashboard: DashboardTest): Promise<ExampleData> {
  const create = (path: string, body: object) => dashboard.call<Created>('POST', path, body);
  const { agents } = await dashboard.call<{ agents: readonly Created[] }>('GET', '/agents');
  const [agent] = agents;
  if (agent === undefined) throw new Error('expected an agent, found none');
  const jobs = await seedExampleJobs(dashboard);
  const snapshots = await seedSnapshots(dashboard);
  const { control } = dashboard.organization.databases;
  await control.query(`UPDATE agents SET name = 'eu-2' WHERE id = $1`, [AGENT_ID]);
  await control.query(`UPDATE sync_jobs SET name = 'First copy' WHERE id = $1`, [jobs.pending]);
  await create('/tokens', { name: 'ci', role: 'member', scopes: ['generate', 'jobs:write'] });
  await create('/tokens', { name: 'staging importer', role: 'member', expires_in_days: 30 });
  await create('/tokens', { name: 'monitoring', role: 'viewer', scopes: ['jobs:read', 'agents:read'] });
  const endpoint = await createEndpoint('/customers');
  await createEndpoint('/customers/:id');
  await create('/generators', GREETING);
  await seedUsageDays(dashboard);
  await addMembers();
  return { jobs, snapshots, agentId: agent.id, endpointId: endpoint.id, ...(await createWebhook()) };

  /** Adds three members. One has not accepted the invitation. */
  async function addMembers(): Promise<void> {
    for (const [name, email, role] of [
      ['Ada Lovelace', 'ada@example.com', 'admin'],
      ['Lin Wei', 'lin@example.com', 'viewer'],
      [undefined, 'grace@example.com', 'member'],
    ] as const) {
      const { invitation_token: token } = await dashboard.call<{ invitation_token: string }>(
        'POST',
        '/org/members',
        { email, role },
      );
      if (name !== undefined) await dashboard.call('POST', '/org/members/accept', { token, name });
    }
  }

  function createEndpoint(path: string): Promise<Created> {
    return create('/mock/endpoints', { path, method: 'GET', schema: CUSTOMERS, response: { count: 5 } });
  }

  /** Creates a webhook whose receiver refuses the first of three events. */
  async function createWebhook() {
    const statuses = [503, 204, 204];
    const server = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(statuses.shift() ?? 204).end());
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const webhook = await create('/webhooks', {
      url: `http://127.0.0.1:${port}/hooks/understudy`,
      events: ['sync.completed', 'sync.failed', 'snapshot.created'],
    });
    let deliveryId = '';
    while (statuses.length > 0) {
      const responded = once(server, 'request');
      deliveryId = (await create(`/webhooks/${webhook.id}/test`, {})).id;
      await responded;
    }
    server.unref();
    return { webhookId: webhook.id, deliveryId };
  }
}
