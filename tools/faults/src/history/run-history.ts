import type { RandomStream } from '@understudy/random';
import { waitUntilReady } from '@understudy/local-system';

import { remainingLeftovers } from '../checks/remaining-leftovers.js';
import type { Round } from '../run-round.js';
import { TARGET_DATABASE, type TestSystem } from '../system/test-system.js';
import {
  type BegunChange,
  type Change,
  type Contents,
  DROP,
  type End,
  jobWith,
  type Replacement,
  RESTORE,
  REVERT,
  takeSnapshot,
} from './changes.js';
import { type Disturbance, DISTURBANCES } from './disturbances.js';
import { closedDatabases, lostRows, type Position, readPosition } from './position.js';
import { Writer } from './writer.js';

const ENDS_WITHIN_MS = 120_000;
/** The time after which a command that no agent has answered is repeated early, because it may go to a dead agent. */
const REPEATED_AFTER_MS = 4_000;
/** The longest time for which nobody may be able to write to the target: a lease. */
const MAX_GAP_MS = 45_000;
const JOBS = [1, 2].map(jobWith);
/** Reverts are rare if each possible change is equally likely, because they need a job first. */
const CHANGES: readonly Change[] = [...JOBS, RESTORE, REVERT, REVERT, REVERT, DROP];

/** A change of the target, and the fault that disturbs it at a step. */
export interface PlannedChange {
  readonly change: Change;
  readonly fault?: { readonly disturbance: Disturbance; readonly step: string };
}

/** The fixed list: each fault at each step of reverts and drops, and before the last statement of the other changes. */
export const FIXED_CHANGES: readonly PlannedChange[] = [REVERT, DROP, RESTORE, ...JOBS.slice(0, 1)].flatMap(
  (change) =>
    DISTURBANCES.flatMap((disturbance) => {
      const steps = change === REVERT || change === DROP ? stepsFor(change, disturbance) : [change.before];
      return steps.map((step) => ({ change, fault: { disturbance, step } }));
    }),
);

function stepsFor({ steps, before }: Change, { needsLastStatement }: Disturbance): readonly string[] {
  return needsLastStatement === true ? [before] : steps;
}

/**
 * Changes one target again and again, and compares the server with a model after each change: which database is the
 * target, which one is kept, and the content of both.
 */
export class TargetHistory {
  private last: Replacement | undefined;
  private position: Position | undefined;

  private constructor(
    private readonly system: TestSystem,
    private readonly contents: Contents,
  ) {}

  /** Makes each change once without a fault. All later results are compared with these. */
  static async open(system: TestSystem): Promise<TargetHistory> {
    await system.resetTarget();
    const jobs = new Map<number, string>();
    const contents = { jobs, restored: '', snapshotId: await takeSnapshot(system) };
    const result = async (change: Change) => {
      const begun = await change.begin(system, undefined, contents);
      const { code } = await untilEnded(system, begun, false);
      if (code !== null) throw new Error(`${change.name} without a fault failed: ${code}`);
      return (await readPosition(system)).target.fingerprint;
    };
    for (const [index, job] of JOBS.entries()) jobs.set(index + 1, await result(job));
    const restored = await result(RESTORE);
    if (new Set([...jobs.values(), restored]).size < JOBS.length + 1)
      throw new Error('expected that each change gives another content');
    return new TargetHistory(system, { ...contents, restored });
  }

  /** Chooses a change that is possible now, a fault and a step. */
  choose(random: RandomStream): PlannedChange {
    const position = this.position;
    const possible = CHANGES.filter(
      (change) => position === undefined || change.isPossible(this.last, position),
    );
    const change = position === undefined ? JOBS[0] : possible[random.below(possible.length)];
    const disturbance = DISTURBANCES[random.below(DISTURBANCES.length)];
    if (change === undefined || disturbance === undefined)
      throw new RangeError('a random index is out of range');
    const steps = stepsFor(change, disturbance);
    return { change, fault: { disturbance, step: steps[random.below(steps.length)] ?? '' } };
  }

  /** Forgets the history, because other work changes the target. */
  forget(): void {
    this.position = undefined;
    this.last = undefined;
  }

  /** Makes a change, with the job that it needs before. Checks everything that it must leave. */
  async run(planned: PlannedChange): Promise<Round> {
    const { system } = this;
    const started = performance.now();
    const wrong = await this.prepare(planned.change);
    const writer = new Writer(`${system.target.jobUrl}/${TARGET_DATABASE}`);
    let end: End | undefined;
    let id = '';
    try {
      ({ id, end } = await this.disturbed(planned, wrong));
    } catch (error) {
      wrong.push(`the change has not ended: ${String(error)}`);
    } finally {
      await system.up();
      await writer.stop();
    }
    if (system.withdrawDeath()) wrong.push('no agent has reached the step of the fault');
    if (end !== undefined) wrong.push(...(await this.check(writer, planned)));
    if (wrong.length > 0) this.forget();
    return {
      fault: nameOf(planned),
      replaced: 'history',
      moment_ms: 0,
      job_id: id,
      status: end?.isCompleted === true ? 'completed' : 'failed',
      error: end?.code ?? null,
      attempts: end?.attempts ?? 0,
      warnings: [],
      seconds: (performance.now() - started) / 1000,
      wrong,
    };
  }

