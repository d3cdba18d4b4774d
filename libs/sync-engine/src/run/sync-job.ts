import { errorDetail } from '@understudy/postgres';
import { isRetryable, type SyncFailure, type SyncJobCommand, type SyncJobResult } from '@understudy/sync-job';
import { DatabaseReplacement } from '../database/database-replacement.js';
import type { KeepSnapshot, SyncEnvironment } from '../environment.js';
import { ModelRegistry } from '../models/model-registry.js';
import { ProgressMeter } from '../progress/progress-meter.js';
import type { FailureContexts } from '../session/failure-contexts.js';
import { failureOf } from '../session/guard.js';
import { targetRole } from '../policy.js';
import { JobSessions } from '../session/job-sessions.js';
import { KeeperProcess } from '../source/snapshot-keeper.js';
import { TablesReplacement } from '../tables/tables-replacement.js';
import type { Replacement } from '../attempt/replacement.js';
import type { RunningJob } from '../attempt/running-job.js';

/** One attempt of one job: preflight → train → stage → copy → build → verify → switch. */
export class SyncJob {
  private readonly job: RunningJob;
  private readonly replacement: Replacement;

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
      meter: new ProgressMeter(reporter, environment.now, command.replace === 'database'),
      warnings: [],
    };
    this.replacement =
      command.replace === 'database' ? new DatabaseReplacement(this.job) : new TablesReplacement(this.job);
  }

  /**
   * Runs the attempt to its end.
   * @throws SyncJobError, or the signal's reason
   */
  async run(): Promise<SyncJobResult> {
    const { command, environment, replacement, signal, keepSnapshot } = this;
    const { policy, hostedModels, models, builtin, log } = environment;
    const { meter, sessions } = this.job;
    const source = policy.resolveDatabase(command.source, 'source');
    const target = policy.resolveDatabase(command.target, targetRole(command));
    meter.start();
    // Started early, because the process takes as long to start as the checks before its first use.
    const keeper = new KeeperProcess();
    try {
      const hosted = await hostedModels.files(command.jobId, command.hostedModels, signal);
      const registry = new ModelRegistry(models, builtin, hosted, log);
      return await replacement
        .run({ source, target, registry, keeper, keepSnapshot })
        .finally(() => sessions.close());
    } catch (error) {
      if (replacement.hasAcquired && !isRetryable(failureOf(error, signal))) await this.forget();
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
    return isRetryable(failure) || (!this.replacement.hasAcquired && this.command.epoch > 1);
  }

  /**
   * Removes what the job left beside the target's content, including the job's result. Call it when nobody will
   * read the result again. Never rejects.
   */
  async forget(): Promise<void> {
    const { jobId, epoch, target } = this.command;
    try {
      const { policy } = this.environment;
      await this.replacement.drop(policy.resolveDatabase(target, targetRole(this.command)));
    } catch (error) {
      // It does no harm: a later job on this target removes it.
      this.environment.log.warn(
        { jobId, epoch, detail: errorDetail(error) },
        'the staging could not be removed',
      );
    }
  }
}
