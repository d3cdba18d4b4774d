import { requireVerified } from '../verify/verify-switched.js';
import {
  type VerificationCheck,
  isRetryable,
  type SyncFailure,
  type SyncJobResult,
  type SyncJobCommand,
} from '@understudy/sync-job';
import { type CopiedJob, rowsByTable, type JobDatabases, type RunningJob } from './running-job.js';
import { openJobClient } from '../session/open-session.js';

import { errorDetail, type ConnectionTarget, disconnect } from '@understudy/postgres';
import { failureOf } from '../session/guard.js';
import type { LocatedSession } from '../session/located-client.js';
import { ModelRegistry } from '../models/model-registry.js';
import { acquireDatabases } from './acquire-databases.js';
import { sessionOpeners } from './attempt-sessions.js';
import { endOlderAttempts, keeperSessionName, sessionName } from '../session/job-attempt.js';
import { OwnRows } from '../stage/switch/own-rows.js';
import { afterSwitch } from './after-switch.js';
import { copyJob } from './copy-job.js';
import { FailureContexts } from '../session/failure-contexts.js';
import { JobSessions } from '../session/job-sessions.js';
import { listTables } from '../plan/list-tables.js';
import type { KeepSnapshot, SyncEnvironment } from '../environment.js';
import { surveyTables } from '../plan/preflight/preflight.js';
import { ProgressMeter } from '../progress/progress-meter.js';
import { KeeperProcess } from '../source/snapshot-keeper.js';
import { takeSnapshot } from '../source/take-snapshot.js';
import type { Snapshot } from '../source/snapshot.js';
import { dropStaging } from '../stage/drop-staging.js';
import { type LedgerRow, recordSnapshot } from '../stage/ledger/staging-ledger.js';
import { switchJob } from './switch-job.js';

/**
 * One attempt of one job: preflight → train → stage → copy → build → verify → switch. The target is unchanged
 * until the switch commits.
 */
export class SyncJob {
  private readonly job: RunningJob;
  /** True when the attempt owns the staging of the job, which it may then create, continue or drop. */
  private hasAcquired = false;

  constructor(
    private readonly command: SyncJobCommand,
    private readonly environment: SyncEnvironment,
    contexts: FailureContexts,
    reporter: RunningJob['reporter'],
    private readonly signal: AbortSignal,
    private readonly keepSnapshot: KeepSnapshot,
  ) {
    const { seed, referenceInstantMs } = command;
    this.job = {
      ...{ command, environment, reporter, signal },
      contexts,
      material: { maskingKey: environment.keys.maskingKey, seed, referenceInstantMs },
      sessions: new JobSessions(signal),
      meter: new ProgressMeter(reporter, environment.now),
      warnings: [],
    };
  }

  /**
   * Runs the attempt to its end.
   * @throws SyncJobError, or the signal's reason
   */
  async run(): Promise<SyncJobResult> {
    const { policy } = this.environment;
    const { meter, sessions } = this.job;
    const source = policy.resolveDatabase(this.command.source, 'source');
    const target = policy.resolveDatabase(this.command.target, 'target');
    meter.start();
    // Started early, because the process takes as long to start as the checks before its first use.
    const keeper = new KeeperProcess();
    try {
      return await this.attempt(source, target, keeper).finally(() => sessions.close());
    } catch (error) {
      if (this.hasAcquired && !isRetryable(failureOf(error, this.signal))) await this.dropStaging(target);
      throw error;
    } finally {
      keeper.discard();
      meter.stop();
    }
  }

  /**
   * Returns whether another attempt can continue the job after a failure. An attempt that has not acquired the
   * target leaves the staging of earlier ones as it is.
   */
  mayContinue(failure: SyncFailure): boolean {
    return isRetryable(failure) || (!this.hasAcquired && this.command.epoch > 1);
  }

  /**
   * Removes the job's staging from the target, including the job's result. Call it when nobody will read the
   * result again. Never rejects.
   */
  forget(): Promise<void> {
    return this.dropStaging(this.environment.policy.resolveDatabase(this.command.target, 'target'));
  }

