import { createUser } from '@nats-io/nkeys';

import { installLines, type InstallLines } from '../../../src/agents/registry/enrolment/install-lines.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';
import { startFakeAgent } from '../harness/fake-agent.js';
import { fingerprint, POLICY_SUMMARY, testOffer } from '../harness/test-offer.js';

const PUBLIC_URL = 'https://understudy.example.com';

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({ http: { publicUrl: PUBLIC_URL } });
});
afterAll(() => plane?.stop());

const data = <T>({ body }: { body: unknown }) => (body as { data: T }).data;
interface EnrolmentToken {
  readonly id: string;
  readonly status: string;
  readonly token: string;
  readonly install: InstallLines;
}
const newToken = async () =>
  data<EnrolmentToken>(await plane.request('/v1/agents/enrolment-tokens', { method: 'POST' }));
const enrol = (token: string) =>
  plane.request('/v1/agents/enroll', {
    method: 'POST',
    token: null,
    body: {
      token,
      name: 'eu-1',
      nats_public_key: createUser().getPublicKey(),
      sealing_public_key: Buffer.alloc(32, 7).toString('base64'),
    },
  });

describe('enrolment tokens', () => {
  it('are shown once, can be used once, and are listed with their outcome', async () => {
    const response = await plane.request('/v1/agents/enrolment-tokens', { method: 'POST', body: {} });
    const { token, install, ...made } = data<EnrolmentToken>(response);
    expect([response.status, response.headers.get('location')]).toEqual([
      201,
      `/v1/agents/enrolment-tokens/${made.id}`,
    ]);
    expect(JSON.stringify(install)).not.toContain(token);
    expect(install).toEqual(installLines(PUBLIC_URL));
    expect(made).toEqual({
      id: expect.stringMatching(/^enr_/),
      status: 'unused',
      created_at: expect.any(String),
      expires_at: expect.any(String),
      used_at: null,
      agent_id: null,
    });
    const shown = await plane.request(`/v1/agents/enrolment-tokens/${made.id}`);
    expect([shown.text.includes(token), data(shown)]).toEqual([false, made]);
    const agent = data<{ agent_id: string }>(await enrol(token));
    expect((await enrol(token)).status).toBe(401);
    const listed = await plane.request('/v1/agents/enrolment-tokens');
    expect(data(listed)).toEqual({
      enrolment_tokens: [{ ...made, status: 'used', used_at: expect.any(String), agent_id: agent.agent_id }],
      total: 1,
      page: 1,
      per_page: 20,
    });
  });

  it('cannot be used after they are revoked', async () => {
    const { id, token } = await newToken();
    const revoked = await plane.request(`/v1/agents/enrolment-tokens/${id}`, { method: 'DELETE' });
    expect([revoked.status, data(revoked)]).toEqual([200, { deleted: true, id }]);
    expect((await enrol(token)).status).toBe(401);
    expect((await plane.request(`/v1/agents/enrolment-tokens/${id}`)).status).toBe(404);
  });

  it('are listed as expired after their expiry', async () => {
    const { id } = await newToken();
    await plane.query('UPDATE enrolment_tokens SET expires_at = now() WHERE id = $1', [id]);
    const shown = await plane.request(`/v1/agents/enrolment-tokens/${id}`);
    expect(data(shown)).toMatchObject({ status: 'expired', used_at: null });
  });
});

