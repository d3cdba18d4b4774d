import { requireVerified } from '../verify/verify-switched.js';
import {
  type VerificationCheck,
  isRetryable,
  type SyncJobResult,
  type SyncJobCommand,
} from '@understudy/sync-job';
import { type CopiedJob, rowsByTable, type JobDatabases, type RunningJob } from './running-job.js';
import { openJobClient } from '../session/open-session.js';

import {
  errorDetail,
  type ConnectionTarget,
  disconnect,
  type Session,
  withinTime,
} from '@understudy/postgres';
import { guard, failureOf } from '../session/guard.js';
import { ModelRegistry } from '../models/model-registry.js';
import { openBoth, openFirst } from './attempt-sessions.js';
import { endOlderAttempts, sessionName } from '../session/job-attempt.js';
import { copyJob } from './copy-job.js';
import { FailureContexts } from '../session/failure-contexts.js';
import { JobSessions } from '../session/job-sessions.js';
import { listTables } from '../plan/list-tables.js';
import type { OnLeaseRenewed, SyncEnvironment } from '../environment.js';
import { checkServers, mayStage, surveyTables } from '../plan/preflight.js';
import { ProgressMeter } from '../progress/progress-meter.js';
import { KeeperProcess } from '../source/snapshot-keeper.js';
import { takeSnapshot } from '../source/take-snapshot.js';
import type { Snapshot } from '../source/snapshot.js';
import { dropStaging } from '../stage/drop-staging.js';
import type { LedgerRow } from '../stage/ledger/staging-ledger.js';
import { sweepTarget } from '../stage/sweep-target.js';
import { takeTarget } from '../stage/acquire-target.js';
import { switchJob } from './switch-job.js';

/**
 * One attempt of one job: preflight → train → stage → copy → build → verify → switch. The target is as it was until the switch commits; what the
 * attempt throws has changed nothing there.
 */
export class SyncJob {
  private readonly job: RunningJob;
  /** Before, nothing of this attempt can be on the target. */
  private hasTaken = false;

  constructor(
    private readonly command: SyncJobCommand,
    private readonly environment: SyncEnvironment,
    reporter: RunningJob['reporter'],
    private readonly signal: AbortSignal,
    private readonly onLeaseRenewed: OnLeaseRenewed,
  ) {
    const { seed, referenceInstantMs } = command;
    this.job = {
      ...{ command, environment, reporter, signal },
      contexts: new FailureContexts(command),
      material: { maskingKey: environment.keys.maskingKey, seed, referenceInstantMs },
      sessions: new JobSessions(signal),
      meter: new ProgressMeter(reporter, environment.now),
      warnings: [],
    };
  }

  /** @throws SyncJobError, or the signal's reason */
  async run(): Promise<SyncJobResult> {
    const { policy } = this.environment;
    const { meter, sessions } = this.job;
    const source = policy.resolveDatabase(this.command.source, 'source');
    const target = policy.resolveDatabase(this.command.target, 'target');
    meter.start();
    // It takes as long to start as the checks before its order.
    const keeper = new KeeperProcess();
    try {
      return await this.attempt(source, target, keeper).finally(() => sessions.close());
    } catch (error) {
      if (this.hasTaken && !isRetryable(failureOf(error, this.signal))) await this.dropStaging(target);
      throw error;
    } finally {
      keeper.discard();
      meter.stop();
    }
  }

  /** Removes the last of the job from the target: its end is known, and nobody will ask for it any more. Never rejects. */
  forget(): Promise<void> {
    return this.dropStaging(this.environment.policy.resolveDatabase(this.command.target, 'target'));
  }

  private async attempt(
    sourceTarget: ConnectionTarget,
    targetTarget: ConnectionTarget,
    keeper: KeeperProcess,
  ): Promise<SyncJobResult> {
    const { job, command, signal } = this;
    const { hostedModels, models, builtin, policy, reached } = this.environment;
    const { contexts, sessions } = job;
    const hosted = await hostedModels.files(command.jobId, command.hostedModels, signal);
    const registry = new ModelRegistry(models, builtin, hosted);
    const [source, target] = await openBoth([
      sessions.open(() => openFirst(job, sourceTarget, 'source')),
      sessions.open(() => openFirst(job, targetTarget, 'target')),
    ]);
    const server = await withinTime([source, target], () => checkServers(source, target, contexts));
    const preflight = { command, source: source.client, target, contexts, policy };
    // What the job cannot even begin without is told with all the rest that is wrong.
    if (!(await mayStage(target, contexts.on('target')))) await surveyTables(preflight);
    this.hasTaken = true;
    const earlier = await this.take(target);
    const endOlder = () => guard(contexts.on('source'), () => endOlderAttempts(source.client, command));
    if (earlier?.outcome !== undefined) {
      await endOlder();
      return earlier.outcome;
    }
    await reached('target_locked');
    await surveyTables(preflight);
    const snapshot = await this.hold(source, earlier, keeper);
    const endRenewals = this.onLeaseRenewed(() => {
      snapshot.held.renew();
    });
    try {
      // Only now: what an earlier attempt saw is joined while its keeper is there.
      await endOlder();
      const outcome = await this.copyAndSwitch({ source, target, server, snapshot }, earlier, registry);
      await snapshot.held.release();
      return outcome;
    } catch (error) {
      // The next attempt goes on with the same rows if it comes soon.
      if (isRetryable(failureOf(error, signal))) snapshot.held.leave();
      else await snapshot.held.release();
      throw error;
    } finally {
      endRenewals();
    }
  }

  private async copyAndSwitch(
    databases: JobDatabases,
    earlier: LedgerRow | undefined,
    registry: ModelRegistry,
  ): Promise<SyncJobResult> {
    const { job } = this;
    const copied = await copyJob(job, databases, earlier, registry);
    const checks = verifyCopy(copied);
    await job.meter.settle();
    const outcome = await switchJob(job, copied, checks, databases);
    await this.environment.reached('committed');
    return outcome;
  }

  /** @returns what an earlier attempt has left */
  private async take(target: Session): Promise<LedgerRow | undefined> {
    const { command } = this;
    const { keys, log } = this.environment;
    const onTarget = this.job.contexts.on('target');
    const taken = await guard(onTarget, () => takeTarget(target.client, command, keys.maskingKey, log));
    if (taken.waited) this.job.warnings.push({ code: 'waited_for_job' });
    this.signal.throwIfAborted();
    await guard(onTarget, () => sweepTarget(target.client, command.jobId, log));
    return taken.ledger;
  }

  private hold(source: Session, earlier: LedgerRow | undefined, keeper: KeeperProcess): Promise<Snapshot> {
    const { jobId, epoch } = this.command;
    return takeSnapshot({
      source,
      sessionName: sessionName(this.command),
      tables: listTables(this.command),
      earlierId: earlier?.snapshotId || undefined,
      expiresAfterMs: this.environment.copy.snapshotHeldMs,
      signal: this.signal,
      keeper,
      onBlocked: (backendPids) => {
        this.environment.log.warn(
          { jobId, epoch, backendPids },
          'sessions of the source hold locks on its tables',
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
      // It is in nobody's way: a later job on this target sweeps it.
      this.environment.log.warn(
        { jobId, epoch, detail: errorDetail(error) },
        'the staging schema could not be removed',
      );
    }
  }
}

/** Compares what was read of both sides. @throws SyncJobError verification_failed */
function verifyCopy(copied: CopiedJob): readonly VerificationCheck[] {
  const checks = copied.comparison.checks(rowsByTable(copied));
  requireVerified(checks);
  return checks;
}
