import { createUser } from '@nats-io/nkeys';
import { waitFor } from '@understudy/testing';
import createClient from 'openapi-fetch';

import { renewalMessage } from '../../../src/agents/agents.dto.js';
import { OPERATIONS } from '../../../src/http/operations/operations.js';
import { hostedModelMessage } from '../../../src/sync-jobs/hosted-models/hosted-model.dto.js';
import type { paths } from './generated/openapi.js';
import { handleCommands, startFakeAgent } from '../harness/fake-agent.js';
import { modelForm } from '../harness/model-files.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

// The compiler checks every call here against the types that openapi-typescript generates from
// docs/reference/openapi.json.
let plane: ControlPlane;
const called = new Set<string>();
const clientOf = (token: string | null) => {
  const client = createClient<paths>({
    baseUrl: `${plane.url}/v1`,
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  });
  client.use({
    onRequest: ({ request, schemaPath }) =>
      void called.add(`${request.method} /v1${schemaPath.replace(/\{(\w+)\}/g, ':$1')}`),
  });
  return client;
};
type Client = ReturnType<typeof clientOf>;

let client: Client;
beforeAll(async () => {
  plane = await startControlPlane();
  client = clientOf(plane.token);
});
afterAll(() => plane?.stop());

/** Returns the data of a successful response. Throws for any other response. */
function dataOf<T>({ data, error }: { data?: { data: T }; error?: unknown }): T {
  if (data === undefined) throw new Error(`refused: ${JSON.stringify(error)}`);
  return data.data;
}

/** Returns a secret, which only the first response to a request contains. */
function shown(secret: string | undefined): string {
  if (secret === undefined) throw new Error('expected a secret in the first response');
  return secret;
}

const at = (id: string) => ({ params: { path: { id } } });

