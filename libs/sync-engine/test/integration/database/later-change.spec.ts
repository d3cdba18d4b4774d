import { keptName, revertTarget } from '@understudy/database-swap';
import { parseConnectionUrl } from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';
import type { TestDatabase } from '@understudy/testing';
import type { SyncStep } from '../../../src/sync-steps.js';
import { SyncHarness, TEST_LOG } from '../sync-harness.js';
import { type ReplaceScene, replaceScene } from './replace-scene.js';

describe('a job whose end was not acknowledged before a later change of its target', () => {
  let harness: SyncHarness;
  let scene: ReplaceScene;
  let source: TestDatabase;
  let target: TestDatabase;
  beforeAll(async () => {
    harness = await SyncHarness.start();
    scene = await replaceScene(harness);
  });
  beforeEach(async () => {
    source = await harness.database('CREATE TABLE t (v text); INSERT INTO t VALUES (1)');
    target = await harness.database(
      `CREATE TABLE t (v text); INSERT INTO t VALUES ('first'); ALTER TABLE t OWNER TO ${scene.owner}`,
    );
    await target.query(`ALTER DATABASE ${target.name} OWNER TO ${scene.owner}`);
  });
  afterEach(async () => {
    for (const name of await kept()) await source.query(`DROP DATABASE "${name}"`);
    await harness.dropAll();
  });
  afterAll(() => harness.stop());

  const kept = async (): Promise<readonly string[]> => {
    const { rows } = await source.query('SELECT datname FROM pg_database WHERE starts_with(datname, $1)', [
      `${target.name}_`,
    ]);
    return rows.map(({ datname }) => String(datname));
  };
  const state = async () => [(await target.query('SELECT v FROM t')).rows[0]?.['v'], ...(await kept())];
  const job = async (
    jobId: string,
    command: Parameters<ReplaceScene['replace']>[0]['command'] = {},
    failing?: SyncStep,
  ) => {
    await source.query('UPDATE t SET v = $1', [jobId]);
    const lost = new SyncJobError({ code: 'connection_lost', side: 'target' });
    const reached = (step: SyncStep) => (step === failing ? Promise.reject(lost) : undefined);
    const made = { jobId, keepReplacedHours: 5, ...command };
    return scene.replace({ source, target, command: made, environment: { reached } });
  };
  const revert = (revertId: string, lastChange: string) =>
    revertTarget(parseConnectionUrl(scene.agentUrl(target)), {
      ...{ revertId, lastChange, epoch: 1, graceMs: 5_000, log: TEST_LOG },
      signal: AbortSignal.timeout(60_000),
    });

  it.each([
    ['database', 'a job', () => job('job_2')],
    ['database', 'a job that keeps nothing', () => job('job_2', { keepReplacedHours: 0 })],
    ['database', 'a revert', () => revert('rvt_1', 'job_1')],
    ['tables', 'a job', () => job('job_2')],
    [
      'tables',
      'a job that keeps nothing, and another one',
      async () => {
        await job('job_2', { keepReplacedHours: 0 });
        await job('job_3');
      },
    ],
  ] as const)('does not replace the result of that change (%s, %s)', async (replace, _, change) => {
    const first = await job('job_1', { replace }, 'committed');
    expect(first.failure?.code).toBe('connection_lost');
    expect((await state())[0]).toBe('job_1');
    await change();
    const before = await state();
    expect(before[0]).not.toBe('job_1');
    const late = await job('job_1', { replace, epoch: 2 });
    expect(late.failure).toBeUndefined();
    expect(late.completed?.warnings).toEqual([{ code: 'result_unknown' }]);
    expect(await state()).toEqual(before);
  });

  it('reports what it keeps if only its ledger is gone', async () => {
    await job('job_1', {}, 'committed');
    const ledgers = await target.query("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'understudy%'");
    expect(ledgers.rows).toHaveLength(1);
    await target.query(`DROP SCHEMA "${String(ledgers.rows[0]?.['nspname'])}" CASCADE`);
    const late = await job('job_1', { epoch: 2 });
    expect(late.completed).toMatchObject({ warnings: [{ code: 'result_unknown' }], keptHours: 5 });
    expect(await state()).toEqual(['job_1', keptName(target.name, 'job_1')]);
  });

  it('reports its own result if two reverts have brought its database back, and drops nothing that is kept', async () => {
    await job('job_1', {}, 'committed');
    await revert('rvt_1', 'job_1');
    await revert('rvt_2', 'rvt_1');
    const late = await job('job_1', { epoch: 2 });
    expect([late.failure, late.completed?.warnings]).toEqual([undefined, []]);
    expect(await state()).toEqual(['job_1', keptName(target.name, 'rvt_2')]);
  });
});
