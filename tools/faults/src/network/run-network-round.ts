import { setTimeout as sleep } from 'node:timers/promises';

import type { SyncJob } from '@understudy/client';
import { waitUntilReady } from '@understudy/local-system';

import { hasEnded } from '../system/control-plane-api.js';
import type { NetworkFault } from './network-fault.js';
import { FIRST, type NetworkSystem } from './network-system.js';

/** The result of one row. Times are in seconds; null if the event did not happen or was not observed. */
export interface NetworkRound {
  readonly fault: string;
  readonly date: string;
  /** Factor of all durations of the row. */
  readonly scale: number;
  /** From the beginning of the disturbance until the API showed the agent as not connected. */
  readonly dead_after: number | null;
  /** From the end of the disturbance until the agent was connected again. */
  readonly back: number | null;
  /** From the end of the disturbance until the API showed new rows of the job, or its end. */
  readonly goes_on: number | null;
  /** Number of attempts that began, including those that do not count. */
  readonly attempts: number;
  readonly rows_kept: 'all' | 'resumed' | 'none';
  readonly status: string;
  readonly error: string | null;
  readonly seconds: number;
  readonly wrong: readonly string[];
}

export interface NetworkReference {
  readonly before: string;
  readonly after: string;
  readonly rows: number;
}

const GOES_ON_WITHIN_SECONDS = 10;
const ENDS_WITHIN_MS = 300_000;
const STOPS_WITHIN_MS = 120_000;
const POLL_MS = 200;
/** The copy is disturbed after this number of committed parts, so that there are rows to keep. */
const CHUNKS_BEFORE = 5;
/** The time of an undisturbed copy until the disturbance begins. */
const SLOW_START_SECONDS = 15;
/**
 * The time that is added to that of a disturbed copy, because killed programs need long to start on a busy machine. It
 * does not make a round longer, because the copy has no limit when the disturbance has ended.
 */
const SLOW_REST_SECONDS = 120;

/** Runs a job without a disturbance. */
export async function networkReference(system: NetworkSystem): Promise<NetworkReference> {
  await system.resetTarget();
  await system.slowCopy(0);
  const before = await system.fingerprint();
  const job = await system.api.ended(await system.startJob());
  if (job.status !== 'completed')
    throw new Error(`the undisturbed job ${job.status}: ${job.error?.code ?? ''}`);
  return { before, after: await system.fingerprint(), rows: job.rows_processed };
}

/** Posts a job, disturbs the link, and checks that the job has lost time only. */
export async function runNetworkRound(
  system: NetworkSystem,
  fault: NetworkFault,
  times: number,
  reference: NetworkReference,
): Promise<NetworkRound> {
  await system.resetTarget();
  await fault.prepare?.(system);
  const startedAt = Date.now();
  const id = await startUntil(system, fault, times);
  const watch = new Watch(system, id);
  await fault.disturb(system, id, times);
  const restoredAt = Date.now();
  const isTooShort = fault.moment === 'copy' && system.steps().includes('all_chunks_committed');
  const before = await system.api.jobs.get(id); // the agent has not reported the rows of the disturbance yet
  // A job that is to be cancelled must not complete first.
  if (fault.expected !== 'cancelled') await system.slowCopy(0);
  if (fault.expected === 'stopped') await stopped(system, id, reference);
  const { back, goesOn } = await watch.goesOn(before, restoredAt, fault.expected === 'stopped');
  const job = await ended(system, id);
  watch.stop();
  const steps = system.steps();
  const attempts = count(steps, 'target_locked');
  const lost = job.warnings.some(({ code }) => code === 'restarted_from_zero');
  const round = {
    ...{ fault: fault.name, date: new Date(startedAt).toISOString(), scale: times },
    dead_after: watch.deadAfter,
    ...{ back, goes_on: goesOn, attempts },
    rows_kept: attempts <= 1 ? ('all' as const) : lost ? ('none' as const) : ('resumed' as const),
    ...{ status: job.status, error: job.error?.code ?? null, seconds: (Date.now() - startedAt) / 1_000 },
  };
  const wrong = await problems(system, fault, round, steps, reference, job);
  if (isTooShort && fault.expected !== 'completes elsewhere')
    wrong.push('the copy ended before the disturbance, so the row shows less than its name');
  await fault.cleanUp?.(system);
  return { ...round, wrong };
}

/** Starts a job, and resolves at the moment at which the disturbance begins. */
async function startUntil(system: NetworkSystem, fault: NetworkFault, times: number): Promise<string> {
  if (fault.moment === 'switch') {
    await system.slowCopy(0);
    system.holdAt('switch_begun');
    const id = await system.startJob();
    await system.reached('switch_begun');
    return id;
  }
  await system.slowCopy(SLOW_START_SECONDS);
  const id = await system.startJob();
  await waitUntilReady(
    () => {
      const committed = count(system.steps(), 'chunk_committed');
      return committed < CHUNKS_BEFORE
        ? Promise.reject(new Error(`${committed} parts are committed`))
        : Promise.resolve();
    },
    { timeoutMs: ENDS_WITHIN_MS },
  );
  await system.slowCopy(1.5 * fault.seconds * times + SLOW_REST_SECONDS);
  return id;
}

