import { type AgentOffer, BY_URL, byName, namesOfCapabilities } from '@understudy/agent-protocol';
import { AgentCapability, enumValue, FailureCode, type RunSyncJob } from '@understudy/agent-protocol/schema';
import { parseExactJson } from '@understudy/expression';
import { casesOf, inBoth, it, waitFor } from '@understudy/testing';

import { WorkLeasesService } from '../../../src/agents/agent-work/leases/work-leases.service.js';
import {
  makeSnapshot,
  startFakeAgent,
  type FakeAgent,
  type FakeAgentOptions,
} from '../harness/fake-agent.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';
import { fingerprint, testOffer } from '../harness/test-offer.js';

const SHOP = byName('shop');
const STAGING = byName('staging');
const NAMED = jobOf('agent:shop', 'agent:staging');
const BY_URLS = jobOf('postgresql://u:p@db.example/shop', 'postgresql://u:p@db.example/staging');
const OTHER_KEY = testOffer({ maskingKey: fingerprint('8') });
const OTHER_POLICY = testOffer({ policies: { ...testOffer().policies, [SHOP]: fingerprint('9') } });

let plane: ControlPlane;
const agents: FakeAgent[] = [];

beforeAll(async () => {
  plane = await startControlPlane({ syncJobs: { reconcileMs: 500 } });
});
afterEach(async () => {
  await Promise.all(agents.splice(0).map((agent) => agent.stop()));
  // Otherwise, the reconciler would offer the waiting jobs and resend the commands of all tests before.
  await plane.query('DELETE FROM sync_jobs');
});
afterAll(() => plane?.stop());

function jobOf(source: string, target: string) {
  const database = (text: string) => ({ type: 'postgresql', connection_string: text });
  return {
    name: 'nightly',
    source: database(source),
    target: database(target),
    tables: [{ name: 'customers' }],
  };
}

/** The part of a request with one table, whose column has a rule. */
function tableWith(rule: string) {
  return { tables: [{ name: 'customers', columns: { id: parseExactJson(rule) } }] };
}

async function organization() {
  const orgId = await plane.addOrganization();
  const { token } = await plane.addToken({ orgId });
  const request = (path: string, body?: object) =>
    plane.request(path, { token, ...(body === undefined ? {} : { method: 'POST', body }) });
  const get = async (id: string) => {
    const { body } = await request(`/v1/sync/jobs/${id}`);
    return (body as unknown as { data: Job }).data;
  };
  return {
    request,
    get,
    live: async (options: FakeAgentOptions = {}) => {
      const agent = await startFakeAgent(plane, { orgId, ...options });
      agents.push(agent);
      await agent.beat();
      return agent;
    },
    post: async (body: object = NAMED, path = '/v1/sync/jobs') => {
      const response = await request(path, body);
      expect(response.status).toBe(201);
      return (response.body as unknown as { data: Job }).data.id;
    },
    ended: (id: string) =>
      waitFor('the job to end', async () => {
        const job = await get(id);
        return job.status === 'failed' && job;
      }),
  };
}

interface Job {
  readonly id: string;
  readonly status: string;
  readonly agent: object | null;
  readonly agent_id: string | null;
  readonly error: { code: string; message: string } | null;
  readonly warnings: { code: string; message: string }[];
}

async function runs(agent: FakeAgent): Promise<RunSyncJob> {
  const command = await agent.nextCommand();
  if (command.case !== 'runSyncJob') throw new Error(`expected runSyncJob, got ${String(command.case)}`);
  return command.value;
}

function bytesOf(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'));
}

async function isAway(agent: FakeAgent): Promise<void> {
  await plane.query(`UPDATE agents SET last_seen_at = now() - interval '1 hour' WHERE id = $1`, [agent.id]);
}

/** Simulates that the agent with the job has stopped sending heartbeats. */
async function isLost(id: string, agent: FakeAgent): Promise<void> {
  await isAway(agent);
  await plane.query(`UPDATE sync_jobs SET lease_expires_at = now() - interval '1 second' WHERE id = $1`, [
    id,
  ]);
  await plane.app.get(WorkLeasesService, { strict: false }).reclaimExpired();
}