describe('agents', () => {
  it('are listed in pages with the time of their last heartbeat, and can be revoked', async () => {
    const orgId = await plane.addOrganization();
    const { token } = await plane.addToken({ orgId });
    const ids: string[] = [];
    const policies = {
      url: fingerprint('2'),
      'agent:staging': fingerprint('2'),
      'agent:shop': fingerprint('2'),
    };
    const offer = testOffer({ labels: ['eu'], policies });
    for (let i = 0; i < 3; i++) ids.unshift(await plane.addAgent({ orgId, offer }));
    const list = async (query: string) =>
      data<{ agents: { id: string }[]; total: number }>(
        await plane.request(`/v1/agents?${query}`, { token }),
      );
    expect(await list('per_page=2')).toMatchObject({ agents: [{ id: ids[0] }, { id: ids[1] }], total: 3 });
    expect(await list('per_page=2&page=2')).toMatchObject({ agents: [{ id: ids[2] }], total: 3 });

    const [id] = ids;
    const show = async () => data(await plane.request(`/v1/agents/${id}`, { token }));
    expect(await show()).toEqual({
      id,
      name: 'a',
      status: 'away',
      last_seen_at: null,
      version: null,
      labels: ['eu'],
      databases: ['shop', 'staging'],
      masking_key_fingerprint: fingerprint('1'),
      slots: null,
      free_slots: 0,
      running: [],
      snapshot_store: null,
      policy: null,
      enrolled_at: expect.any(String),
      last_started_at: null,
      last_conflict_at: null,
    });
    await plane.query('UPDATE agents SET last_seen_at = now(), version = $2 WHERE id = $1', [id, '0.1.0']);
    expect(await show()).toMatchObject({
      status: 'live',
      version: '0.1.0',
      last_seen_at: expect.any(String),
    });
    const revoke = () => plane.request(`/v1/agents/${id}`, { method: 'DELETE', token });
    expect(data(await revoke())).toMatchObject({ deleted: true, id, status: 'revoked' });
    expect(await show()).toMatchObject({ status: 'revoked' });
    expect((await revoke()).status).toBe(200);
    const entries = await plane.query(
      `SELECT 1 FROM audit_entries WHERE action = 'agent.revoked' AND target_id = $1`,
      [id],
    );
    expect(entries).toHaveLength(1);
  });

  it('show their slots, store and policy in counts, and the work that they hold', async () => {
    const orgId = await plane.addOrganization();
    const { token } = await plane.addToken({ orgId });
    const reported = { slots: 5, snapshotStoreKind: 'bucket', policy: POLICY_SUMMARY } as const;
    const agent = await startFakeAgent(plane, { orgId, freeSlots: 3, offer: testOffer(reported) });
    try {
      await agent.beat();
      const posted = await plane.request('/v1/snapshots', {
        method: 'POST',
        token,
        body: { name: 'before', database: 'shop' },
      });
      const { id: snapshotId } = data<{ id: string }>(posted);
      await agent.beat();
      expect(await agent.nextCommand()).toMatchObject({ case: 'createSnapshot' });
      await agent.beat([{ jobId: snapshotId, epoch: 1 }]);
      const shown = data(await plane.request(`/v1/agents/${agent.id}`, { token }));
      expect(shown).toMatchObject({
        slots: 5,
        free_slots: 3,
        running: [
          { type: 'snapshot', id: snapshotId, leased_at: expect.any(String), held_until: expect.any(String) },
        ],
        snapshot_store: 'bucket',
        policy: {
          databases: POLICY_SUMMARY.databases,
          urls: POLICY_SUMMARY.urls,
          min_sslmode: 'verify_full',
          allow_plaintext: false,
          never_preserve_count: 3,
          protect_text: true,
          may_preserve_count: 2,
          reject_unlisted: true,
          allow_where: false,
          allow_training: true,
          min_values_floor: 20,
          snapshot_min_age_hours: 48,
          keep_replaced_hours: 24,
          report_names: false,
          allow_shared_schemas: false,
          ...{ allow_security_definer: true, allow_end_sessions: true, max_database_bytes: 10 ** 12 },
        },
      });
      expect(data(await plane.request('/v1/agents', { token }))).toMatchObject({ agents: [shown] });
    } finally {
      await agent.stop();
    }
  });

  it('show null for what agents before these fields do not report', async () => {
    const orgId = await plane.addOrganization();
    const { token } = await plane.addToken({ orgId });
    const agents = await Promise.all([
      startFakeAgent(plane, { orgId }),
      startFakeAgent(plane, { orgId, store: null }),
    ]);
    try {
      const unknown = { slots: null, free_slots: 4, running: [], policy: null };
      for (const [index, snapshot_store] of [null, 'none'].entries()) {
        const agent = agents[index];
        await agent?.beat();
        const shown = await plane.request(`/v1/agents/${agent?.id}`, { token });
        expect(data(shown)).toMatchObject({ ...unknown, snapshot_store });
      }
    } finally {
      await Promise.all(agents.map((agent) => agent.stop()));
    }
  });

  it('list the models that they trained by name and keyed hash', async () => {
    const agentId = await plane.addAgent();
    const hash = 'ab'.repeat(32);
    for (const [name, day] of [
      ['private/old', '2026-01-01T00:00:00Z'],
      ['private/new', '2026-02-01T00:00:00Z'],
    ])
      await plane.query('INSERT INTO private_models VALUES ($1, $2, $3, $4, $5)', [
        plane.orgId,
        name,
        hash,
        agentId,
        day,
      ]);
    const response = await plane.request(`/v1/agents/${agentId}/models?per_page=1`);
    expect(data(response)).toEqual({
      models: [
        { id: 'private/new', name: 'new', hash, agent_id: agentId, trained_at: '2026-02-01T00:00:00.000Z' },
      ],
      total: 2,
      page: 1,
      per_page: 1,
    });
  });
});
