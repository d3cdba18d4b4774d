import { waitUntilReady } from '@understudy/stack';

import { SOURCE_DATABASE, TARGET_DATABASE, type TestSystem } from '../system/test-system.js';
import { hasEnded, type JobView } from '../system/control-plane-api.js';
import type { Fault } from '../faults/fault.js';
import { journalFaults } from './journal-faults.js';
import { leftovers } from './leftovers.js';
import { targetFingerprint } from './target-fingerprint.js';

const CLEAN_WITHIN_MS = 180_000;

/** What an undisturbed job makes of the target. */
export interface Reference {
  readonly before: string;
  readonly after: string;
  readonly rows: number;
  readonly durationMs: number;
}

/** Everything that is wrong after a round, in words; empty when all is as it should be. */
export async function checkRound(
  system: TestSystem,
  fault: Fault,
  job: JobView,
  reference: Reference,
): Promise<string[]> {
  const { endings, maxAttempts = Number.POSITIVE_INFINITY } = fault;
  const wrong: string[] = [];
  if (job.status !== 'completed' && job.status !== 'failed') wrong.push(`the job is ${job.status}`);
  else if (!endings.includes(job.status))
    wrong.push(`the job ${job.status} (${job.error?.code ?? 'no error'})`);
  if (job.attempts > maxAttempts)
    wrong.push(`the job took ${job.attempts} attempts, and ${maxAttempts} are enough`);
  const found = await targetFingerprint(system.targetUrl, system.binFolder);
  const expected = job.status === 'completed' ? reference.after : reference.before;
  if (found !== expected)
    wrong.push(`the target is ${described(found, reference)}, and the job ${job.status}`);
  if (job.status === 'completed' && job.rows_processed !== reference.rows) {
    wrong.push(`the job counts ${job.rows_processed} rows, and there are ${reference.rows}`);
  }
  wrong.push(...((await fault.moreProblems?.(system, job.id)) ?? []));
  wrong.push(...(await remainingLeftovers(system)));
  const later = await system.job(job.id);
  if (later.status !== job.status || !hasEnded(later)) wrong.push(`the job went on to ${later.status}`);
  return wrong;
}

function described(found: string, { before, after }: Reference): string {
  if (found === before) return 'as it was before';
  return found === after ? 'as it should be after' : 'neither old nor new';
}

async function remainingLeftovers(system: TestSystem): Promise<string[]> {
  let things: string[] = [];
  const look = async () => {
    things = [
      ...(await leftovers(system.target, TARGET_DATABASE)).map((thing) => `on the target: ${thing}`),
      ...(await leftovers(system.source, SOURCE_DATABASE)).map((thing) => `on the source: ${thing}`),
      ...(await Promise.all(system.agentStates.map(journalFaults)))
        .flat()
        .map((thing) => `in a journal: ${thing}`),
    ];
    if (things.length > 0) throw new Error('not clean yet');
  };
  return waitUntilReady(look, { timeoutMs: CLEAN_WITHIN_MS }).then(
    () => [],
    () => things.map((thing) => `left over after ${CLEAN_WITHIN_MS / 1000} s ${thing}`),
  );
}