describe('a database that two live agents offer', () => {
  it.each([
    ['different servers or policies', OTHER_POLICY, 'servers or policies'],
    ['different masking keys', OTHER_KEY, 'masking keys'],
  ])('causes 409 for %s until the job selects one of them', async (_, offer, words) => {
    const org = await organization();
    await org.live({ name: 'x' });
    const second = await org.live({ name: 'x', offer: { ...offer, labels: ['eu'] } });
    for (const selection of [{}, { agent: { name: 'x' } }]) {
      const refused = await org.request('/v1/sync/jobs', { ...NAMED, ...selection });
      expect([refused.status, refused.body['error']]).toEqual([
        409,
        expect.objectContaining({ code: 'conflict', message: expect.stringContaining(words) as string }),
      ]);
    }
    await org.post({ ...NAMED, agent: { name: 'x', labels: ['eu'] } });
    await runs(second);
    const id = await org.post({ ...NAMED, agent: { id: second.id } });
    expect((await runs(second)).jobId).toBe(id);
  });

  it('can be used through either agent if both have the same key, server and policy', async () => {
    const org = await organization();
    await org.live();
    await org.live();
    await org.post();
  });

  it('causes 409 for snapshots and restores too if the servers differ', async () => {
    const org = await organization();
    const keeper = await org.live();
    const asked = await org.request('/v1/snapshots', { name: 's', database: 'shop' });
    expect(asked.status).toBe(201);
    const command = await keeper.nextCommand();
    if (command.case !== 'createSnapshot') throw new Error('expected createSnapshot');
    await makeSnapshot(keeper, command.value);
    await org.live({ offer: OTHER_KEY });
    expect((await org.request('/v1/snapshots', { name: 's', database: 'shop' })).status).toBe(409);
    const restore = `/v1/snapshots/${command.value.snapshotId}/restore`;
    expect((await org.request(restore, { target_database: 'review' })).status).toBe(409);
    const chosen = await org.request(restore, { target_database: 'review', agent: { id: keeper.id } });
    expect([chosen.status, keeper.prechecks.length]).toEqual([202, 1]);
  });
});

