import { untilReplaced } from '@understudy/database-swap';
import { type ConnectionTarget, type Session, withinTime } from '@understudy/postgres';
import type { SyncWarning } from '@understudy/sync-job';
import { listTables } from '../plan/list-tables.js';
import { checkServers, checkTargetRole, mayStage, surveyTables } from '../plan/preflight/preflight.js';
import { requireWritable } from '../plan/preflight/writable-target.js';
import { guard } from '../session/guard.js';
import { endOlderAttempts, sessionName } from '../session/job-attempt.js';
import { findRoom } from '../session/session-room.js';
import { acquireTarget } from '../stage/acquire-target.js';
import { dropStaging } from '../stage/drop-staging.js';
import type { LedgerRow } from '../stage/ledger/staging-ledger.js';
import { hasLostRows } from '../stage/lost-rows.js';
import { sweepTarget } from '../stage/sweep-target.js';
import { openBoth, openFirst } from './attempt-sessions.js';
import type { JobDatabases, RunningJob } from './running-job.js';

type OpenDatabases = Pick<JobDatabases, 'source' | 'target' | 'server' | 'room'>;

/** The databases of an attempt. No other job works on the target. */
interface AcquiredDatabases extends OpenDatabases {
  /** The ledger row of an earlier attempt, if there is one. */
  readonly earlier: LedgerRow | undefined;
}

/**
 * Opens and checks the databases of an attempt, acquires the target, and removes the expired staging of other jobs from
 * it. Waits without a time limit for another job on the target. While another session replaces the target, this job has
 * no session in it, because a database can only be renamed without sessions.
 * @throws SyncJobError, or the signal's reason
 */
export async function acquireDatabases(
  job: RunningJob,
  source: ConnectionTarget,
  target: ConnectionTarget,
): Promise<AcquiredDatabases> {
  const { command, environment, sessions, signal, warnings } = job;
  const { keys, log } = environment;
  let waited = false;
  for (;;) {
    const [databases, roleWarnings] = await openDatabases(job, source, target);
    const { client } = databases.target;
    const acquired = await acquireTarget(client, command, keys.maskingKey, log);
    signal.throwIfAborted();
    waited ||= acquired === undefined || acquired.waited;
    if (acquired !== undefined) {
      warnings.push(...roleWarnings, ...(waited ? [{ code: 'waited_for_job' } as const] : []));
      await sweepTarget(client, command.jobId, log);
      return { ...databases, earlier: await usableLedger(job, databases, acquired.ledger) };
    }
    await sessions.closeOpen();
    await guard({ side: 'target' }, () => untilReplaced(target, { log, signal }));
  }
}

async function openDatabases(
  job: RunningJob,
  sourceTarget: ConnectionTarget,
  targetTarget: ConnectionTarget,
): Promise<readonly [OpenDatabases, readonly SyncWarning[]]> {
  const { command, contexts, sessions } = job;
  const { copy, log, policy } = job.environment;
  const [source, target] = await openBoth([
    sessions.open(() => openFirst(job, sourceTarget, 'source')),
    sessions.open(() => openFirst(job, targetTarget, 'target')),
  ]);
  const { connections, sessionWaitMs } = copy;
  const makeRoom = ({ client }: Session) => endOlderAttempts(client, command, { sparesKeeper: true });
  const older = command.epoch === 1 ? {} : { makeRoom };
  const wanted = { connections, sessionWaitMs, name: sessionName(command), spare: sessions };
  const room = await findRoom({ source, target }, { ...wanted, ...older });
  if (room.connections < connections)
    log.warn({ jobId: command.jobId, ...room }, 'the databases give the job fewer sessions than configured');
  const server = await withinTime([source, target], () => checkServers(source, target));
  contexts.knowEventTriggers(await requireWritable(target.client));
  const warnings = await checkTargetRole(target.client, policy);
  // If the role may not create a schema, `surveyTables` reports this together with all other problems.
  if (!(await mayStage(target.client)))
    await surveyTables({ command, source: source.client, target, contexts, policy });
  return [{ source, target, server, room }, warnings];
}

/**
 * @returns the ledger row, unless the target has lost rows of a committed switch. The job then begins again.
 */
async function usableLedger(
  { command, warnings }: RunningJob,
  { target: { client } }: OpenDatabases,
  ledger: LedgerRow | undefined,
): Promise<LedgerRow | undefined> {
  const tables = listTables(command).map(({ name }) => name);
  if (ledger?.outcome === undefined || !(await hasLostRows(client, tables))) return ledger;
  warnings.push({ code: 'restarted_from_zero' });
  await dropStaging(client, command);
  return undefined;
}
