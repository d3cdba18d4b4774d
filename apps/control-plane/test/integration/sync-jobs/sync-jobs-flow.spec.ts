import type { SyncJobCommand, SyncJobEvent } from '@understudy/agent-protocol';
import { waitFor } from '@understudy/testing';
import { Redis } from 'ioredis';

import { AgentLinkService } from '../../../src/agents/agent-link/connection/agent-link.service.js';
import { SyncJobEventsService } from '../../../src/jobs/sync-jobs/events/sync-job-events.service.js';
import { WorkLeasesService } from '../../../src/agents/agent-work/leases/work-leases.service.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';
import { testOffer } from '../harness/test-offer.js';

const JOB = {
  name: 'nightly',
  source: { type: 'postgresql', connection_string: 'agent:shop_production' },
  target: { type: 'postgresql', connection_string: 'agent:shop_staging' },
  tables: [
    { name: 'customers', columns: { name: { generator: 'private/names', train: {} } } },
    { name: 'orders', columns: {} },
  ],
};
const HASH = '0f'.repeat(32);

interface Job {
  readonly progress: object;
  readonly id: string;
  readonly status: string;
  readonly attempts: number;
  readonly agent_id: string | null;
  readonly rows_processed: number;
  readonly models: unknown;
  readonly error: { code: string; message: string } | null;
  readonly warnings: { code: string }[];
  readonly started_at: string | null;
}

let plane: ControlPlane;
let events: SyncJobEventsService;
let leases: WorkLeasesService;
const sent: { agentId: string; command: SyncJobCommand }[] = [];

beforeAll(async () => {
  // The tests count commands, so a slow command must not be sent twice.
  plane = await startControlPlane({ syncJobs: { reconcileMs: 200, resendMs: 3_600_000 } });
  events = plane.app.get(SyncJobEventsService, { strict: false });
  leases = plane.app.get(WorkLeasesService, { strict: false });
  const link = plane.app.get(AgentLinkService);
  const send = link.send.bind(link);
  jest.spyOn(link, 'send').mockImplementation(async (agentId, command) => {
    await send(agentId, command); // also send the command to the real NATS
    if (command.pattern === 'run_sync_job') sent.push({ agentId, command: command.data });
  });
});
afterAll(() => plane?.stop());

/** Creates an organisation with one agent, whose heartbeats a test sends. */
async function organization() {
  const orgId = await plane.addOrganization();
  const { token } = await plane.addToken({ orgId });
  const agentId = await plane.addAgent({ orgId });
  const get = async (id: string) => {
    const { body } = await plane.request(`/v1/sync/jobs/${id}`, { token });
    return (body as unknown as { data: Job }).data;
  };
  return {
    agentId,
    orgId,
    get,
    list: async () => (await plane.request('/v1/sync/jobs', { token })).body['data'],
    post: async (changes: object = {}) => {
      const body = { ...JOB, ...changes };
      const response = await plane.request('/v1/sync/jobs', { method: 'POST', body, token });
      expect(response.status).toBe(201);
      return (response.body as unknown as { data: Job }).data.id;
    },
    beat: (freeSlots = 2, held: { jobId: string; epoch: number }[] = [], from = agentId) =>
      leases.heartbeat(from, { version: '0.1.0', offer: testOffer(), freeSlots, leases: held }),
    until: (id: string, is: (job: Job) => boolean) =>
      waitFor('a change of the job', async () => {
        const job = await get(id);
        return is(job) && job;
      }),
  };
}

const commandsFor = (jobId: string) => sent.filter(({ command }) => command.jobId === jobId);
const sentTo = (jobId: string, times = 1) =>
  waitFor(
    `${times} commands`,
    async () => commandsFor(jobId).length >= times && commandsFor(jobId)[times - 1],
  );

const event = (jobId: string, seq: number, body: SyncJobEvent['body'], epoch = 1): SyncJobEvent => ({
  jobId,
  epoch,
  seq,
  occurredAt: new Date(),
  body,
});
const rows = (tableIndex: number, rowsProcessed: number, state: 'copying' | 'completed' = 'copying') => ({
  tableIndex,
  rowsProcessed,
  rowsTotal: 100,
  bytesProcessed: rowsProcessed * 10,
  bytesTotal: 1000,
  state,
});
const progress = (...tables: ReturnType<typeof rows>[]) =>
  ({
    type: 'progress',
    phase: 'copying',
    rowsPerSecond: 30,
    bytesPerSecond: 300,
    remainingMs: 60_000,
    tables,
  }) as const;
