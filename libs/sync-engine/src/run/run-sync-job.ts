import { FailureContexts } from '../session/failure-contexts.js';
import { type ConnectionTarget, errorDetail } from '@understudy/postgres';
import { cleanUpTarget, endOnSource } from '../attempt/clean-up-target.js';
import { withDecisions } from '../plan/exclude/decisions.js';
import { dropBuildDatabase } from '../database/build/build-database.js';
import { predictJob } from '../checks/dry-run/predict-job.js';
import { warningsWithoutNames, withoutNames } from '../plan/problems/without-names.js';
import { failureOf } from '../session/guard.js';
import type { KeepSnapshot, SyncEnvironment } from '../environment.js';
import type { SyncPolicy } from '../policy.js';
import type { JobReporter } from '../progress/progress-meter.js';
import {
  type DatabaseReference,
  type SyncFailure,
  type SyncJobCommand,
  SyncJobError,
} from '@understudy/sync-job';
import { SyncJob } from './sync-job.js';
import type { JobAttempt } from '../session/job-attempt.js';

/** Runs sync jobs. */
export class SyncJobRunner {
  private readonly forgetting = new Set<Promise<void>>();

  constructor(private readonly environment: SyncEnvironment) {}

  /**
   * Runs one attempt to its end and reports `completed`, `predicted` or `failed`. Error details are written only
   * to the local log, because PostgreSQL's messages quote row values. Never throws, and leaves no connection
   * open.
   * @param keepSnapshot if omitted, the snapshot is not renewed and is kept for one minute. Omit it only for
   * short jobs.
   * @param signal ends the attempt. If the signal's reason is a SyncJobError, the job fails with this error.
   * For any other reason, it fails with lease_lost.
   */
  async run(
    request: SyncJobCommand,
    reporter: JobReporter,
    signal: AbortSignal,
    keepSnapshot: KeepSnapshot = () => () => undefined,
  ): Promise<void> {
    const command = withDecisions(request);
    const { now } = this.environment;
    const startMs = now();
    const contexts = new FailureContexts(request);
    let job: SyncJob | undefined;
    try {
      if (command.dryRun === true) {
        const prediction = await predictJob(command, this.environment, contexts, signal, keepSnapshot);
        return await reporter.report({ type: 'predicted', prediction });
      }
      job = new SyncJob(command, this.environment, contexts, reporter, signal, keepSnapshot);
      const result = await job.run();
      const { reportNames } = this.environment.policy.rules;
      const warnings = reportNames ? result.warnings : warningsWithoutNames(result.warnings);
      await reporter.report({ type: 'completed', ...result, warnings, durationMs: now() - startMs });
      await this.environment.reached('reported');
      this.forgetWhenConfirmed(job, reporter);
    } catch (error) {
      const failure = failureOf(error, signal);
      const { jobId, epoch } = command;
      const detail = errorDetail(error, contexts.knowsName);
      this.environment.log.error({ jobId, epoch, failure, detail }, 'sync job failed');
      await this.fail(command, reporter, failure, job?.mayContinue(failure) ?? false);
    }
  }

  /**
   * Removes everything that the attempts of a failed job left on its target.
   * @param attempt its epoch must be higher than the epochs of all attempts of the failed job
   * @param source if given, the job's sessions there end, too. Otherwise, its snapshot keeper ends when it expires
   * @throws SyncJobError policy_denied, or a failure of a database
   */
  async cleanUp(target: DatabaseReference, attempt: JobAttempt, source?: DatabaseReference): Promise<void> {
    const { policy, log } = this.environment;
    const onTarget = resolveTarget(policy, target);
    await dropBuildDatabase(attempt, onTarget);
    await cleanUpTarget(onTarget, attempt, log);
    if (source !== undefined) await endOnSource(policy.resolveDatabase(source, 'source'), attempt);
  }

  /**
   * Resolves when the ledgers of all confirmed jobs have been removed from their targets, or could not be
   * removed.
   */
  async whenForgotten(): Promise<void> {
    await Promise.all(this.forgetting);
  }

  /**
   * Removes the job's ledger from the target after the control plane has acknowledged the result. Until then,
   * the ledger is needed to report the result again.
   */
  private forgetWhenConfirmed(job: SyncJob, { confirmed }: JobReporter): void {
    const forgetting = confirmed.then(() => job.forget()).finally(() => this.forgetting.delete(forgetting));
    this.forgetting.add(forgetting);
  }

  private async fail(
    { jobId, epoch }: SyncJobCommand,
    reporter: JobReporter,
    failure: SyncFailure,
    mayContinue: boolean,
  ): Promise<void> {
    const { policy, log } = this.environment;
    try {
      const reported = policy.rules.reportNames ? failure : withoutNames(failure);
      await reporter.report({ type: 'failed', failure: reported, mayContinue });
    } catch (reportError) {
      log.error({ jobId, epoch, detail: errorDetail(reportError) }, 'the failure could not be reported');
    }
  }
}

/** Returns the target of a cleanup, which does not name the mode of its job. Each mode needs another role. */
function resolveTarget(policy: SyncPolicy, reference: DatabaseReference): ConnectionTarget {
  try {
    return policy.resolveDatabase(reference, 'target');
  } catch (error) {
    if (!(error instanceof SyncJobError) || error.failure.code !== 'policy_denied') throw error;
    return policy.resolveDatabase(reference, 'replace');
  }
}
