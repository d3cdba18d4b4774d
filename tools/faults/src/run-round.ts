import { waitUntilReady } from '@understudy/stack';

import { type Arena, TARGET_DATABASE } from './arena/arena.js';
import { hasEnded } from './arena/job-view.js';
import type { Fault } from './faults/fault.js';
import { judgeRound, type Reference } from './judge/judge-round.js';
import { targetFingerprint } from './judge/target-fingerprint.js';

const ENDS_WITHIN_MS = 300_000;

export interface Round {
  readonly fault: string;
  /** Milliseconds after the POST at which the fault struck, where it goes by the clock. */
  readonly moment_ms: number;
  readonly job_id: string;
  readonly status: string;
  readonly error: string | null;
  readonly attempts: number;
  readonly warnings: readonly string[];
  readonly seconds: number;
  /** Empty: everything held. */
  readonly wrong: readonly string[];
}

/** A job that nobody disturbs: what every other one is held to. */
export async function referenceRound(arena: Arena): Promise<Reference> {
  await arena.resetTarget();
  const before = await targetFingerprint(arena.targetUrl, arena.binFolder);
  const replaced = await pagesOid(arena);
  const started = performance.now();
  const job = await arena.ended(await arena.startJob());
  const durationMs = performance.now() - started;
  if (job.status !== 'completed')
    throw new Error(`the undisturbed job ${job.status}: ${job.error?.code ?? ''}`);
  // Else no fault would strike that way of replacing a table.
  if ((await pagesOid(arena)) === replaced) throw new Error('the undisturbed job has exchanged no table');
  const after = await targetFingerprint(arena.targetUrl, arena.binFolder);
  return { before, after, rows: job.rows_processed, durationMs };
}

async function pagesOid({ target }: Arena): Promise<string | undefined> {
  const [row] = await target.query<{ oid: string }>(
    TARGET_DATABASE,
    `SELECT 'pages'::regclass::oid::text AS oid`,
  );
  return row?.oid;
}

/** Posts a job, disturbs it, lets everything come up again, and judges what has become of it. */
export async function runRound(
  arena: Arena,
  fault: Fault,
  momentMs: number,
  reference: Reference,
): Promise<Round> {
  await arena.resetTarget();
  const started = performance.now();
  await fault.arm?.(arena);
  const id = await arena.startJob();
  await fault.strike(arena, id, momentMs);
  if (fault.leavesDown !== true) await untilEnded(arena, id);
  const job = await arena.ended(id);
  arena.dieAt(undefined);
  await arena.up();
  const wrong = await judgeRound(arena, fault, job, reference);
  return {
    fault: fault.name,
    moment_ms: Math.round(momentMs),
    job_id: id,
    status: job.status,
    error: job.error?.code ?? null,
    attempts: job.attempts,
    warnings: job.warnings.map(({ code }) => code),
    seconds: (performance.now() - started) / 1000,
    wrong,
  };
}

/** Brings up what is down, again and again: an armed step strikes when it is reached. */
async function untilEnded(arena: Arena, id: string): Promise<void> {
  await waitUntilReady(
    async () => {
      await arena.up();
      if (!hasEnded(await arena.job(id))) throw new Error('the job has not ended');
    },
    { timeoutMs: ENDS_WITHIN_MS },
  );
}