const completed = {
  type: 'completed',
  durationMs: 5,
  warnings: [],
  phases: [
    { phase: 'preflight', durationMs: 1 },
    { phase: 'training', durationMs: 1500 },
    { phase: 'copying', durationMs: 3000 },
  ],
  verification: {
    checks: [
      {
        kind: 'row_count',
        tableIndex: 0,
        ok: true,
        lookedAt: 0,
        rows: { source: 100, copied: 100, target: 100 },
      },
      { kind: 'preserved_columns', tableIndex: 0, ok: true, lookedAt: 3 },
    ],
  },
  tables: [rows(0, 100, 'completed'), rows(1, 50, 'completed')],
} as const;

describe('a sync job', () => {
  it('is predicted and not run if it is a dry run', async () => {
    const org = await organization();
    const id = await org.post({ dry_run: true });
    await org.beat();
    const { agentId, command } = await sentTo(id);
    expect(command).toMatchObject({ jobId: id, dryRun: true });
    const failures = [{ code: 'column_mismatch', tableIndex: 1 }];
    const tables = [
      { tableIndex: 0, rows: 0 },
      { tableIndex: 1, rows: 1_200 },
    ];
    const prediction = { failures, failureCount: 1, tables, warnings: [] };
    await events.apply(event(id, 1, { type: 'predicted', prediction }), agentId);
    expect(await org.get(id)).toMatchObject({
      status: 'completed',
      dry_run: true,
      rows_processed: 0,
      error: null,
      prediction: {
        ok: false,
        problems: [
          {
            code: 'column_mismatch',
            message: expect.stringContaining('"orders"'),
            details: expect.any(Array),
          },
        ],
        problem_count: 1,
        tables: [
          { name: 'customers', rows_expected: null },
          { name: 'orders', rows_expected: 1_200 },
        ],
      },
    });
    const waiting = await org.post({ dry_run: true });
    const real = await org.post();
    expect(await org.list()).toMatchObject({
      jobs: [
        { id: real, dry_run: false, prediction: null },
        { id: waiting, dry_run: true, prediction: null },
        { id, dry_run: true, prediction: { ok: false, problem_count: 1 } },
      ],
    });
  });

  it('counts what its target lacks, and names unlisted tables in the problems', async () => {
    const org = await organization();
    const leftOut = {
      ...{ tables: 1, foreign_tables: 0, views: 2, materialized_views: 1, functions: 30, types: 0 },
      ...{ sequences: 0, schemas: 1, extensions: 0 },
    };
    const id = await org.post({ dry_run: true });
    await org.beat();
    const { agentId } = await sentTo(id);
    const problems = [
      { code: 'tables_unlisted', table: { schema: 'crm', name: 'Odd T' } },
      { code: 'tables_unlisted', table: {} },
      { code: 'ignored_table_not_found', ignoredTableIndex: 2 },
    ];
    const failures = [{ code: 'tables_unlisted', problems, problemCount: 3 }];
    const warnings = [{ code: 'materialized_views_stale', count: 2 }];
    const prediction = { failures, failureCount: 1, tables: [], warnings, leftOut };
    await events.apply(event(id, 1, { type: 'predicted', prediction }), agentId);
    const job = await org.get(id);
    expect(job).toMatchObject({
      left_out: leftOut,
      warnings: [
        { code: 'materialized_views_stale', message: expect.stringMatching(/^2 materialized views/) },
      ],
    });
    const { details } =
      (job as unknown as { prediction: { problems: { details: object[] }[] } }).prediction.problems[0] ?? {};
    expect(details).toEqual([
      { field: 'tables', message: expect.stringMatching(/^Table "crm.\\"Odd T\\"" of the source/) },
      { field: 'tables', message: expect.stringMatching(/^A table of the source/) },
      { field: 'ignored_tables[2]', message: expect.stringContaining('matches no table') },
    ]);
  });

  it('reports the column of a failed where condition by name', async () => {
    const org = await organization();
    const tables = [
      { name: 'customers', columns: { a: { preserve: true } }, subset: { where: 'a = 1 AND "B" = 2' } },
    ];
    const id = await org.post({ tables });
    await org.beat();
    const { agentId, command } = await sentTo(id);
    expect(command.tables[0]).toMatchObject({ subset: { where: 'a = 1 AND "B" = 2' } });
    const failure = { code: 'where_column_not_found', tableIndex: 0, columnIndex: 2 };
    await events.apply(event(id, 1, { type: 'failed', failure }), agentId);
    const { error } = await org.get(id);
    expect(error).toMatchObject({
      code: 'where_column_not_found',
      message: expect.stringContaining('column "B"'),
    });
  });

  it('[2.2/7] waits without an agent, starts after the first heartbeat, and follows the agent’s events', async () => {
    const org = await organization();
    const id = await org.post();
    expect((await org.get(id)).warnings).toEqual([expect.objectContaining({ code: 'no_live_agent' })]);
    await org.beat();
    const { agentId, command } = await sentTo(id);
    expect(agentId).toBe(org.agentId);
    expect(command).toMatchObject({
      jobId: id,
      epoch: 1,
      source: { kind: 'agent', name: 'shop_production' },
      unlistedColumns: 'preserve',
      tables: [
        { name: 'customers', columns: [{ name: 'name', rule: JOB.tables[0]?.columns.name }] },
        { name: 'orders' },
      ],
    });
    expect(await org.get(id)).toMatchObject({
      status: 'pending',
      attempts: 1,
      agent_id: agentId,
      warnings: [],
    });

    await events.apply(event(id, 1, { type: 'started' }), agentId);
    expect(await org.get(id)).toMatchObject({ status: 'running', started_at: expect.any(String) });
    await events.apply(
      event(id, 2, { type: 'model_trained', tableIndex: 0, columnIndex: 0, hash: HASH }),
      agentId,
    );
    await events.apply(event(id, 3, progress(rows(0, 60))), agentId);
    expect(await org.get(id)).toMatchObject({
      rows_processed: 60,
      models: [{ name: 'private/names', hash: HASH }],
      progress: {
        phase: 'copying',
        rows_done: 60,
        rows_total: null, // the total of one table is not known yet
        bytes_done: 600,
        rows_per_second: 30,
        bytes_per_second: 300,
        estimated_end: expect.any(String),
      },
      table_progress: [
        { name: 'customers', status: 'copying', bytes_processed: 600, bytes_total: 1000 },
        { name: 'orders', status: 'pending', bytes_processed: 0, bytes_total: null },
      ],
      verification: null,
    });
    const { progress: reported } = await org.get(id);
    expect(await org.list()).toMatchObject({
      jobs: [{ id, agent_id: agentId, error_code: null, progress: { ...reported, rows_done: 60 } }],
    });
    await events.apply(event(id, 4, completed), agentId);
    expect(await org.list()).toMatchObject({ jobs: [{ id, agent_id: agentId, progress: null }] });
    expect(await org.get(id)).toMatchObject({
      status: 'completed',
      rows_processed: 150,
      error: null,
      progress: { phase: null, rows_done: 150, rows_per_second: 50, estimated_end: null },
      phases: [
        { phase: 'preflight', seconds: 0.001 },
        { phase: 'training', seconds: 1.5 },
        { phase: 'copying', seconds: 3 },
      ],
      verification: {
        ok: true,
        checks: [
          {
            check: 'row_count',
            table: 'customers',
            ok: true,
            column: null,
            looked_at: null,
            rows: { source: 100, copied: 100, target: 100 },
          },
          {
            check: 'preserved_columns',
            table: 'customers',
            ok: true,
            column: null,
            looked_at: 3,
            rows: null,
          },
        ],
      },
    });
    const models = await plane.query(
      'SELECT name, hash, agent_id FROM private_models WHERE organization_id = $1',
      [org.orgId],
    );
    expect(models).toEqual([{ name: 'private/names', hash: HASH, agent_id: agentId }]);
  });

  it('ignores duplicate events and events of old epochs, unknown jobs and other agents', async () => {
    const org = await organization();
    await org.beat();
    const id = await org.post();
    const { agentId } = await sentTo(id);
    expect(await events.apply(event(id, 1, { type: 'started' }), agentId)).toBe('applied');
    expect(await events.apply(event(id, 1, { type: 'started' }), agentId)).toBe('duplicate');
    expect(await events.apply(event(id, 2, completed, 0), agentId)).toBe('stale');
    const stranger = await plane.addAgent();
    expect(await events.apply(event(id, 2, completed), stranger)).toBe('stale');
    expect(await events.apply(event('job_unknown', 1, completed), agentId)).toBe('stale');
    expect((await org.get(id)).status).toBe('running');
    const twice = await Promise.all([1, 2, 3].map(() => events.apply(event(id, 2, completed), agentId)));
    expect(twice.sort()).toEqual(['applied', 'duplicate', 'duplicate']);
    expect(await org.get(id)).toMatchObject({ status: 'completed', rows_processed: 150 });
  });

  it('survives the loss of all data in Redis', async () => {
    const org = await organization();
    const ids = [await org.post(), await org.post()];
    const redis = new Redis(plane.services.redisUrl);
    await waitFor('the relay to read the outbox', async () => {
      const [row] = await plane.query('SELECT count(*)::int AS left FROM outbox WHERE published_at IS NULL');
      return row?.['left'] === 0;
    });
    await redis.flushall();
    await redis.quit();
    await plane.query('UPDATE agents SET last_seen_at = now(), free_slots = 4 WHERE id = $1', [org.agentId]);
    for (const id of ids) expect((await sentTo(id)).command.epoch).toBe(1); // the reconciler finds the jobs, because no agent sends heartbeats
  });

  it('is not sent to an agent without a free slot', async () => {
    const org = await organization();
    await org.beat(1);
    const [first, second] = [await org.post(), await org.post()];
    await waitFor(
      'one of them to be given away',
      async () => commandsFor(first).length + commandsFor(second).length > 0,
    );
    await org.beat(1); // sent before the command arrived, so it reports a free slot that is already taken
    await org.beat(1);
    const [given, waiting] = commandsFor(first).length > 0 ? [first, second] : [second, first];
    expect(commandsFor(waiting)).toHaveLength(0);
    await events.apply(event(given, 1, completed), org.agentId);
    await org.beat(1);
    await sentTo(waiting);
  });
});