  private async attempt(
    sourceTarget: ConnectionTarget,
    targetTarget: ConnectionTarget,
    keeper: KeeperProcess,
  ): Promise<SyncJobResult> {
    const { job, command, signal } = this;
    const { hostedModels, models, builtin, policy, reached, log } = this.environment;
    const hosted = await hostedModels.files(command.jobId, command.hostedModels, signal);
    const registry = new ModelRegistry(models, builtin, hosted, log);
    const acquired = await acquireDatabases(job, sourceTarget, targetTarget);
    const { source, target, server, room, earlier } = acquired;
    this.hasAcquired = true;
    if (earlier?.outcome !== undefined) {
      await endOlderAttempts(source.client, command);
      return await afterSwitch(job, { source, target }, earlier.outcome);
    }
    await reached('target_locked');
    const { contexts } = job;
    await surveyTables({ command, source: source.client, target, contexts, policy });
    const snapshot = await this.hold(source, earlier, keeper);
    const endRegistration = this.keepSnapshot(() => {
      snapshot.held.renew();
    });
    try {
      // The sessions of older attempts include the older keeper's. Before it ends, this attempt must have joined its
      // snapshot, and the ledger must name the new keeper's. Otherwise the next attempt could not join either.
      if (snapshot.joined !== undefined) await recordSnapshot(target.client, command, snapshot.id);
      await endOlderAttempts(source.client, command);
      const open = sessionOpeners(job, { source, target, snapshot });
      const databases = { source, target, server, room, snapshot, open };
      const outcome = await this.copyAndSwitch(databases, earlier, registry);
      await snapshot.held.release();
      return await afterSwitch(job, { source, target }, outcome);
    } catch (error) {
      // The keeper stays until it expires, so that the next attempt can continue with the same snapshot.
      if (isRetryable(failureOf(error, signal))) snapshot.held.leave();
      else await snapshot.held.release();
      throw error;
    } finally {
      endRegistration();
    }
  }

  private async copyAndSwitch(
    databases: JobDatabases,
    earlier: LedgerRow | undefined,
    registry: ModelRegistry,
  ): Promise<SyncJobResult> {
    const { job } = this;
    const copied = await copyJob(job, databases, earlier, registry);
    const checks = await verifyCopy(job, copied, databases);
    await job.meter.flush();
    const outcome = await switchJob(job, copied, checks, databases);
    await this.environment.reached('committed');
    return outcome;
  }

  private hold(
    source: LocatedSession,
    earlier: LedgerRow | undefined,
    keeper: KeeperProcess,
  ): Promise<Snapshot> {
    const { jobId, epoch } = this.command;
    return takeSnapshot({
      source,
      sessionName: keeperSessionName(this.command),
      tables: listTables(this.command),
      earlierId: earlier?.snapshotId || undefined,
      expiresAfterMs: this.environment.copy.snapshotHeldMs,
      signal: this.signal,
      keeper,
      onBlocked: (backendPids) => {
        this.environment.log.warn(
          { jobId, epoch, backendPids },
          'sessions on the source hold locks on its tables',
        );
      },
    });
  }

  private async dropStaging(target: ConnectionTarget): Promise<void> {
    const { jobId, epoch } = this.command;
    try {
      const client = await openJobClient(target, 'target', sessionName(this.command));
      await dropStaging(client, this.command).finally(() => disconnect(client));
    } catch (error) {
      // The schema does no harm: a later job on this target removes it.
      this.environment.log.warn(
        { jobId, epoch, detail: errorDetail(error) },
        'the staging schema could not be removed',
      );
    }
  }
}

/**
 * Compares the rows that were read on both sides.
 * @throws SyncJobError verification_failed. table_altered if the staged rows are no longer those that the job has copied.
 */
async function verifyCopy(
  { command }: RunningJob,
  copied: CopiedJob,
  { target: { client } }: JobDatabases,
): Promise<readonly VerificationCheck[]> {
  const copiedRows = rowsByTable(copied);
  const checks = [...copied.comparison.checks(copiedRows), ...copied.joins.checks()];
  try {
    return requireVerified(checks).checks;
  } catch (error) {
    const { plans, runsCode, staged } = copied;
    if (runsCode || staged.existing !== undefined) {
      const ownRows = await OwnRows.read(client, command, plans, copiedRows);
      await ownRows.requireStaged(staged.tables);
    }
    throw error;
  }
}
