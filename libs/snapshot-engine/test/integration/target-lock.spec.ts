import { join } from 'node:path';
import { lockTarget } from '@understudy/database-swap';
import { connect, parseConnectionUrl, type EngineLog } from '@understudy/postgres';
import type { TestDatabase } from '@understudy/testing';
import type { SnapshotStep } from '../../src/job/snapshot-step.js';
import { SnapshotHarness } from './snapshot-harness.js';

/** A log that lets a test wait for the first warning. */
class Listener {
  readonly warned: Promise<object>;
  readonly log: EngineLog;

  constructor(log: EngineLog) {
    let report: (facts: object) => void = () => undefined;
    this.warned = new Promise((resolve) => (report = resolve));
    this.log = { ...log, warn: (facts) => report(facts) };
  }
}

describe('a restore', () => {
  let harness: SnapshotHarness;
  let target: TestDatabase;
  const snapshots: Awaited<ReturnType<SnapshotHarness['snapshotOf']>>[] = [];
  beforeAll(async () => {
    harness = await SnapshotHarness.start();
    for (const value of [1, 2]) {
      const source = await harness.database(`CREATE TABLE restored AS SELECT ${value} AS value`);
      snapshots.push(await harness.snapshotOf(source.url));
    }
  });
  beforeEach(async () => {
    target = await harness.database('CREATE TABLE mine (id int)');
    await harness.idle(target);
  });
  afterAll(() => harness.stop());

  const restoration = (index: number) => {
    const made = snapshots[index];
    if (made === undefined) throw new Error('there is no such snapshot');
    return harness.restoration(target.url, made.command, made.result, true);
  };
  const value = async () => {
    const { rows } = await target.query('SELECT value FROM restored');
    await harness.idle(target);
    return rows[0]?.['value'];
  };

  it('waits until a job on its target has ended, and logs the name of its session', async () => {
    const job = await connect(parseConnectionUrl(target.url), 'target', 'understudy job_1 1');
    const { log } = harness.environment();
    await lockTarget(job, log);
    const listener = new Listener(log);
    const command = restoration(0);
    const running = harness.restore(command, { log: listener.log });
    expect(await listener.warned).toMatchObject({
      holders: [{ name: 'understudy job_1 1', isReplacing: false }],
    });
    const { restoreId, snapshotId, snapshotEpoch, overwrite } = command;
    const request = { restoreId, snapshotId, snapshotEpoch, overwrite, target: command.target };
    expect(await harness.runner().precheckRestore(request, new AbortController().signal)).toBeUndefined();
    await job.end();
    expect((await running).failure).toBeUndefined();
    expect(await value()).toBe(1);
  });

  it('waits until another restore into its target has ended, and then replaces its result', async () => {
    const listener = new Listener(harness.environment().log);
    const [first, second] = [restoration(0), restoration(1)];
    const waiting: ReturnType<SnapshotHarness['restore']>[] = [];
    const reached = async (step: SnapshotStep) => {
      if (step !== 'loaded') return;
      waiting.push(harness.restore(second, { log: listener.log }));
      const holder = { name: `understudy ${first.restoreId.toLowerCase()} 1`, isReplacing: true };
      expect(await listener.warned).toMatchObject({ holders: [holder] });
    };
    expect((await harness.restore(first, { reached })).failure).toBeUndefined();
    for (const outcome of await Promise.all(waiting)) expect(outcome.failure).toBeUndefined();
    expect(await value()).toBe(2);
    expect(await harness.restoreDatabases()).toEqual([]);
  });

  it('does not replace the result of a later restore when it is repeated because its end was not reported', async () => {
    const first = restoration(0);
    const reached = (step: SnapshotStep) => {
      if (step === 'switched') throw new Error('the process ends here');
    };
    expect((await harness.restore(first, { reached })).failure).toBeDefined();
    expect((await harness.restore(restoration(1))).failure).toBeUndefined();
    const other = { workFolder: join(harness.folder, 'work-other') };
    const { failure, phases } = await harness.restore({ ...first, epoch: 2 }, other);
    expect([failure, phases]).toEqual([undefined, ['preflight']]);
    expect(await value()).toBe(2);
  });

  it('can be cancelled while it waits', async () => {
    const job = await connect(parseConnectionUrl(target.url), 'target', 'understudy job_1 1');
    const { log } = harness.environment();
    await lockTarget(job, log);
    const listener = new Listener(log);
    const stop = new AbortController();
    const running = harness.restore(restoration(0), { log: listener.log }, stop.signal);
    await listener.warned;
    stop.abort();
    expect((await running).failure).toEqual({ code: 'lease_lost' });
    expect(await harness.restoreDatabases()).toEqual([]);
    await job.end();
  });
});