describe('a lease', () => {
  it('is renewed by heartbeats that name it, and lost for an agent that does not hold it', async () => {
    const org = await organization();
    await org.beat();
    const id = await org.post();
    await sentTo(id);
    const expiry = async () => {
      const [row] = await plane.query('SELECT lease_expires_at FROM sync_jobs WHERE id = $1', [id]);
      return (row?.['lease_expires_at'] as Date).getTime();
    };
    await plane.query(`UPDATE sync_jobs SET lease_expires_at = now() + interval '5 seconds' WHERE id = $1`, [
      id,
    ]);
    const before = await expiry();
    expect((await org.beat(1, [{ jobId: id, epoch: 1 }])).lostLeases).toEqual([]);
    expect(await expiry()).toBeGreaterThan(before + 35_000);
    const held = [
      { jobId: id, epoch: 1 },
      { jobId: id, epoch: 0 },
      { jobId: 'job_x', epoch: 1 },
    ];
    expect((await org.beat(1, held)).lostLeases).toEqual(held.slice(1));
    const other = await plane.addAgent({ orgId: org.orgId });
    expect((await org.beat(0, [{ jobId: id, epoch: 1 }], other)).lostLeases).toEqual([
      { jobId: id, epoch: 1 },
    ]);
  });

  it('ends if the agent is revoked, and its attempt does not count', async () => {
    const org = await organization();
    await org.beat();
    const id = await org.post();
    await sentTo(id);
    const held = [{ jobId: id, epoch: 1 }];
    expect((await org.beat(1, held)).lostLeases).toEqual([]);
    await plane.query('UPDATE agents SET revoked_at = now() WHERE id = $1', [org.agentId]);
    expect(await org.beat(1, held)).toMatchObject({ lostLeases: held, revoked: true });
    await leases.reclaimExpired();
    expect(await org.get(id)).toMatchObject({ status: 'pending', attempts: 0 });
  });

  it('goes to another agent with the next epoch after it expires, and events of the old epoch are ignored', async () => {
    const org = await organization();
    await org.beat();
    const id = await org.post();
    await sentTo(id);
    await events.apply(event(id, 1, progress(rows(0, 60))), org.agentId);
    await plane.query(`UPDATE agents SET last_seen_at = now() - interval '1 hour' WHERE id = $1`, [
      org.agentId,
    ]);
    await plane.query(`UPDATE sync_jobs SET lease_expires_at = now() - interval '1 second' WHERE id = $1`, [
      id,
    ]);
    const rescuer = await plane.addAgent({ orgId: org.orgId });
    await leases.reclaimExpired(); // the reconciler may already have done this
    await org.beat(1, [], rescuer);
    const { agentId, command } = await sentTo(id, 2);
    expect([agentId, command.epoch]).toEqual([rescuer, 2]);
    expect(await org.get(id)).toMatchObject({
      status: 'running',
      attempts: 1,
      agent_id: rescuer,
      rows_processed: 0,
    });
    expect(await events.apply(event(id, 2, completed), org.agentId)).toBe('stale');
    expect((await org.beat(0, [{ jobId: id, epoch: 1 }])).lostLeases).toEqual([{ jobId: id, epoch: 1 }]);
    expect(await events.apply(event(id, 1, completed, 2), rescuer)).toBe('applied');
    expect((await org.get(id)).status).toBe('completed');
  });

  it('does not count an attempt that was lost, and fails the job after it is lost 20 times', async () => {
    const org = await organization();
    const id = await org.post();
    const lose = async (epoch: number) => {
      await org.beat(2);
      await sentTo(id, epoch);
      await plane.query(`UPDATE sync_jobs SET lease_expires_at = now() - interval '1 second' WHERE id = $1`, [
        id,
      ]);
      await leases.reclaimExpired();
    };
    for (const epoch of [1, 2, 3, 4]) await lose(epoch);
    expect(await org.get(id)).toMatchObject({ status: 'pending', attempts: 0 });
    const [row] = await plane.query(
      'UPDATE sync_jobs SET lost_leases = lost_leases + 15 WHERE id = $1 RETURNING lost_leases',
      [id],
    );
    expect(row).toEqual({ lost_leases: 19 });
    await lose(5);
    expect(await org.get(id)).toMatchObject({ status: 'failed', error: { code: 'lease_lost' } });
  });
});

