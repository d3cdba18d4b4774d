import type { SyncJob } from '@understudy/client';
import { waitUntilReady } from '@understudy/local-system';

import { SOURCE_DATABASE, TARGET_DATABASE, type TestSystem } from '../system/test-system.js';
import { hasEnded } from '../system/control-plane-api.js';
import type { Fault } from '../faults/fault.js';
import type { Replaced } from '../system/sample-databases.js';
import { journalFaults } from './journal-faults.js';
import { leftovers } from './leftovers.js';
import { targetFingerprint } from './target-fingerprint.js';

const CLEAN_WITHIN_MS = 120_000;

/**
 * Results of an undisturbed job: what it replaces, fingerprints of the target before and after, the number of rows, and
 * the duration.
 */
export interface Reference {
  readonly replaced: Replaced;
  readonly before: string;
  readonly after: string;
  readonly rows: number;
  readonly durationMs: number;
}

/** Checks the state after a round. @returns one sentence for each problem; empty if there is none */
export async function checkRound(
  system: TestSystem,
  fault: Fault,
  job: SyncJob,
  reference: Reference,
): Promise<string[]> {
  const { endings, maxAttempts = Number.POSITIVE_INFINITY } = fault;
  const wrong: string[] = [];
  if (!hasEnded(job)) wrong.push(`expected an ended job, but its status is ${job.status}`);
  else if (!endings.some((ending) => ending === job.status))
    wrong.push(
      `expected the job to end as ${endings.join(' or ')}, but it ${job.status} (${job.error?.code ?? 'no error'})`,
    );
  if (job.attempts > maxAttempts)
    wrong.push(`expected at most ${maxAttempts} attempts, but the job took ${job.attempts}`);
  const found = await targetFingerprint(system.targetUrl, system.binFolder);
  const expected = job.status === 'completed' ? reference.after : reference.before;
  if (found !== expected)
    wrong.push(`the job ${job.status}, but the target is ${described(found, reference)}`);
  if (job.status === 'completed' && job.rows_processed !== reference.rows) {
    wrong.push(`expected ${reference.rows} processed rows, but the job reports ${job.rows_processed}`);
  }
  wrong.push(...((await fault.moreProblems?.(system, job.id)) ?? []));
  wrong.push(...(await remainingLeftovers(system)));
  const later = await system.api.jobs.get(job.id);
  if (later.status !== job.status || !hasEnded(later))
    wrong.push(`the status of the ended job changed to ${later.status}`);
  return wrong;
}

function described(found: string, { before, after }: Reference): string {
  if (found === before) return 'unchanged';
  return found === after ? 'complete' : 'neither unchanged nor complete';
}

async function remainingLeftovers(system: TestSystem): Promise<string[]> {
  let things: string[] = [];
  const check = async () => {
    await system.up(); // a killed process can take until now to die
    things = [
      ...(await leftovers(system.target, TARGET_DATABASE)).map((thing) => `on the target: ${thing}`),
      ...(await leftovers(system.source, SOURCE_DATABASE)).map((thing) => `on the source: ${thing}`),
      ...(await Promise.all(system.agentStates.map(journalFaults)))
        .flat()
        .map((thing) => `in a journal: ${thing}`),
    ];
    if (things.length > 0) throw new Error('there are leftovers');
  };
  return waitUntilReady(check, { timeoutMs: CLEAN_WITHIN_MS }).then(
    () => [],
    () => things.map((thing) => `left behind after ${CLEAN_WITHIN_MS / 1000} s ${thing}`),
  );
}