describe('a client generated from the OpenAPI document', () => {
  it('generates records', async () => {
    const schema = { generators: { n: { type: 'svc', algorithm: 'sequence' } }, output: ['n'] };
    const answer = await client.POST('/generate', { body: { schema, count: 3, seed: 7 } });
    const made = typeof answer.data === 'object' ? answer.data.data : answer; // CSV and NDJSON responses are strings
    expect(made).toEqual({ records: [{ n: 1 }, { n: 2 }, { n: 3 }], count: 3, seed: 7 });
  });

  it('uploads, finds and deletes models', async () => {
    const body = { name: 'A client', id: 'client', description: 'a model', file: '' };
    const uploaded = dataOf(
      await client.POST('/models', {
        body,
        bodySerializer: () => modelForm({ name: body.name, id: body.id }),
      }),
    );
    expect(uploaded).toMatchObject({ id: 'custom/client', type: 'custom', locale: 'de_DE' });
    const listed = dataOf(
      await client.GET('/models', { params: { query: { type: 'custom', kind: 'ngram', per_page: 5 } } }),
    );
    expect(listed).toMatchObject({ models: [{ id: uploaded.id }], total: 1 });
    expect(dataOf(await client.GET('/models/{id}', at(uploaded.id)))).toMatchObject({
      id: uploaded.id,
      ngram_order: 3,
    });
    expect(dataOf(await client.DELETE('/models/{id}', at(uploaded.id)))).toEqual({
      deleted: true,
      id: uploaded.id,
    });
  });

  it('registers, finds and deletes compositions', async () => {
    const body = { name: '@acme/people:greeting', version: '1.2.3', body: 'Hello' };
    const registered = dataOf(await client.POST('/generators', { body }));
    expect(registered).toMatchObject({ id: '@acme/people:greeting@1.2.3', versions: ['1.2.3'] });
    const query = { name: body.name };
    expect(dataOf(await client.GET('/generators', { params: { query } })).generators).toMatchObject([
      { id: registered.id },
    ]);
    expect(dataOf(await client.GET('/generators/{id}', at(registered.id))).definition).toEqual(body);
    expect(dataOf(await client.DELETE('/generators/{id}', at(registered.id))).deleted).toBe(true);
  });

  it('creates, finds and deletes mock endpoints', async () => {
    const schema = { generators: { n: { type: 'svc', algorithm: 'sequence' } }, output: ['n'] };
    const body = { path: '/api/numbers', method: 'GET' as const, schema, response: { count: 2 } };
    const made = dataOf(await client.POST('/mock/endpoints', { body }));
    expect(made).toMatchObject({ path: body.path, schema, response: { count: 2, status: 200 } });
    expect(dataOf(await client.GET('/mock/endpoints')).endpoints).toMatchObject([
      { id: made.id, schema: `${made.id}.schema.json` },
    ]);
    expect(dataOf(await client.GET('/mock/endpoints/{id}', at(made.id)))).toEqual(made);
    expect(dataOf(await client.DELETE('/mock/endpoints/{id}', at(made.id))).deleted).toBe(true);
  });

  it('creates, watches and cancels sync jobs', async () => {
    const database = { type: 'postgresql' as const, connection_string: 'agent:shop' };
    const body = { name: 'nightly', source: database, target: database, tables: [{ name: 'customers' }] };
    const job = dataOf(await client.POST('/sync/jobs', { body }));
    expect(dataOf(await client.GET('/sync/jobs/{id}', at(job.id)))).toMatchObject({
      id: job.id,
      status: 'pending',
    });
    const listed = dataOf(await client.GET('/sync/jobs', { params: { query: { status: 'pending' } } }));
    expect(listed.jobs.map(({ id }) => id)).toEqual([job.id]);
    const released = await client.POST('/sync/jobs/{id}/release', { ...at(job.id), body: {} });
    expect([released.response.status, released.error?.error.code]).toEqual([409, 'conflict']);
    const cancelled = await client.DELETE('/sync/jobs/{id}', at(job.id));
    expect([cancelled.response.status, dataOf<{ cancelled: boolean }>(cancelled)]).toMatchObject([
      202,
      { cancelled: true },
    ]);
  });

  it('manages members', async () => {
    expect(dataOf(await client.GET('/org'))).toMatchObject({ id: plane.orgId, plan: 'business' });
    expect(dataOf(await client.PATCH('/org', { body: { plan: 'business' } })).plan).toBe('business');
    const email = 'client@example.com';
    const invitation = { params: { header: { 'Idempotency-Key': 'invitation' } } };
    const invited = dataOf(
      await client.POST('/org/members', { ...invitation, body: { email, role: 'viewer' } }),
    );
    const joined = dataOf(
      await clientOf(null).POST('/org/members/accept', {
        body: { token: shown(invited.invitation_token), name: 'Ada' },
      }),
    );
    expect(dataOf(await clientOf(joined.api_token).GET('/org/members')).members).toMatchObject([
      { email, name: 'Ada' },
    ]);
    const changed = await client.PATCH('/org/members/{id}', { ...at(joined.id), body: { role: 'member' } });
    expect(dataOf(changed).role).toBe('member');
    expect(dataOf(await client.GET('/org/members/{id}', at(joined.id))).status).toBe('active');
    expect(dataOf(await client.DELETE('/org/members/{id}', at(joined.id))).deleted).toBe(true);
  });

  it('manages API tokens', async () => {
    const made = dataOf(
      await client.POST('/tokens', { body: { name: 'ci', role: 'member', scopes: ['generate'] } }),
    );
    expect(dataOf(await client.GET('/tokens/{id}', at(made.id)))).toMatchObject({
      name: 'ci',
      scopes: ['generate'],
    });
    const rotated = dataOf(
      await client.POST('/tokens/{id}/rotate', { ...at(made.id), body: { expires_in_days: 1 } }),
    );
    expect(rotated.token).not.toBe(made.token);
    expect(dataOf(await client.GET('/tokens')).tokens.map(({ id }) => id)).toContain(made.id);
    expect(dataOf(await client.DELETE('/tokens/{id}', at(made.id))).deleted).toBe(true);
    const { error, response } = await client.GET('/tokens/{id}', at(made.id));
    expect([response.status, error?.error.code]).toEqual([404, 'not_found']);
  });

  it('enrols, shows and revokes agents', async () => {
    const spare = dataOf(await client.POST('/agents/enrolment-tokens'));
    expect(dataOf(await client.GET('/agents/enrolment-tokens/{id}', at(spare.id))).status).toBe('unused');
    expect(dataOf(await client.GET('/agents/enrolment-tokens')).total).toBe(1);
    expect(dataOf(await client.DELETE('/agents/enrolment-tokens/{id}', at(spare.id))).deleted).toBe(true);

    const user = createUser();
    const token = shown(dataOf(await client.POST('/agents/enrolment-tokens', { body: {} })).token);
    const keys = {
      nats_public_key: user.getPublicKey(),
      sealing_public_key: Buffer.alloc(32, 7).toString('base64'),
    };
    const agents = clientOf(null);
    const { agent_id } = dataOf(
      await agents.POST('/agents/enroll', { body: { token, name: 'eu-1', ...keys } }),
    );
    const issued_at = new Date().toISOString();
    const renewal = {
      agent_id,
      issued_at,
      nonce: 'nonce-nonce-nonce',
      instance: 'i'.repeat(22),
      take_over: true,
    };
    const signed = user.sign(new TextEncoder().encode(renewalMessage(renewal)));
    const renewed = await agents.POST('/agents/renew', {
      body: {
        ...renewal,
        signature: Buffer.from(signed).toString('base64'),
      },
    });
    expect(dataOf(renewed).agent_id).toBe(agent_id);
    const wanted = { job_id: `job_${'0'.repeat(26)}`, sha256: '0'.repeat(64) };
    const request = { agent_id, issued_at, nonce: 'another-nonce-here', ...wanted };
    const file = await agents.POST('/agents/hosted-models', {
      body: {
        ...request,
        signature: Buffer.from(
          user.sign(new TextEncoder().encode(hostedModelMessage({ ...request, signature: '' }))),
        ).toString('base64'),
      },
    });
    expect([file.response.status, file.error?.error.code]).toEqual([404, 'not_found']);
    expect(dataOf(await client.GET('/agents')).agents).toMatchObject([{ id: agent_id, name: 'eu-1' }]);
    expect(dataOf(await client.GET('/agents/{id}', at(agent_id))).status).toBe('away');
    expect(dataOf(await client.GET('/agents/{id}/models', at(agent_id))).models).toEqual([]);
    expect(dataOf(await client.DELETE('/agents/{id}', at(agent_id))).status).toBe('revoked');
  });

  it('creates, restores and deletes snapshots', async () => {
    const agent = await startFakeAgent(plane);
    await agent.beat();
    handleCommands(agent);
    const body = { name: 'nightly', database: 'shop', tables: ['customers'], expires_in_days: 7 };
    const made = dataOf(await client.POST('/snapshots', { body }));
    expect(made).toMatchObject({ name: 'nightly', database: 'shop', status: 'creating', size_bytes: 0 });
    await waitFor('the snapshot', async () => {
      const shown = dataOf(await client.GET('/snapshots/{id}', at(made.id)));
      return shown.status === 'ready';
    });
    expect(dataOf(await client.GET('/snapshots')).snapshots).toMatchObject([{ id: made.id }]);
    const restore = dataOf(
      await client.POST('/snapshots/{id}/restore', { ...at(made.id), body: { target_database: 'review' } }),
    );
    const path = { id: made.id, restore_id: restore.restore_id };
    const shown = await client.GET('/snapshots/{id}/restores/{restore_id}', { params: { path } });
    expect(dataOf(shown)).toMatchObject({ target_database: 'review', overwrite: false });
    expect(dataOf(await client.DELETE('/snapshots/{id}', at(made.id)))).toEqual({
      deleted: true,
      id: made.id,
    });
  });

  it('manages webhooks and reads their deliveries', async () => {
    const url = 'https://hooks.example.com/understudy';
    const made = dataOf(await client.POST('/webhooks', { body: { url, events: ['sync.failed'] } }));
    expect(shown(made.secret)).toMatch(/^whsec_/);
    expect(dataOf(await client.GET('/webhooks')).webhooks.map(({ id }) => id)).toEqual([made.id]);
    const rotated = dataOf(
      await client.POST('/webhooks/{id}/rotate', { ...at(made.id), body: { overlap_hours: 1 } }),
    );
    expect(shown(rotated.secret)).not.toBe(made.secret);
    const sent = dataOf(await client.POST('/webhooks/{id}/test', at(made.id)));
    expect(dataOf(await client.GET('/webhooks/deliveries/{id}', at(sent.id))).event).toBe('webhook.test');
    const again = dataOf(await client.POST('/webhooks/deliveries/{id}/resend', at(sent.id)));
    expect([again.event_id, again.resend_of]).toEqual([sent.event_id, sent.id]);
    expect(dataOf(await client.GET('/webhooks/{id}/deliveries', at(made.id))).total).toBe(2);
    const changed = dataOf(
      await client.PATCH('/webhooks/{id}', { ...at(made.id), body: { enabled: false } }),
    );
    expect(dataOf(await client.GET('/webhooks/{id}', at(made.id)))).toEqual(changed);
    expect(dataOf(await client.DELETE('/webhooks/{id}', at(made.id))).deleted).toBe(true);
  });

  it('reads the audit log', async () => {
    const query = { action: 'agent.revoked' as const };
    expect(dataOf(await client.GET('/audit-log', { params: { query } })).entries).toMatchObject([query]);
    expect((await client.GET('/openapi.json')).data).toMatchObject({ openapi: '3.1.0' });
  });

  it('has called every operation', () => {
    expect([...called].sort()).toEqual(OPERATIONS.map(({ method, path }) => `${method} ${path}`).sort());
  });
});
