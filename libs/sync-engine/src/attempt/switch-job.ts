import { openJobClient } from '../session/open-session.js';
import { type ConnectionTarget, disconnect } from '@understudy/postgres';
import { guard, failureOf } from '../session/guard.js';
import type { SyncJobResult, SyncWarning, VerificationCheck } from '@understudy/sync-job';
import { lockRetry, type CopiedJob, type JobDatabases, rowsByTable, type RunningJob } from './running-job.js';
import { readLedgerRow } from '../stage/ledger/staging-ledger.js';
import { sessionName } from '../session/job-attempt.js';
import { switchTarget } from '../stage/switch/switch-target.js';
import { verifySwitched } from '../verify/verify-switched.js';

/** Shows the target what was staged, all at once. @param checks what was found of the rows */
export async function switchJob(
  job: RunningJob,
  copied: CopiedJob,
  checks: readonly VerificationCheck[],
  { source, target }: JobDatabases,
): Promise<SyncJobResult> {
  const { contexts, command, meter, sessions, signal } = job;
  const { log, reached } = job.environment;
  const { plans, staged } = copied;
  meter.enter('switching');
  const at = contexts.on.bind(contexts);
  try {
    const outcome = await switchTarget(target.client, {
      attempt: command,
      maskingKey: job.environment.keys.maskingKey,
      plans,
      staged: staged.tables,
      rows: rowsByTable(copied),
      lateSql: staged.lateSql,
      finishSql: staged.finishSql,
      swapSql: staged.swapSql,
      verify: () =>
        verifySwitched({ plans, source: source.client, target: target.client, contextOf: at, log, checks }),
      outcomeOf: (verification) => ({
        tables: meter.snapshot(),
        warnings: [...job.warnings, ...staged.warnings, ...truncationWarnings(copied)],
        phases: meter.phases(),
        verification,
      }),
      contextOf: (tableIndex) => at('target', tableIndex),
      reached,
      retry: lockRetry(job),
      beforeCommit: () => {
        signal.throwIfAborted();
        // From here on the server decides: a job that is stopped while it commits is told by the answer what has become of it.
        sessions.keepOpen();
      },
    });
    return { ...outcome, phases: meter.phases() };
  } catch (error) {
    const outcome = await switchedOutcome(job, error, target.target);
    if (outcome === undefined) throw error;
    return outcome;
  }
}

/** A commit whose answer was lost is read back, never guessed. @returns undefined when nothing was committed */
async function switchedOutcome(
  { command, contexts, environment, signal }: RunningJob,
  error: unknown,
  target: ConnectionTarget,
): Promise<SyncJobResult | undefined> {
  if (failureOf(error, signal).code !== 'connection_lost') return undefined;
  const client = await openJobClient(target, 'target', sessionName(command));
  try {
    const row = await guard(contexts.on('target'), () =>
      readLedgerRow(client, command.jobId, environment.keys.maskingKey),
    );
    return row?.outcome;
  } finally {
    await disconnect(client);
  }
}

function truncationWarnings({ plans, ledger }: CopiedJob): readonly SyncWarning[] {
  return plans.flatMap(({ index, columnIndex }) => {
    const cut = ledger.flatMap(({ tableIndex, truncated }) => (tableIndex === index ? truncated : []));
    return [...new Set(cut)].map((column) => {
      const place = columnIndex.get(column);
      return {
        code: 'value_truncated',
        tableIndex: index,
        ...(place === undefined ? {} : { columnIndex: place }),
      } as const;
    });
  });
}
