import { waitUntilReady } from '@understudy/local-system';

import { type TestSystem, TARGET_DATABASE } from './system/test-system.js';
import { hasEnded } from './system/control-plane-api.js';
import type { Fault } from './faults/fault.js';
import type { Replaced } from './system/sample-databases.js';
import { checkRound, type Reference } from './checks/check-round.js';
import { targetFingerprint } from './checks/target-fingerprint.js';

const ENDS_WITHIN_MS = 120_000;

export interface Round {
  readonly fault: string;
  /** The kind of the job, or `history` for one of many changes of a target. */
  readonly replaced: Replaced | 'history';
  /** When the fault was injected, in milliseconds after the POST. */
  readonly moment_ms: number;
  readonly job_id: string;
  readonly status: string;
  readonly error: string | null;
  readonly attempts: number;
  readonly warnings: readonly string[];
  readonly seconds: number;
  /** The measured cost of the fault. */
  readonly cost?: string;
  /** One sentence for each problem. Empty if all checks passed. */
  readonly wrong: readonly string[];
}

/** Runs a job of each kind without a fault. All other rounds are compared with their results. */
export async function referenceRounds(
  system: TestSystem,
  log: (line: string) => void = () => undefined,
): Promise<Readonly<Record<Replaced, Reference>>> {
  const references = {
    tables: await referenceRound(system, 'tables'),
    database: await referenceRound(system, 'database'),
  };
  for (const { replaced, rows, durationMs } of Object.values(references))
    log(`an undisturbed job that replaces ${replaced}: ${rows} rows in ${(durationMs / 1000).toFixed(1)} s`);
  return references;
}

async function referenceRound(system: TestSystem, replaced: Replaced): Promise<Reference> {
  await system.resetTarget();
  const before = await targetFingerprint(system.targetUrl, system.binFolder);
  const oid = await pagesOid(system);
  const started = performance.now();
  const sentBefore = system.link.sentBytes;
  const job = await system.api.ended(await system.startJob(replaced));
  const durationMs = performance.now() - started;
  const sentBytes = system.link.sentBytes - sentBefore;
  if (job.status !== 'completed')
    throw new Error(`the undisturbed job ${job.status}: ${job.error?.code ?? ''}`);
  // If no job swaps a table or a database, the faults do not test the code of the swap.
  if ((await pagesOid(system)) === oid)
    throw new Error('expected the undisturbed job to swap a table, but it swapped none');
  const after = await targetFingerprint(system.targetUrl, system.binFolder);
  return { replaced, before, after, rows: job.rows_processed, durationMs, sentBytes };
}

async function pagesOid({ target }: TestSystem): Promise<string | undefined> {
  const [row] = await target.query<{ oid: string }>(
    TARGET_DATABASE,
    `SELECT d.oid || ' ' || 'pages'::regclass::oid AS oid FROM pg_catalog.pg_database d WHERE d.datname = pg_catalog.current_database()`,
  );
  return row?.oid;
}

/** Posts a job, injects the fault, starts all stopped processes again, and checks the result. */
export async function runRound(
  system: TestSystem,
  fault: Fault,
  momentMs: number,
  reference: Reference,
): Promise<Round> {
  await system.resetTarget();
  const started = performance.now();
  await fault.prepare?.(system);
  const id = await system.startJob(reference.replaced);
  await fault.strike(system, id, momentMs, reference.sentBytes);
  if (fault.leavesDown !== true) await untilEnded(system, id);
  const job = await system.api.ended(id);
  const isUnused = system.withdrawDeath();
  await system.up();
  const wrong = await checkRound(system, fault, job, reference);
  if (isUnused) wrong.push('no agent was killed, because none reached the step of the fault');
  const cost = await fault.measure?.(system);
  return {
    fault: fault.name,
    replaced: reference.replaced,
    moment_ms: Math.round(momentMs),
    job_id: id,
    status: job.status,
    error: job.error?.code ?? null,
    attempts: job.attempts,
    warnings: job.warnings.map(({ code }) => code),
    ...(cost !== undefined && { cost }),
    seconds: (performance.now() - started) / 1000,
    wrong,
  };
}

/**
 * Starts stopped processes again and again until the job has ended. One pass is not enough, because an agent
 * may be killed later, when the job reaches the step that the fault selects.
 */
async function untilEnded(system: TestSystem, id: string): Promise<void> {
  await waitUntilReady(
    async () => {
      await system.up();
      if (!hasEnded(await system.api.jobs.get(id))) throw new Error('the job has not ended');
    },
    { timeoutMs: ENDS_WITHIN_MS },
  );
}
