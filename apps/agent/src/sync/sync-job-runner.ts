import { Logger } from '@nestjs/common';
import { withoutNames } from './problems/without-names.js';
import type { JobReporter } from './job-reporter.js';
import { SyncJob } from './sync-job.js';
import type { SyncEnvironment } from './sync-environment.js';
import type { SyncJobCommand } from './sync-job-command.js';
import { type SyncFailure, SyncJobError } from './sync-job-error.js';

/** Runs sync jobs. Injected by this class. */
export class SyncJobRunner {
  private readonly logger = new Logger(SyncJobRunner.name);

  constructor(private readonly environment: SyncEnvironment) {}

  /**
   * Runs one attempt to its end and reports `completed` or `failed`; `started` is the caller's to report. Detail of an
   * error (PostgreSQL's messages quote row values) goes to the local log and nowhere else.
   * @param signal its reason may be a SyncJobError; anything else means that the lease was lost
   * Never throws, and leaves no connection open.
   */
  async run(command: SyncJobCommand, reporter: JobReporter, signal: AbortSignal): Promise<void> {
    const { now } = this.environment;
    const startMs = now();
    try {
      const result = await new SyncJob(command, this.environment, reporter, signal).run();
      await reporter.completed({ ...result, durationMs: now() - startMs });
    } catch (error) {
      await this.fail(command, reporter, signal, error);
    }
  }

  private async fail(
    command: SyncJobCommand,
    reporter: JobReporter,
    signal: AbortSignal,
    error: unknown,
  ): Promise<void> {
    const failure = failureOf(error, signal);
    const { jobId, epoch } = command;
    const { policy } = this.environment;
    this.logger.error({ jobId, epoch, failure, detail: detailOf(error) }, 'sync job failed');
    try {
      await reporter.failed(policy.reportsNames ? failure : withoutNames(failure));
    } catch (reportError) {
      this.logger.error({ jobId, epoch, detail: detailOf(reportError) }, 'the failure could not be reported');
    }
  }
}

function failureOf(error: unknown, signal: AbortSignal): SyncFailure {
  // Whatever broke after the abort broke because of it.
  if (signal.aborted) {
    return signal.reason instanceof SyncJobError ? signal.reason.failure : { code: 'lease_lost' };
  }
  return error instanceof SyncJobError ? error.failure : { code: 'internal' };
}

const MAX_CAUSES = 5;

/** Message, stack and PostgreSQL's fields of an error and its causes. Not the driver's objects: they hold passwords. */
function detailOf(error: unknown): readonly Record<string, unknown>[] {
  const details: Record<string, unknown>[] = [];
  for (let at = error; at instanceof Error && details.length < MAX_CAUSES; at = at.cause) {
    const fields = at as unknown as Record<string, unknown>;
    const detail: Record<string, unknown> = { message: at.message, stack: at.stack };
    for (const name of [
      'code',
      'detail',
      'hint',
      'where',
      'schema',
      'table',
      'column',
      'constraint',
      'stderr',
    ]) {
      if (typeof fields[name] === 'string') detail[name] = fields[name];
    }
    details.push(detail);
  }
  return details;
}
