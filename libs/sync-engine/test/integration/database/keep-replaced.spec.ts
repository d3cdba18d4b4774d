import { keptName, revertTarget } from '@understudy/database-swap';
import { parseConnectionUrl } from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';
import type { TestDatabase } from '@understudy/testing';
import { SyncHarness } from '../sync-harness.js';
import { type ReplaceScene, replaceScene } from './replace-scene.js';

const LOG = { error: () => undefined, warn: () => undefined, info: () => undefined, debug: () => undefined };

describe('a database that a job has replaced', () => {
  let harness: SyncHarness;
  let scene: ReplaceScene;
  let source: TestDatabase;
  let target: TestDatabase;
  beforeAll(async () => {
    harness = await SyncHarness.start();
    scene = await replaceScene(harness);
    source = await harness.database('CREATE TABLE t (v text); INSERT INTO t VALUES (1)');
    target = await harness.database("CREATE TABLE t (v text); INSERT INTO t VALUES ('first')");
    await target.query(
      `GRANT SELECT ON t TO ${scene.owner}; ALTER DATABASE ${target.name} OWNER TO ${scene.owner}`,
    );
  });
  afterAll(async () => {
    for (const name of await kept()) await source.query(`DROP DATABASE "${name}"`);
    await harness.stop();
  });

  const kept = async (): Promise<readonly string[]> => {
    const { rows } = await source.query('SELECT datname FROM pg_database WHERE starts_with(datname, $1)', [
      `${target.name}_`,
    ]);
    return rows.map(({ datname }) => String(datname));
  };
  const value = async () => (await target.query('SELECT v FROM t')).rows[0]?.['v'];
  const job = async (jobId: string, keepReplacedHours: number, more: object = {}) => {
    await source.query('UPDATE t SET v = $1', [jobId]);
    const outcome = await scene.replace({ source, target, command: { jobId, keepReplacedHours }, ...more });
    return outcome.completed?.keptHours ?? outcome.failure ?? 'not kept';
  };
  const revert = (revertId: string, lastChange: string) =>
    revertTarget(parseConnectionUrl(scene.agentUrl(target)), {
      ...{ revertId, lastChange, epoch: 1, graceMs: 5_000, log: LOG },
      signal: AbortSignal.timeout(60_000),
    });

  it('is the only one that is kept, until a job keeps none, and comes back with all that it had', async () => {
    expect(await job('job_1', 5)).toBe(5);
    expect([await value(), await kept()]).toEqual(['job_1', [keptName(target.name, 'job_1')]]);
    await revert('rvt_1', 'job_1');
    expect([await value(), await kept()]).toEqual(['first', [keptName(target.name, 'rvt_1')]]);
    const { rows } = await target.query("SELECT has_table_privilege($1, 't', 'SELECT') AS may", [
      scene.owner,
    ]);
    expect(rows).toEqual([{ may: true }]);
    await revert('rvt_2', 'rvt_1');
    expect(await value()).toBe('job_1');

    const lost = new SyncJobError({ code: 'connection_lost', side: 'target' });
    const reached = (step: string) => (step === 'committed' ? Promise.reject(lost) : undefined);
    expect(await job('job_2', 5, { environment: { reached } })).toMatchObject({ code: 'connection_lost' });
    expect(await kept()).toHaveLength(2);
    expect(await job('job_2', 5)).toBe(5);
    expect([await value(), await kept()]).toEqual(['job_2', [keptName(target.name, 'job_2')]]);

    // The control plane has lost the result of the job, which has removed its ledger.
    expect(await job('job_2', 5)).toBe(5);
    expect(await kept()).toEqual([keptName(target.name, 'job_2')]);
    await revert('rvt_3', 'job_2');
    expect(await value()).toBe('job_1');

    expect(await job('job_3', 0)).toBe('not kept');
    expect([await value(), await kept()]).toEqual(['job_3', []]);
  });

  it('is kept for no longer than the policy permits, and for a day by default', async () => {
    const policyOf = (keepReplacedHours: number) => {
      const { policy } = scene;
      return { environment: { policy: { ...policy, rules: { ...policy.rules, keepReplacedHours } } } };
    };
    expect(await job('job_4', 5, policyOf(2))).toBe(2);
    expect(await job('job_5', 5, policyOf(0))).toBe('not kept');
    expect(await kept()).toEqual([]);
    const byDefault = { source, target, command: { jobId: 'job_6', keepReplacedHours: undefined } };
    expect((await scene.replace(byDefault as never)).completed?.keptHours).toBe(24);
  });
});
