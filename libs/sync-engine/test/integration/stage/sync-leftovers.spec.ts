import { inRelease, it, waitFor } from '@understudy/testing';
import { SyncJobError } from '@understudy/sync-job';
import type { SyncStep } from '../../../src/sync-steps.js';
import { contentOf, leftovers, Pause, type Scene, setScene, TABLES } from './staging-scene.js';
import { type Outcome, SyncHarness } from '../sync-harness.js';

const copy = { connections: 2, chunkBytes: 65_536 };
const CONNECTION_LOST = new SyncJobError({ code: 'connection_lost', side: 'target' });

describe('the staging of a job that has not ended normally', () => {
  let harness: SyncHarness;
  /** Creates the targets on a separate server, because the tests crash that server. */
  let targets: SyncHarness;
  let scene: Scene;
  beforeAll(async () => {
    [harness, targets] = await Promise.all([SyncHarness.start(), SyncHarness.start()]);
  });
  beforeEach(async () => {
    scene = await setScene(harness, targets);
  });
  afterEach(() => Promise.all([harness.dropAll(), targets.dropAll()]));
  afterAll(() => Promise.all([harness.stop(), targets.stop()]));

  const run = (jobId: string, epoch = 1, more: object = {}, tables: object = TABLES): Promise<Outcome> =>
    harness.run(harness.command(scene.source.url, scene.targetUrl, { ...tables }, { jobId, epoch }), {
      copy,
      ...more,
    });
  const breakOff = async (jobId: string, at: SyncStep) => {
    const { failure } = await run(jobId, 1, {
      reached: (step: SyncStep) => {
        if (step === at) throw CONNECTION_LOST;
      },
    });
    expect(failure).toEqual(CONNECTION_LOST.failure);
  };
  const age = (jobId: string, minutes: number) =>
    scene.target.query(
      `UPDATE understudy_${jobId}.job SET touched_at = now() - interval '1 minute' * ${minutes}`,
    );
  const schemas = async () =>
    (await leftovers(scene.target)).filter((thing) => thing.startsWith('schema') && !thing.includes('.'));

  it('is kept for ten minutes if the job is unfinished and for thirty days if its end is unconfirmed', async () => {
    await breakOff('job_young', 'all_chunks_committed');
    await breakOff('job_old', 'all_chunks_committed');
    await breakOff('job_expired', 'committed');
    await breakOff('job_waits', 'committed');
    await scene.target.query(
      'CREATE SCHEMA understudy_users; CREATE TABLE understudy_users.job (touched_at timestamptz)',
    );
    await age('job_young', 9);
    await age('job_old', 11);
    await age('job_expired', 31 * 24 * 60);
    await age('job_waits', 29 * 24 * 60);
    expect((await run('job_next', 1, {}, { parents: {} })).failure).toBeUndefined();
    expect((await schemas()).sort()).toEqual([
      'schema understudy_job_waits',
      'schema understudy_job_young',
      'schema understudy_users',
    ]);
  });

  it('is removed by a target cleanup even while an attempt hangs', async () => {
    const before = await contentOf(targets, scene.target);
    await breakOff('job_lost', 'all_chunks_committed');
    await breakOff('job_other', 'all_chunks_committed');
    const pause = new Pause('indexes_built');
    const frozen = run('job_lost', 2, { reached: pause.reached });
    await pause.arrived;
    await harness.clear(scene.targetUrl, { jobId: 'job_lost', epoch: 3 });
    expect(await schemas()).toEqual(['schema understudy_job_other']);
    pause.goOn();
    expect(await frozen).toMatchObject({ failure: { code: expect.any(String) as string } });
    expect(await contentOf(targets, scene.target)).toBe(before);
    // A second cleanup changes nothing. The same holds for the cleanup of a job that never ran on this
    // target.
    await harness.clear(scene.targetUrl, { jobId: 'job_lost', epoch: 3 });
    await harness.clear(scene.targetUrl, { jobId: 'job_never', epoch: 2 });
    expect(await schemas()).toEqual(['schema understudy_job_other']);
  });

  it('is removed with the session of its snapshot keeper if the cleanup gets the source', async () => {
    await breakOff('job_kept', 'all_chunks_committed');
    expect(await leftovers(scene.source)).toEqual(['session understudy job_kept 1 keep']);
    await harness.clear(scene.targetUrl, { jobId: 'job_kept', epoch: 2 }, scene.source.url);
    expect(await leftovers(scene.source)).toEqual([]);
    expect(await schemas()).toEqual([]);
  });

  it('is not removed by a cleanup with an epoch below that of the last attempt', async () => {
    await breakOff('job_newer', 'all_chunks_committed');
    await expect(harness.clear(scene.targetUrl, { jobId: 'job_newer', epoch: 0 })).rejects.toMatchObject({
      failure: { code: 'lease_lost' },
    });
    expect(await schemas()).toEqual(['schema understudy_job_newer']);
  });

  it('loses rows and ledger together if the server crashes, and is then copied again', async () => {
    const pause = new Pause('all_chunks_committed');
    const first = run('job_crash', 1, { reached: pause.reached });
    await pause.arrived;
    await crash();
    pause.goOn();
    expect((await first).failure?.code).toBe('connection_lost');
    await waitFor('the server to be back', () => scene.target.query('SELECT').catch(() => undefined));
    const ledger = async (name: string) =>
      (await scene.target.query(`SELECT count(*)::int AS n FROM understudy_job_crash.${name}`)).rows[0]?.[
        'n'
      ];
    expect(await ledger('chunk_unlogged')).toBe(0);
    const stagedRows = await scene.target.query('SELECT FROM understudy_job_crash.rows_0');
    expect(stagedRows.rows).toEqual([]);
    const seen: SyncStep[] = [];
    const second = await run('job_crash', 2, { reached: (step: SyncStep) => void seen.push(step) });
    expect(second.failure).toBeUndefined();
    expect(second.completed?.warnings).toEqual([]);
    const { rows } = await scene.target.query('SELECT count(*)::int AS n FROM children');
    expect(rows).toEqual([{ n: 3000 }]);
    expect(await leftovers(scene.target)).toEqual([]);
  });

  inRelease('shows whether a switch was committed if the reply to the commit was lost', async () => {
    await scene.target.query(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = on', current_database()); END $$`,
    );
    // The commit waits for a standby that does not exist. The server has committed, but the session ends
    // before COMMIT returns.
    await scene.target.query("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
    await scene.target.query('SELECT pg_reload_conf()');
    const pause = new Pause('reported');
    const running = run('job_commit', 1, { reached: pause.reached });
    await waitFor('the commit', async () => {
      const { rows } = await scene.target.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
      );
      return rows.length === 1;
    });
    await pause.arrived;
    expect(await leftovers(scene.target)).toEqual(['schema understudy_job_commit']);
    await scene.target.query('ALTER SYSTEM RESET synchronous_standby_names');
    await scene.target.query('SELECT pg_reload_conf()');
    pause.goOn();
    expect((await running).completed?.tables[1]?.rowsProcessed).toBe(3000);
    expect(await leftovers(scene.target)).toEqual([]);
  });

  it("consists of one ledger row until the job's end is confirmed", async () => {
    const before = await contentOf(targets, scene.target);
    let confirm: () => void = () => undefined;
    const confirmed = new Promise<void>((resolve) => (confirm = resolve));
    const pause = new Pause('reported');
    const running = harness.run(
      harness.command(scene.source.url, scene.targetUrl, TABLES, { jobId: 'job_end' }),
      { copy, reached: pause.reached },
      undefined,
      undefined,
      confirmed,
    );
    await pause.arrived;
    expect(await contentOf(targets, scene.target)).not.toBe(before);
    pause.goOn();
    const { rows } = await scene.target.query(
      "SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'understudy_job_end'::regnamespace AND relkind = 'r'",
    );
    expect(rows).toEqual([{ relname: 'job' }]);
    await waitFor('the sessions to end', async () =>
      (await leftovers(scene.target)).every((thing) => thing === 'schema understudy_job_end'),
    );
    confirm();
    await running;
    expect(await leftovers(scene.target)).toEqual([]);
  });

  /**
   * Crashes the target's server, like `pg_ctl restart -m immediate`, and waits until it has recovered. If one server
   * process is killed, the server ends all others and recovers.
   */
  async function crash(): Promise<void> {
    const checkpointer = async () => {
      const { rows } = await scene.target.query(
        "SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'",
      );
      return Number(rows[0]?.['pid'] ?? 0);
    };
    const before = await checkpointer();
    process.kill(before, 'SIGKILL');
    await waitFor('the target to be back', async () => {
      const now = await checkpointer().catch(() => 0);
      return now !== 0 && now !== before;
    });
  }
});
