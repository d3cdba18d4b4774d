import { openJobClient } from '../session/open-session.js';
import { type ConnectionTarget, disconnect } from '@understudy/postgres';
import { guard, failureOf } from '../session/guard.js';
import type { SyncJobResult, SyncWarning, VerificationCheck } from '@understudy/sync-job';
import { lockRetry, type CopiedJob, type JobDatabases, rowsByTable, type RunningJob } from './running-job.js';
import { readLedgerRow } from '../stage/ledger/staging-ledger.js';
import { hasLostRows } from '../stage/lost-rows.js';
import { sessionName } from '../session/job-attempt.js';
import { readJobSequences } from '../stage/switch/advance-sequences.js';
import { switchTarget } from '../stage/switch/switch-target.js';
import { readUsedValues } from '../verify/verify-sequences.js';
import { verifySwitched } from '../verify/verify-switched.js';

/**
 * Replaces the target's tables by the staged ones in one transaction.
 * @param checks the results of the comparison of the rows
 */
export async function switchJob(
  job: RunningJob,
  copied: CopiedJob,
  checks: readonly VerificationCheck[],
  { source, target, snapshot }: JobDatabases,
): Promise<SyncJobResult> {
  const { contexts, command, meter, sessions, signal } = job;
  const { log, reached } = job.environment;
  const { plans, staged } = copied;
  meter.enter('switching');
  const at = contexts.on.bind(contexts);
  // Read first, because the positions of the source's sequences only grow.
  const usedBefore = await guard(at('source'), () => readUsedValues(source.client));
  const sequences = await readJobSequences(plans, source.client, target.client, contexts);
  try {
    const outcome = await switchTarget(target.client, {
      attempt: command,
      maskingKey: job.environment.keys.maskingKey,
      plans,
      staged: staged.tables,
      existing: staged.existing,
      session: target,
      source: snapshot.client,
      allowsSharedSchemas: job.environment.policy.allowsSharedSchemas,
      rows: rowsByTable(copied),
      deferredSql: staged.deferredSql,
      postDataSql: staged.postDataSql,
      swapSql: staged.swapSql,
      sequences,
      verify: () =>
        verifySwitched({
          ...{ plans, source: source.client, target: target.client, contextOf: at, log, checks },
          ...{ joins: copied.deferredJoins, usedBefore },
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
      contextOf: (tableIndex) => at('target', tableIndex),
      reached,
      retry: lockRetry(job),
      beforeCommit: () => {
        signal.throwIfAborted();
        // From here on, only the server's reply to COMMIT shows the result. The sessions therefore stay open
        // even if the job is stopped.
        sessions.keepOpen();
      },
    });
    return { ...outcome, phases: meter.phases() };
  } catch (error) {
    const outcome = await switchedOutcome(job, copied, error, target.target);
    if (outcome === undefined) throw error;
    return outcome;
  }
}

/**
 * Reads the ledger after a lost connection, to find out whether the switch was committed.
 * @returns the result of the job if the switch was committed, and the server has not lost its rows since
 */
async function switchedOutcome(
  { command, contexts, environment, signal }: RunningJob,
  copied: CopiedJob,
  error: unknown,
  target: ConnectionTarget,
): Promise<SyncJobResult | undefined> {
  if (failureOf(error, signal).code !== 'connection_lost') return undefined;
  const client = await openJobClient(target, 'target', sessionName(command));
  try {
    const row = await guard(contexts.on('target'), () =>
      readLedgerRow(client, command.jobId, environment.keys.maskingKey),
    );
    if (row?.outcome === undefined) return undefined;
    const tables = copied.plans.map(({ name }) => name);
    const isLost = await guard(contexts.on('target'), () => hasLostRows(client, tables));
    return isLost ? undefined : row.outcome;
  } finally {
    await disconnect(client);
  }
}

function truncationWarnings({ plans, ledger }: CopiedJob): readonly SyncWarning[] {
  return plans.flatMap(({ index, columnIndex }) => {
    const cut = ledger.flatMap(({ tableIndex, truncated }) => (tableIndex === index ? truncated : []));
    return [...new Set(cut)].map((column) => {
      const position = columnIndex.get(column);
      return {
        code: 'value_truncated',
        tableIndex: index,
        ...(position === undefined ? {} : { columnIndex: position }),
      } as const;
    });
  });
}
