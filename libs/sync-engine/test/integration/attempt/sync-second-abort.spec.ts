import { casesOf, inBoth, waitFor } from '@understudy/testing';
import type { SyncStep } from '../../../src/sync-steps.js';
import { contentOf, leftovers, type Scene, setScene, TABLES } from '../stage/staging-scene.js';
import { type Outcome, SyncHarness } from '../sync-harness.js';

// With this chunk size, some tables have several chunks.
const copy = { connections: 2, chunkBytes: 65_536 };

/** Counts the steps of an attempt, and loses its lease as soon as `isTime` returns true for a step. */
class LosingLease {
  readonly signal: AbortSignal;
  readonly seen: SyncStep[] = [];
  private readonly controller = new AbortController();

  constructor(private readonly isTime: (step: SyncStep, times: number) => boolean = () => false) {
    this.signal = this.controller.signal;
  }

  readonly reached = (step: SyncStep): void => {
    this.seen.push(step);
    if (this.isTime(step, this.times(step))) this.lose();
  };

  lose(): void {
    this.controller.abort(new Error('the lease is lost'));
  }

  times(step: SyncStep): number {
    return this.seen.filter((seen) => seen === step).length;
  }
}

describe('the third attempt of a job whose first two attempts lost their leases', () => {
  let harness: SyncHarness;
  let scene: Scene;
  /** The number of chunks that an attempt commits if no other one came before. */
  let chunks: number;
  beforeAll(async () => {
    harness = await SyncHarness.start();
    scene = await setScene(harness);
    const lease = new LosingLease();
    expect((await attempt(1, lease)).failure).toBeUndefined();
    chunks = lease.times('chunk_committed');
  });
  beforeEach(async () => {
    scene = await setScene(harness);
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  const attempt = (epoch: number, lease: LosingLease): Promise<Outcome> =>
    harness.run(
      harness.command(scene.source.url, scene.targetUrl, TABLES, { epoch }),
      { copy, reached: lease.reached },
      lease.signal,
    );

  /** Runs the first attempt until some chunks are committed, and then loses its lease. */
  async function first(): Promise<void> {
    const lease = new LosingLease((step, times) => step === 'chunk_committed' && times === 5);
    expect((await attempt(1, lease)).failure).toEqual({ code: 'lease_lost' });
  }

  /** Expects that the third attempt keeps the snapshot and the committed chunks, and that nothing is left. */
  async function expectThirdToContinue(): Promise<void> {
    const { rows } = await scene.target.query(
      'SELECT count(*)::int AS n FROM (SELECT FROM understudy_job_1.chunk_logged UNION ALL SELECT FROM understudy_job_1.chunk_unlogged) c',
    );
    const committed = Number(rows[0]?.['n']);
    expect(committed).toBeGreaterThanOrEqual(5);
    await scene.source.query("INSERT INTO parents (name) VALUES ('late')");
    const lease = new LosingLease();
    const { completed, failure } = await attempt(3, lease);
    expect(failure).toBeUndefined();
    expect(completed?.warnings).toEqual([]);
    expect(completed?.tables[0]?.rowsProcessed).toBe(300);
    expect(lease.times('chunk_committed')).toBe(chunks - committed);
    expect(await leftovers(scene.target)).toEqual([]);
    expect(await leftovers(scene.source)).toEqual([]);
    expect(await contentOf(harness, scene.target)).not.toContain('late');
  }

  /** Resolves when the sessions of an attempt on the source have the given property. */
  const whenSource = (what: string, sql: string) =>
    waitFor(what, async () => (await scene.source.query(`SELECT ${sql} AS yes`)).rows[0]?.['yes'] === true);
  const sessions = (epoch: number) =>
    `(SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name IN ('understudy job_1 ${epoch}', 'understudy job_1 ${epoch} keep'))`;

  const STEPS: readonly SyncStep[] = ['snapshot_held', 'target_locked', 'staging_created', 'chunk_committed'];
  inBoth.each(casesOf(STEPS, 1))(
    'continues if the second attempt lost its lease at the step %s',
    async (step) => {
      await first();
      const lease = new LosingLease((reached) => reached === step);
      expect((await attempt(2, lease)).failure).toEqual({ code: 'lease_lost' });
      await expectThirdToContinue();
    },
  );

  const MOMENTS = [
    ['while its keeper joins the snapshot', `${sessions(2)} >= 2`],
    ['before it opens sessions', 'true'],
    ['while it opens sessions', `${sessions(2)} >= 1`],
    ['after it ended the older keeper', `${sessions(2)} >= 2 AND ${sessions(1)} = 0`],
  ] as const;
  inBoth.each(casesOf(MOMENTS, 1))('continues if the second attempt lost its lease %s', async (what, sql) => {
    await first();
    const lease = new LosingLease();
    const second = attempt(2, lease);
    await whenSource(what, sql);
    lease.lose();
    expect((await second).failure).toEqual({ code: 'lease_lost' });
    await expectThirdToContinue();
  });
});