/** Observes a job and its agent through the API, which stays reachable for the test during a cut. */
class Watch {
  deadAfter: number | null = null;
  private readonly beganAt = Date.now();
  private isStopped = false;

  constructor(
    private readonly system: NetworkSystem,
    private readonly id: string,
  ) {
    void this.untilDead();
  }

  stop(): void {
    this.isStopped = true;
  }

  private async untilDead(): Promise<void> {
    while (!this.isStopped && this.deadAfter === null) {
      const agent = await this.system.api.agentNamed(FIRST).catch(() => undefined); // the control plane may be down
      if (agent !== undefined && agent.status !== 'live') this.deadAfter = since(this.beganAt);
      await sleep(POLL_MS);
    }
  }

  async goesOn(
    before: SyncJob,
    restoredAt: number,
    isStopped: boolean,
  ): Promise<{ back: number | null; goesOn: number | null }> {
    let back: number | null = null;
    let goesOn: number | null = null;
    while (!isStopped && (back === null || goesOn === null) && Date.now() < restoredAt + ENDS_WITHIN_MS) {
      if (back === null && (await this.system.api.isLive(FIRST, restoredAt).catch(() => false)))
        back = since(restoredAt);
      const job = await this.system.api.jobs.get(this.id).catch(() => undefined);
      const hasNews =
        job !== undefined && (hasEnded(job) || job.progress.rows_done > before.progress.rows_done);
      if (goesOn === null && hasNews) goesOn = since(restoredAt);
      if (job !== undefined && hasEnded(job) && back === null && job.agent_id === null) break;
      await sleep(POLL_MS);
    }
    return { back, goesOn };
  }
}

async function stopped(system: NetworkSystem, id: string, reference: NetworkReference): Promise<void> {
  await waitUntilReady(
    async () => {
      if ((await system.leftovers()).length > 0) throw new Error('the agent has not cleaned up the target');
      if ((await system.fingerprint()) !== reference.before) throw new Error('the target has changed');
    },
    { timeoutMs: STOPS_WITHIN_MS },
  ).catch(() => undefined); // the checks report what is left
  await system.api.jobs.delete(id).catch(() => undefined); // the job may have ended
}

async function ended(system: NetworkSystem, id: string): Promise<SyncJob> {
  return system.api.ended(id).catch(() => system.api.jobs.get(id)); // the checks report a job that has not ended
}

async function problems(
  system: NetworkSystem,
  { expected }: NetworkFault,
  round: Omit<NetworkRound, 'wrong'>,
  steps: readonly string[],
  reference: NetworkReference,
  job: SyncJob,
): Promise<string[]> {
  const wrong: string[] = [];
  const target = await system.fingerprint();
  const switches = count(steps, 'committed');
  const mustComplete = expected === 'completes' || expected === 'completes elsewhere';
  if (mustComplete && round.status !== 'completed')
    wrong.push(`expected the job to complete, but it ${round.status} (${round.error ?? 'no error'})`);
  if (!mustComplete && round.status !== 'failed' && switches === 0)
    wrong.push(`expected the job to end without a switch, but its status is ${round.status}`);
  if (mustComplete && round.rows_kept === 'none') wrong.push('the job copied its rows again from zero');
  if (switches > 1) wrong.push(`expected one switch, but there were ${switches}`);
  if (target !== (switches === 0 ? reference.before : reference.after))
    wrong.push(`the target differs from the result of ${switches === 0 ? 'no' : 'one'} job`);
  if (round.status === 'completed' && job.rows_processed !== reference.rows)
    wrong.push(`expected ${reference.rows} processed rows, but the job reports ${job.rows_processed}`);
  if (expected === 'completes' && !(round.goes_on !== null && round.goes_on <= GOES_ON_WITHIN_SECONDS))
    wrong.push(
      `expected the job to go on within ${GOES_ON_WITHIN_SECONDS} s, but it took ${round.goes_on ?? 'longer'} s`,
    );
  if (expected === 'completes' && !(round.back !== null && round.back <= GOES_ON_WITHIN_SECONDS))
    wrong.push(
      `expected the agent back within ${GOES_ON_WITHIN_SECONDS} s, but it took ${round.back ?? 'longer'} s`,
    );
  if (expected !== 'stopped')
    for (const schema of await system.leftovers()) wrong.push(`left on the target: ${schema}`);
  return wrong;
}

function count(steps: readonly string[], wanted: string): number {
  return steps.filter((step) => step === wanted).length;
}

function since(startMs: number): number {
  return Math.round((Date.now() - startMs) / 100) / 10;
}