describe('a job', () => {
  it.each([
    ['id', (agent: FakeAgent) => ({ id: agent.id })],
    ['name', () => ({ name: 'eu-1' })],
    ['label', () => ({ labels: ['eu', 'gpu'] })],
  ])('waits for the agent that it selects by %s', async (_, select) => {
    const org = await organization();
    await org.live({ name: 'us-1', freeSlots: 60, offer: testOffer({ labels: ['us', 'gpu'] }) });
    const chosen = await org.live({
      name: 'eu-1',
      freeSlots: 1,
      offer: testOffer({ labels: ['eu', 'gpu'] }),
    });
    await isAway(chosen);
    const id = await org.post({ ...NAMED, agent: select(chosen) });
    expect(await org.get(id)).toMatchObject({
      agent: select(chosen),
      warnings: [{ code: 'no_matching_agent' }],
    });
    await chosen.beat();
    expect((await runs(chosen)).jobId).toBe(id);
  });

  it.each([
    ['nothing', {}],
    ['an unknown part', { region: 'eu' }],
    ['an empty list of labels', { labels: [] }],
    ['an invalid id', { id: 'eu-1' }],
    ['a list', ['eu-1']],
  ])('is refused if it selects by %s', async (_, agent) => {
    const org = await organization();
    const { status, body } = await org.request('/v1/sync/jobs', { ...NAMED, agent });
    expect([status, body['error']]).toEqual([422, expect.objectContaining({ code: 'validation_error' })]);
  });

  it('goes only to agents that offer its databases, even if older jobs wait for other agents', async () => {
    const org = await organization();
    const offering = (...keys: string[]): AgentOffer =>
      testOffer({ policies: Object.fromEntries(keys.map((key) => [key, fingerprint('2')])) });
    const other = await org.live({ freeSlots: 1, offer: offering(SHOP) });
    const waiting = await org.post();
    expect((await org.get(waiting)).warnings).toMatchObject([{ code: 'no_matching_agent' }]);
    const own = await org.post(jobOf('agent:shop', 'agent:shop'));
    expect((await runs(other)).jobId).toBe(own);
    expect((await org.get(waiting)).agent_id).toBeNull();
    const able = await org.live({ offer: offering(SHOP, STAGING) });
    expect((await runs(able)).jobId).toBe(waiting);
  });

  const NEEDS = [
    ['unlisted_tables', { unlisted_tables: 'reject', ignored_tables: ['s."T"'] }],
    ['exact_numbers', tableWith('{"type":"list","values":[0.12345678901234567890]}')],
    ['unlisted_tables', { unlisted_tables: 'warn', dry_run: true }],
    ['refresh_materialized_views', { refresh_materialized_views: true }],
    ['source_code', { source_code: 'omit' }],
    ['orphans', { orphans: 'not_valid' }],
    [
      'exact_numbers',
      tableWith('{"json":{"a":{"generator":{"type":"list","values":[[9007199254740993]]}}}}'),
    ],
    ['exact_numbers', tableWith('{"use":"@capability/exact:id"}')],
  ] as const;
  inBoth.each(casesOf(NEEDS, 3))(
    'that needs %s waits for an agent whose offer names it',
    async (capability, options) => {
      const org = await organization();
      await org.post(
        parseExactJson(
          '{"name":"@capability/exact:id","let":{"id":{"type":"list","values":[9007199254740993]}},"body":"{{id}}"}',
        ) as object,
        '/v1/generators',
      );
      const old = await org.live(); // the offer of an agent from before the capability
      const id = await org.post({ ...NAMED, ...options });
      const { status, warnings } = await org.get(id);
      expect([status, warnings]).toEqual([
        'pending',
        [{ code: 'no_matching_agent', message: expect.any(String) }],
      ]);
      expect(warnings[0]?.message).toContain(`too old for ${namesOfCapabilities([capability])}.`);
      expect(await old.pendingCommand()).toBeUndefined();
      const able = await org.live({ offer: testOffer({ capabilities: [capability] }) });
      // Agents from before the capability do not know this kind of command.
      const number = enumValue(AgentCapability, capability);
      const kind = number > AgentCapability.SOURCE_CODE ? 'runCapableSyncJob' : 'runOptionedSyncJob';
      const needs = [number];
      expect(await able.nextCommand()).toMatchObject({ case: kind, value: { jobId: id, needs } });
      expect(await old.pendingCommand()).toBeUndefined();
    },
  );

  it('without an option that narrows it goes to every agent', async () => {
    const org = await organization();
    const old = await org.live();
    const id = await org.post({ ...NAMED, unlisted_tables: 'ignore', refresh_materialized_views: false });
    expect((await runs(old)).jobId).toBe(id);
  });

  it('with connection URLs and an option is refused if all agents are from before the option', async () => {
    const org = await organization();
    await org.live();
    const job = { ...BY_URLS, unlisted_tables: 'reject' };
    const { status, body } = await org.request('/v1/sync/jobs', job);
    expect([status, body['error']]).toEqual([
      409,
      expect.objectContaining({ code: 'conflict', message: expect.stringContaining('Update an agent') }),
    ]);
    await org.live({ offer: testOffer({ capabilities: ['unlisted_tables'] }) });
    await org.post(job);
  });

  it('with ignored tables that cannot have an effect is refused with the path of each', async () => {
    const org = await organization();
    const post = (options: object) => org.request('/v1/sync/jobs', { ...NAMED, ...options });
    const fields = async (options: object) => {
      const { body } = await post(options);
      return (body as unknown as { error: { details: { field: string }[] } }).error.details.map(
        ({ field }) => field,
      );
    };
    expect(await fields({ ignored_tables: ['a'] })).toEqual(['ignored_tables']);
    expect(await fields({ unlisted_tables: 'none', ignored_tables: 'a' })).toEqual(
      expect.arrayContaining(['unlisted_tables', 'ignored_tables']),
    );
    const ignored_tables = ['a', 'PUBLIC.Customers', '"a"', 'b.', '"A"'];
    expect(await fields({ unlisted_tables: 'warn', ignored_tables })).toEqual(
      [1, 2, 3].map((index) => `ignored_tables[${index}]`),
    );
  });

  it('is not given to an agent that offers no databases', async () => {
    const org = await organization();
    const old = await org.live({ offer: null });
    const id = await org.post();
    expect((await org.get(id)).warnings).toMatchObject([{ code: 'no_matching_agent' }]);
    expect(await old.pendingCommand()).toBeUndefined();
  });
});

