import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

interface Entry {
  readonly id: string;
  readonly occurred_at: string;
  readonly action: string;
  readonly actor: { type: string; id: string | null; member_id: string | null };
  readonly target: { type: string; id: string };
  readonly request_id: string | null;
  readonly details: Record<string, unknown>;
}

const JOB = {
  name: 'audited',
  source: { type: 'postgresql', connection_string: 'postgresql://u:canary-password@db:5432/shop' },
  target: { type: 'postgresql', connection_string: 'agent:b' },
  tables: [{ name: 'customers' }],
};

let plane: ControlPlane;
let orgId: string;
let token: { id: string; token: string };
const requestIds: string[] = [];
const secrets: string[] = [];

beforeAll(async () => {
  plane = await startControlPlane();
  orgId = await plane.addOrganization();
  token = await plane.addToken({ orgId });
});
afterAll(() => plane?.stop());

async function call(method: string, path: string, body?: unknown, as: string | null = token.token) {
  const response = await plane.request(path, { method, token: as, ...(body ? { body } : {}) });
  expect([method, path, response.status < 300]).toEqual([method, path, true]);
  const { data, meta } = response.body as unknown as {
    data: Record<string, string>;
    meta: { request_id: string };
  };
  if (method !== 'GET') requestIds.push(meta.request_id);
  for (const name of ['token', 'invitation_token', 'api_token']) if (data[name]) secrets.push(data[name]);
  return data;
}

const list = async (query = '') => {
  const data = await call('GET', `/v1/audit-log?per_page=100${query}`);
  return data as unknown as { entries: Entry[]; total: number };
};