  /** Runs a job if the change is not possible without one. @returns one sentence for each problem of this job */
  private async prepare(change: Change): Promise<string[]> {
    if (this.position === undefined) {
      await this.system.resetTarget();
      this.position = await readPosition(this.system);
    }
    if (change.isPossible(this.last, this.position)) return [];
    const isFirst = this.position.target.fingerprint === this.contents.jobs.get(1);
    const job = JOBS[isFirst ? 1 : 0];
    return job === undefined ? [] : [...(await this.run({ change: job })).wrong];
  }

  private async disturbed(
    { change, fault }: PlannedChange,
    wrong: string[],
  ): Promise<{ id: string; end: End }> {
    const { system, last, contents, position } = this;
    if (position === undefined) throw new Error('the position is not known');
    const { strike, leavesDown = false, canFail = false } = fault?.disturbance ?? {};
    if (fault !== undefined) system.dieAt(fault.step, { isHeld: strike !== undefined });
    const begun = await change.begin(system, last, contents);
    if (strike !== undefined) {
      await system.untilHeld();
      const restored = await strike(system);
      system.letGo();
      await restored();
    }
    const end = await untilEnded(system, begun, leavesDown);
    await system.up();
    wrong.push(...(await remainingLeftovers(system)));
    const found = await readPosition(system);
    if (!end.isCompleted && !canFail)
      wrong.push(`expected the change to complete, but it failed (${end.code})`);
    const expected = end.isCompleted ? begun.expected(position, found) : position;
    wrong.push(...differences(expected, found));
    if (end.isCompleted && begun.last !== last && begun.last.reverts === 0)
      if (found.target.oid === position.target.oid) wrong.push('the target is still the old database');
    this.position = found;
    if (end.isCompleted) this.last = begun.last;
    return { id: begun.id, end };
  }

  private async check(writer: Writer, { fault }: PlannedChange): Promise<string[]> {
    const { system, position, last } = this;
    if (position === undefined) return [];
    const wrong = await closedDatabases(system);
    wrong.push(...(await lostRows(system, position, writer.written)));
    if (fault?.disturbance.stopsServer !== true && writer.longestGapMs > MAX_GAP_MS)
      wrong.push(`nobody could write to the target for ${Math.round(writer.longestGapMs / 1000)} s`);
    if (last?.kind === 'job') {
      const { replaced, status } = await system.api.jobs.get(last.id);
      if (status !== 'completed') wrong.push(`the job that replaced the target is ${status}`);
      if ((replaced !== null) !== (position.kept !== undefined))
        wrong.push(`the API shows ${replaced === null ? 'no' : 'a'} kept database, and the server differs`);
      if (replaced !== null && (replaced.reverted_at !== null) !== (last.reverts % 2 === 1))
        wrong.push(`after ${last.reverts} reverts, the API shows reverted_at ${replaced.reverted_at}`);
      if (position.kept === undefined) {
        const accepted = await system.api.jobs.revert(last.id).then(
          () => true,
          () => false,
        );
        if (accepted) wrong.push('a revert was accepted although no database is kept');
      }
    }
    return wrong;
  }
}

export function nameOf({ change, fault }: PlannedChange): string {
  return `${change.name}, ${fault === undefined ? 'no fault' : `${fault.disturbance.name} at ${fault.step}`}`;
}

/** @returns one sentence for each difference */
function differences(expected: Position, found: Position): string[] {
  const wrong: string[] = [];
  if (found.target.oid !== expected.target.oid) wrong.push('the target is another database than expected');
  if (found.target.fingerprint !== expected.target.fingerprint)
    wrong.push('the target has another content than expected');
  if (expected.kept === undefined) {
    if (found.kept !== undefined) wrong.push(`expected no kept database, but found ${found.kept.name}`);
  } else if (found.kept === undefined) wrong.push('expected a kept database, but there is none');
  else {
    if (found.kept.oid !== expected.kept.oid) wrong.push('the kept database is another one than expected');
    if (found.kept.fingerprint !== expected.kept.fingerprint)
      wrong.push('the kept database has another content than expected');
  }
  return wrong;
}

/** Starts stopped programs, except an agent that stays dead, until the change has ended. */
async function untilEnded(system: TestSystem, begun: BegunChange, leavesDown: boolean): Promise<End> {
  let end: End | undefined;
  let repeatAtMs = performance.now() + REPEATED_AFTER_MS;
  await waitUntilReady(
    async () => {
      if (!leavesDown) await system.up();
      end = await begun.ended();
      if (end !== undefined) return;
      if (performance.now() > repeatAtMs) {
        repeatAtMs += REPEATED_AFTER_MS;
        await begun.repeat();
      }
      throw new Error(`${begun.id} has not ended`);
    },
    { timeoutMs: ENDS_WITHIN_MS },
  );
  if (end === undefined) throw new Error(`${begun.id} has not ended`);
  return end;
}