describe('a waiting job', () => {
  const waits = (id: string) =>
    waitFor('the start of the wait', async () => {
      const [row] = await plane.query('SELECT unmatched_since FROM sync_jobs WHERE id = $1', [id]);
      return row?.['unmatched_since'] !== null;
    });
  const waitedLong = (id: string) =>
    plane.query(`UPDATE sync_jobs SET unmatched_since = now() - interval '46 seconds' WHERE id = $1`, [id]);

  const LATER = [
    ['another server or policy', OTHER_POLICY, {}],
    ['another masking key', OTHER_KEY, {}],
    ['no policy for one of the databases', testOffer({ policies: { [STAGING]: fingerprint('2') } }), {}],
    ['the selected name and another policy', OTHER_POLICY, { agent: { name: 'x' } }],
  ] as const;
  inBoth.each(casesOf(LATER, 2))(
    'never goes to an agent with %s that connects later',
    async (_, offer, selection) => {
      const org = await organization();
      const first = await org.live({ name: 'x', freeSlots: 1 });
      const [running, waiting] = [await org.post(), await org.post({ ...NAMED, ...selection })];
      const { epoch } = await runs(first);
      const later = await org.live({ name: 'x', freeSlots: 60, offer });
      expect(await later.pendingCommand()).toBeUndefined();
      const event = { case: 'failed', value: { code: FailureCode.POLICY_DENIED } } as const;
      await first.report({ case: 'syncJob', value: { jobId: running, epoch, seq: 1, event } });
      await org.ended(running);
      await first.beat();
      for (let command = await first.nextCommand(); ; command = await first.nextCommand()) {
        if (command.case !== 'runSyncJob') continue;
        expect(command.value.jobId).toBe(waiting);
        break;
      }
      expect(await later.pendingCommand()).toBeUndefined();
    },
  );

  const JOBS = [
    ['named databases', NAMED],
    ['a named database and a URL', { ...NAMED, target: BY_URLS.target }],
    ['named databases of a selected agent', { ...NAMED, agent: { name: 'x' } }],
  ] as const;
  inBoth.each(casesOf(JOBS, 1))(
    'for %s fails if only agents with another policy stay connected',
    async (_, job) => {
      const org = await organization();
      const first = await org.live({ name: 'x', freeSlots: 0 });
      const later = await org.live({ name: 'x', freeSlots: 0 });
      const id = await org.post(job);
      await isAway(first);
      later.offer = OTHER_POLICY;
      later.freeSlots = 1;
      await later.beat();
      await waits(id);
      expect(await org.get(id)).toMatchObject({
        status: 'pending',
        warnings: [{ code: 'no_matching_agent' }],
      });
      await waitedLong(id);
      expect((await org.ended(id)).error).toMatchObject({
        code: 'no_matching_agent',
        message: expect.stringContaining('a different policy') as string,
      });
      expect(await later.pendingCommand()).toBeUndefined();
    },
  );

  it('that no agent could run at first goes to none of two agents that differ', async () => {
    const org = await organization();
    const [left, waiting] = [await org.post(), await org.post()];
    const first = await org.live({ freeSlots: 0 });
    const second = await org.live({ freeSlots: 0, offer: OTHER_POLICY });
    second.freeSlots = 60;
    await second.beat();
    await Promise.all([waits(left), waits(waiting)]);
    const [{ message } = { message: '' }] = (await org.get(left)).warnings;
    expect(message).toContain('"shop" with different servers or policies');
    await waitedLong(left);
    expect((await org.ended(left)).error).toMatchObject({
      code: 'no_matching_agent',
      message: expect.stringContaining('with different servers or policies') as string,
    });
    expect(await second.pendingCommand()).toBeUndefined();
    await isAway(second);
    first.freeSlots = 1;
    await first.beat();
    expect((await runs(first)).jobId).toBe(waiting);
  });
});