describe('a failure', () => {
  it('of an attempt is retried immediately', async () => {
    const org = await organization();
    await org.beat();
    const id = await org.post();
    await sentTo(id);
    await events.apply(event(id, 1, { type: 'failed', failure: { code: 'agent_restarted' } }), org.agentId);
    await org.beat();
    expect((await sentTo(id, 2)).command.epoch).toBe(2);
  });

  it('of an agent with a low disk moves the job to another agent', async () => {
    const org = await organization();
    const other = await plane.addAgent({ orgId: org.orgId });
    await org.beat(2);
    await org.beat(1, [], other);
    const id = await org.post();
    expect((await sentTo(id)).agentId).toBe(org.agentId);
    await org.beat(0); // an agent with a low disk sends a heartbeat before it refuses
    await events.apply(event(id, 1, { type: 'failed', failure: { code: 'agent_disk_low' } }), org.agentId);
    expect(await sentTo(id, 2)).toMatchObject({ agentId: other, command: { epoch: 2 } });
  });

  it('[3/2] of the job ends the job with a message that names the column', async () => {
    const org = await organization();
    await org.beat();
    const id = await org.post();
    await sentTo(id);
    const failure = {
      code: 'value_invalid',
      side: 'target',
      tableIndex: 0,
      columnIndex: 0,
      sqlstate: '22001',
    } as const;
    await events.apply(event(id, 1, { type: 'failed', failure }), org.agentId);
    const { status, error } = await org.get(id);
    expect(status).toBe('failed');
    expect(error).toEqual({
      code: 'value_invalid',
      message: expect.stringContaining('column "name" of table "customers"'),
      details: [
        {
          field: 'tables[0].columns.name',
          message: expect.stringContaining('does not accept a value for column "name" of table "customers"'),
        },
      ],
    });
    expect(await events.apply(event(id, 2, completed), org.agentId)).toBe('duplicate');
  });
});
