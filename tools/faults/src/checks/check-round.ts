import type { SyncJob } from '@understudy/client';

import type { TestSystem } from '../system/test-system.js';
import { hasEnded } from '../system/control-plane-api.js';
import type { Fault } from '../faults/fault.js';
import type { Replaced } from '../system/sample-databases.js';
import { remainingLeftovers } from './remaining-leftovers.js';
import { targetFingerprint } from './target-fingerprint.js';

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
  /** The bytes that agents sent to the target server. */
  readonly sentBytes: number;
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