describe('a connection URL', () => {
  it('is sealed only to agents that may run the job', async () => {
    const org = await organization();
    const named = testOffer({ labels: ['eu'] });
    const [chosen, away, unlabelled, withoutUrls] = [
      await org.live({ offer: named }),
      await org.live({ offer: named }),
      await org.live(),
      await org.live({ offer: testOffer({ labels: ['eu'], policies: { [SHOP]: fingerprint('2') } }) }),
    ];
    await isAway(away);
    const sealedTo = async (body: object) => {
      const [row] = await plane.query('SELECT source FROM sync_jobs WHERE id = $1', [await org.post(body)]);
      const { by_agent } = row?.['source'] as { by_agent: Record<string, unknown> };
      return Object.keys(by_agent).sort();
    };
    expect(await sealedTo({ ...BY_URLS, agent: { labels: ['eu'] } })).toEqual([chosen.id, away.id].sort());
    expect(await sealedTo(BY_URLS)).toEqual([chosen.id, away.id, unlabelled.id].sort());
    expect(await sealedTo({ ...BY_URLS, agent: { id: unlabelled.id } })).toEqual([unlabelled.id]);
    const mixed = await org.request('/v1/sync/jobs', {
      ...BY_URLS,
      target: NAMED.target,
      agent: { id: withoutUrls.id },
    });
    expect([mixed.status, mixed.body['error']]).toEqual([409, expect.objectContaining({ code: 'conflict' })]);
  });
});

describe('a retry', () => {
  it.each([
    ['named databases', NAMED],
    ['URLs', BY_URLS],
  ])('of a job with %s goes to an agent with the same masking key and policy', async (_, job) => {
    const org = await organization();
    const [first, second] = [await org.live(), await org.live({ freeSlots: 0 })];
    const id = await org.post(job);
    expect((await runs(first)).jobId).toBe(id);
    second.freeSlots = 1;
    await isLost(id, first);
    await second.beat();
    expect(await runs(second)).toMatchObject({ jobId: id, epoch: 2 });
  });

  const DIFFERENCES = [
    ['masking key', 'a different masking key', NAMED, OTHER_KEY],
    ['policy', 'a different policy', NAMED, OTHER_POLICY],
    [
      'databases',
      'do not offer the databases, unlike',
      NAMED,
      testOffer({ maskingKey: fingerprint('8'), policies: { [STAGING]: fingerprint('2') } }),
    ],
    ['masking key', 'a different masking key', BY_URLS, OTHER_KEY],
    ['policy', 'a different policy', BY_URLS, testOffer({ policies: { [BY_URL]: fingerprint('7') } })],
  ] as const;
  inBoth.each(casesOf(DIFFERENCES, 2))(
    'waits for an agent with the same %s, then fails and reports the difference',
    async (_, words, job, offer) => {
      const org = await organization();
      const [first, second] = [await org.live(), await org.live({ freeSlots: 0 })];
      const id = await org.post(job);
      await runs(first);
      second.offer = offer;
      second.freeSlots = 1;
      await second.beat();
      await isLost(id, first);
      await waitFor('the start of the wait', async () => {
        const [row] = await plane.query('SELECT unmatched_since FROM sync_jobs WHERE id = $1', [id]);
        return row?.['unmatched_since'] !== null;
      });
      expect(await org.get(id)).toMatchObject({
        status: 'pending',
        warnings: [{ code: 'no_matching_agent' }],
      });
      await plane.query(
        `UPDATE sync_jobs SET unmatched_since = now() - interval '46 seconds' WHERE id = $1`,
        [id],
      );
      const { error } = await org.ended(id);
      expect(error?.code).toBe('no_matching_agent');
      expect(error?.message).toContain(words);
      expect(await second.pendingCommand()).toBeUndefined();
    },
  );

  it('keeps waiting while no agent is connected, then goes to the first agent again', async () => {
    const org = await organization();
    const first = await org.live();
    const id = await org.post();
    await runs(first);
    await isLost(id, first);
    expect(await org.get(id)).toMatchObject({ status: 'pending', warnings: [{ code: 'no_live_agent' }] });
    await first.beat();
    expect(await runs(first)).toMatchObject({ jobId: id, epoch: 2 });
    const [row] = await plane.query('SELECT unmatched_since FROM sync_jobs WHERE id = $1', [id]);
    expect(row).toEqual({ unmatched_since: null });
  });
});

