import { errorDetail } from '@understudy/postgres';
import { clearTarget } from './attempt/clean-up-target.js';
import { predictJob } from './checks/dry-run/predict-job.js';
import { withoutNames } from './plan/problems/without-names.js';
import { failureOf } from './session/guard.js';
import type { OnLeaseRenewed, SyncEnvironment } from './environment.js';
import type { JobReporter } from './progress/progress-meter.js';
import type { DatabaseReference, SyncJobCommand } from '@understudy/sync-job';
import { SyncJob } from './attempt/attempt.js';
import type { JobAttempt } from './session/job-attempt.js';

/** Runs sync jobs. Injected by this class. */
export class SyncJobRunner {
  private readonly forgetting = new Set<Promise<void>>();

  constructor(private readonly environment: SyncEnvironment) {}

  /**
   * Runs one attempt to its end and reports `completed`, `predicted` or `failed`; `started` is the caller's to report. Detail of an
   * error (PostgreSQL's messages quote row values) goes to the local log and nowhere else.
   * @param onLeaseRenewed without it nothing renews what must not outlive the lease: jobs without one are short
   * @param signal its reason may be a SyncJobError; anything else means that the lease was lost
   * Never throws, and leaves no connection open.
   */
  async run(
    command: SyncJobCommand,
    reporter: JobReporter,
    signal: AbortSignal,
    onLeaseRenewed: OnLeaseRenewed = () => () => undefined,
  ): Promise<void> {
    const { now } = this.environment;
    const startMs = now();
    try {
      if (command.dryRun === true) {
        await reporter.predicted(await predictJob(command, this.environment, signal, onLeaseRenewed));
        return;
      }
      const job = new SyncJob(command, this.environment, reporter, signal, onLeaseRenewed);
      const result = await job.run();
      await reporter.completed({ ...result, durationMs: now() - startMs });
      await this.environment.reached('reported');
      this.forgetWhenConfirmed(job, reporter);
    } catch (error) {
      await this.fail(command, reporter, signal, error);
    }
  }

  /**
   * Removes what the attempts of a job that has failed left on its target.
   * @param attempt its epoch is above that of every attempt
   * @throws SyncJobError policy_denied, or as the target is reached or not
   */
  clear(target: DatabaseReference, attempt: JobAttempt): Promise<void> {
    const { policy, log } = this.environment;
    return clearTarget(policy.resolveDatabase(target, 'target'), attempt, log);
  }

  /** Resolves when nothing of confirmed jobs is left on their targets that can be removed. */
  async whenForgotten(): Promise<void> {
    await Promise.all(this.forgetting);
  }

  /** Until the control plane has the result, the target is the only place that is sure to know it. */
  private forgetWhenConfirmed(job: SyncJob, { confirmed }: JobReporter): void {
    const forgetting = confirmed.then(() => job.forget()).finally(() => this.forgetting.delete(forgetting));
    this.forgetting.add(forgetting);
  }

  private async fail(
    command: SyncJobCommand,
    reporter: JobReporter,
    signal: AbortSignal,
    error: unknown,
  ): Promise<void> {
    const failure = failureOf(error, signal);
    const { jobId, epoch } = command;
    const { policy, log } = this.environment;
    log.error({ jobId, epoch, failure, detail: errorDetail(error) }, 'sync job failed');
    try {
      await reporter.failed(policy.reportsNames ? failure : withoutNames(failure));
    } catch (reportError) {
      log.error({ jobId, epoch, detail: errorDetail(reportError) }, 'the failure could not be reported');
    }
  }
}
