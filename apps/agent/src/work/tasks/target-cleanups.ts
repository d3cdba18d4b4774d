import { Controller, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { encodeTargetCleanedUp, type TargetCleanup } from '@understudy/agent-protocol';
import { errorDetail } from '@understudy/postgres';
import { SyncJobRunner } from '@understudy/sync-engine';
import { SyncJobError } from '@understudy/sync-job';

import { EventDelivery } from '../../link/event-delivery.js';
import { DatabaseReferences } from '../jobs/database-references.js';

/**
 * Cleans up targets of failed jobs. Runs after the command is acknowledged, so that a slow server does not
 * delay other commands. Reports only success, because the control plane repeats the command until it receives
 * that report.
 */
@Controller()
export class TargetCleanups implements BeforeApplicationShutdown {
  private readonly logger = new Logger(TargetCleanups.name);
  /** Running cleanups by job id. */
  private readonly running = new Map<string, Promise<void>>();

  constructor(
    private readonly runner: SyncJobRunner,
    private readonly delivery: EventDelivery,
    private readonly databases: DatabaseReferences,
  ) {}

  /** Starts the cleanup of a job's target unless it is already running. */
  @EventPattern('clear_sync_target')
  begin(@Payload() cleanup: TargetCleanup): void {
    const { jobId } = cleanup;
    if (this.running.has(jobId)) return;
    this.running.set(
      jobId,
      this.cleanUp(cleanup).finally(() => this.running.delete(jobId)),
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.running.values());
  }

  /** Cleans up a target and reports it. Logs a failure. Never rejects. */
  private async cleanUp({ jobId, epoch, target }: TargetCleanup): Promise<void> {
    try {
      const opened = await this.databases.open(target, { jobId, field: 'target' });
      await this.runner.cleanUp(opened, { jobId, epoch });
      await this.delivery.deliver((journalSeq) => encodeTargetCleanedUp(journalSeq, jobId, new Date()));
      this.logger.log(`${jobId}: its target is cleaned up`);
    } catch (error) {
      const code = error instanceof SyncJobError ? `: ${error.failure.code}` : '';
      this.logger.warn({ detail: errorDetail(error) }, `${jobId}: its target could not be cleaned up${code}`);
    }
  }
}
