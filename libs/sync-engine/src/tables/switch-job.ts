import { openJobClient, openWithRetry } from '../session/open-session.js';
import { type ConnectionTarget, disconnect, errorDetail } from '@understudy/postgres';
import { guard, OutcomeUnknown } from '../session/guard.js';
import { SyncJobError, type SyncJobResult, type VerificationCheck } from '@understudy/sync-job';
import {
  type CopiedJob,
  type JobDatabases,
  lockRetry,
  rowsByTable,
  type RunningJob,
  truncationWarnings,
} from '../attempt/running-job.js';
import { readLedgerRow } from '../stage/ledger/staging-ledger.js';
import { claimEpoch } from '../stage/claim-epoch.js';
import { hasLostRows } from '../stage/lost-rows.js';
import { sessionName } from '../session/job-attempt.js';
import { readJobSequences } from '../stage/switch/advance-sequences.js';
import { switchTarget } from '../stage/switch/switch-target.js';
import { readUsedValues } from '../verify/verify-sequences.js';
import { verifySwitched } from '../verify/verify-switched.js';

/**
 * Replaces the target's tables by the staged ones in one transaction.
 * @param checks the results of the comparison of the rows
 * @throws SyncJobError as `switchTarget` does · OutcomeUnknown if COMMIT got no reply, and the ledger could not be read
 */
export async function switchJob(
  job: RunningJob,
  copied: CopiedJob,
  checks: readonly VerificationCheck[],
  { source, target }: JobDatabases,
): Promise<SyncJobResult> {
  const { command, environment, meter, sessions, signal } = job;
  const { log, reached } = environment;
  const { plans, staged } = copied;
  meter.enter('switching');
  // Read first, because the positions of the source's sequences only grow.
  const usedBefore = await readUsedValues(source.client);
  const sequences = await readJobSequences(plans, source.client, target.client);
  let isCommitting = false;
  try {
    const outcome = await switchTarget(target.client, {
      attempt: command,
      maskingKey: environment.keys.maskingKey,
      plans,
      staged: staged.tables,
      existing: staged.existing,
      runsCode: copied.runsCode,
      session: target,
      source: source.client,
      allowSharedSchemas: environment.policy.rules.allowSharedSchemas,
      rows: rowsByTable(copied),
      deferredSql: staged.deferredSql,
      postDataSql: staged.postDataSql,
      swapSql: staged.swapSql,
      orphans: command.orphans ?? 'fail',
      sequences,
      verify: () =>
        verifySwitched({
          ...{ plans, source: source.client, target: target.client, log, checks },
          ...{ compared: copied.joins.keys, sourceRows: copied.sourceRows, usedBefore },
          usedOnTarget: staged.usedOnTarget,
        }),
      outcomeOf: (verification, warnings) => ({
        tables: meter.snapshot(),
        warnings: [
          ...job.warnings,
          ...staged.warnings,
          ...sequences.warnings,
          ...truncationWarnings(copied),
          ...warnings,
        ],
        phases: meter.phases(),
        verification,
      }),
      reached,
      retry: lockRetry(job),
      beforeCommit: () => {
        signal.throwIfAborted();
        // From here on, only the server's reply to COMMIT shows the result. The sessions therefore stay open
        // even if the job is stopped.
        sessions.keepOpen();
        isCommitting = true;
      },
    });
    return { ...outcome, phases: meter.phases() };
  } catch (error) {
    const isUnanswered = error instanceof SyncJobError && error.failure.code === 'connection_lost';
    if (!isCommitting || !isUnanswered) throw error;
    const outcome = await switchedOutcome(job, copied, target.target).catch((cause: unknown) => {
      environment.log.error({ detail: errorDetail(cause) }, 'the result of the switch could not be read');
      throw new OutcomeUnknown(error);
    });
    if (outcome === undefined) throw error;
    return outcome;
  }
}

/**
 * Reads the ledger after COMMIT got no reply, to find out whether the switch was committed. Waits up to a minute for a
 * server that cannot be reached.
 * @returns the result of the job; undefined if the switch was not committed
 * @throws if the ledger cannot be read, or if the server has lost rows since the commit
 */
async function switchedOutcome(
  { command, contexts, environment, signal }: RunningJob,
  copied: CopiedJob,
  target: ConnectionTarget,
): Promise<SyncJobResult | undefined> {
  const open = () => openJobClient(target, 'target', sessionName(command));
  const client = await openWithRetry(open, environment.now, signal);
  try {
    return await guard(contexts.on('target'), async () => {
      // Waits until the transaction of the switch has ended, which may still wait for its commit.
      await claimEpoch(client, command);
      const row = await readLedgerRow(client, command.jobId, environment.keys.maskingKey);
      if (row?.outcome === undefined && row?.state === 'staging') return undefined;
      const tables = copied.plans.map(({ name }) => name);
      if (row?.outcome === undefined || (await hasLostRows(client, tables)))
        throw new Error('the ledger has no result, or the server has lost rows since the switch');
      return row.outcome;
    });
  } finally {
    await disconnect(client);
  }
}