describe('work that an agent got before it restarted with another policy or masking key', () => {
  it.each([
    ['another server or policy', OTHER_POLICY],
    ['another masking key', OTHER_KEY],
    ['no databases', null],
  ])('is not confirmed by a process that offers %s, and goes to a matching agent', async (_, offer) => {
    const org = await organization();
    const agent = await org.live();
    const id = await org.post();
    const { epoch, source, target } = await runs(agent);
    const given = { policy: bytesOf(fingerprint('2')), maskingKey: bytesOf(fingerprint('1')) };
    expect([source?.offer, target?.offer]).toMatchObject([given, given]);
    agent.offer = offer;
    expect((await agent.beat([{ jobId: id, epoch }])).lost).toEqual([{ jobId: id, epoch }]);
    const event = { case: 'failed', value: { code: FailureCode.LEASE_LOST } } as const;
    await agent.report({ case: 'syncJob', value: { jobId: id, epoch, seq: 1, event } });
    const matching = await org.live();
    expect(await runs(matching)).toMatchObject({ jobId: id, epoch: 2 });
    expect((await matching.beat([{ jobId: id, epoch: 2 }])).lost).toEqual([]);
    expect(await agent.pendingCommand()).toBeUndefined();
  });

  it('is not confirmed if it creates or restores a snapshot', async () => {
    const org = await organization();
    const agent = await org.live();
    const refuses = async (jobId: string, epoch: number) => {
      agent.offer = testOffer({ policies: {} });
      expect((await agent.beat([{ jobId, epoch }])).lost).toEqual([{ jobId, epoch }]);
      agent.offer = testOffer();
      expect((await agent.beat([{ jobId, epoch }])).lost).toEqual([]);
    };
    await org.request('/v1/snapshots', { name: 's', database: 'shop' });
    const creation = await agent.nextCommand();
    if (creation.case !== 'createSnapshot') throw new Error('expected createSnapshot');
    const { snapshotId } = creation.value;
    await refuses(snapshotId, 1);
    await makeSnapshot(agent, creation.value);
    await org.request(`/v1/snapshots/${snapshotId}/restore`, {
      target_database: BY_URLS.target.connection_string,
    });
    const restore = await agent.nextCommand();
    if (restore.case !== 'restoreSnapshot') throw new Error('expected restoreSnapshot');
    expect([creation.value.database?.offer, restore.value.target?.offer]).toMatchObject([
      { policy: bytesOf(fingerprint('2')) },
      { policy: bytesOf(fingerprint('2')) },
    ]);
    await refuses(restore.value.restoreId, 1);
  });
});

describe('the target of a failed job', () => {
  it('is cleaned up by an agent that could retry the job', async () => {
    const org = await organization();
    const first = await org.live();
    const id = await org.post();
    const { epoch } = await runs(first);
    const other = await org.live({ offer: OTHER_KEY });
    await isAway(first);
    await first.report({
      case: 'syncJob',
      value: {
        jobId: id,
        epoch,
        seq: 1,
        event: { case: 'failed', value: { code: FailureCode.POLICY_DENIED } },
      },
    });
    await org.ended(id);
    expect(await other.pendingCommand()).toBeUndefined();
    await first.beat();
    expect(await first.nextCommand()).toMatchObject({
      // Agents that would not compare the offer do not know this command.
      case: 'clearOfferedSyncTarget',
      value: { target: { offer: { maskingKey: bytesOf(fingerprint('1')) } } },
    });
  });
});