describe('the audit log', () => {
  it('contains every change with its actor, action and request, and no secret', async () => {
    const made = await call('POST', '/v1/tokens', { name: 'ci', role: 'viewer' });
    await call('POST', `/v1/tokens/${made['id']}/rotate`);
    await call('DELETE', `/v1/tokens/${made['id']}`);
    const invited = await call('POST', '/v1/org/members', { email: 'ada@example.com', role: 'admin' });
    const accept = { token: invited['invitation_token'] };
    const joined = await call('POST', '/v1/org/members/accept', accept, null);
    const asMember = joined['api_token'] ?? '';
    await call('POST', '/v1/tokens', { name: 'hers', role: 'viewer' }, asMember);
    await call('PATCH', `/v1/org/members/${joined['id']}`, { role: 'viewer' });
    await call('DELETE', `/v1/org/members/${joined['id']}`);
    const enrolment = await call('POST', '/v1/agents/enrolment-tokens');
    await call('DELETE', `/v1/agents/enrolment-tokens/${enrolment['id']}`);
    const agentId = await plane.addAgent({ orgId });
    const job = await call('POST', '/v1/sync/jobs', JOB);
    await call('DELETE', `/v1/agents/${agentId}`);

    const { entries } = await list();
    expect(entries.map(({ action }) => action).reverse()).toEqual([
      'token.created', // by the helper of the test
      'token.created',
      'token.rotated',
      'token.revoked',
      'member.invited',
      'member.joined',
      'token.created',
      'token.created',
      'member.role_changed',
      'member.removed',
      'enrolment_token.created',
      'enrolment_token.revoked',
      'sync_job.created',
      'agent.revoked',
    ]);
    const at = (action: string, id?: string) =>
      entries.find((entry) => entry.action === action && (!id || entry.target.id === id));
    expect(at('token.rotated')).toMatchObject({
      actor: { type: 'token', id: token.id, member_id: null },
      target: { type: 'token', id: made['id'] },
      request_id: requestIds[1],
      details: { name: 'ci', role: 'viewer' },
    });
    expect(at('member.joined')).toMatchObject({ actor: { type: 'member', id: joined['id'] } });
    expect(at('member.role_changed')?.details).toEqual({
      email: 'ada@example.com',
      from: 'admin',
      to: 'viewer',
    });
    expect(at('sync_job.created', job['id'])?.details).toEqual({
      name: 'audited',
      source: 'postgresql://u:***@db:5432/shop',
      target: 'agent:b',
    });
    expect(new Set(entries.slice(0, -1).map(({ request_id }) => request_id))).toEqual(new Set(requestIds));
    const stored = JSON.stringify(await plane.query('SELECT row_to_json(e)::text FROM audit_entries e'));
    for (const secret of [...secrets, 'canary-password']) expect(stored).not.toContain(secret);
    expect(secrets.length).toBeGreaterThan(4);
  });

  it('can be filtered by time; the range includes its start and excludes its end', async () => {
    const { entries } = await list();
    const [first, second] = [entries.at(-2), entries.at(-4)];
    const [after, before] = [first?.occurred_at ?? '', second?.occurred_at ?? ''];
    const of = async (query: string) => (await list(query)).entries.map(({ id }) => id);
    const idsOf = (fits: (at: string) => boolean) =>
      entries.filter(({ occurred_at: at }) => fits(at)).map(({ id }) => id);
    expect(await of(`&occurred_after=${after}`)).toEqual(idsOf((at) => at >= after));
    expect(await of(`&occurred_before=${before}`)).toEqual(idsOf((at) => at < before));
    expect(await of(`&occurred_after=${after}&occurred_before=${before}`)).toEqual(
      idsOf((at) => at >= after && at < before),
    );
    expect(await of(`&occurred_after=${after}&action=token.rotated`)).toEqual(
      entries.filter(({ action }) => action === 'token.rotated').map(({ id }) => id),
    );
    expect(await of(`&occurred_after=${after}&occurred_before=${after}`)).toEqual([]);
    const refused = await plane.request('/v1/audit-log?occurred_after=now', { token: token.token });
    expect([refused.status, refused.body]).toMatchObject([
      422,
      { error: { details: [{ field: 'occurred_after' }] } },
    ]);
  });

  it('can be filtered by request, and returns no entry of a request of another organisation', async () => {
    const { entries } = await list();
    const request = entries.find(({ action }) => action === 'member.joined')?.request_id ?? '';
    const of = async (query: string) => (await list(query)).entries.map(({ action }) => action);
    expect((await of(`&request_id=${request}`)).sort()).toEqual(['member.joined', 'token.created']);
    expect(await of(`&request_id=${request}&action=token.created`)).toEqual(['token.created']);
    expect(await of('&request_id=req_unknown')).toEqual([]);
    const foreign = await plane.request(`/v1/audit-log?request_id=${request}`);
    expect(foreign.body).toMatchObject({ data: { entries: [], total: 0 } });
    const refused = await plane.request(`/v1/audit-log?request_id=${'x'.repeat(301)}`);
    expect([refused.status, refused.body]).toMatchObject([
      422,
      { error: { details: [{ field: 'request_id' }] } },
    ]);
  });

  it('can be filtered by action, actor, member and target', async () => {
    const { entries } = await list();
    const joined = entries.find(({ action }) => action === 'member.joined');
    const memberId = joined?.target.id ?? '';
    const of = async (query: string) => (await list(query)).entries.map(({ action }) => action);
    expect(await of('&action=token.rotated')).toEqual(['token.rotated']);
    expect(new Set(await of(`&target_id=${memberId}`))).toEqual(
      new Set(['member.removed', 'member.role_changed', 'member.joined', 'member.invited']),
    );
    // These entries are the member's own action and one with a token of the member.
    expect((await of(`&actor_id=${memberId}`)).sort()).toEqual([
      'member.joined',
      'token.created',
      'token.created',
    ]);
    expect((await plane.request('/v1/audit-log?action=nothing')).status).toBe(422);
  });

  it('shows only entries of the caller’s organisation', async () => {
    const { body } = await plane.request('/v1/audit-log'); // the log of the other organisation
    expect(JSON.stringify(body)).not.toContain(orgId);
    expect(JSON.stringify(body)).not.toContain('ada@example.com');
  });

  it.each([
    `UPDATE audit_entries SET action = 'x.y'`,
    'DELETE FROM audit_entries',
    'TRUNCATE audit_entries',
    'DELETE FROM organizations',
  ])('cannot be changed in the database: %s', async (sql) => {
    const count = () => plane.query('SELECT count(*) FROM audit_entries');
    const before = await count();
    await expect(plane.query(sql)).rejects.toThrow(/append-only|violates foreign key/);
    expect(await count()).toEqual(before);
  });
});
