import { Injectable, Logger } from '@nestjs/common';

import { JobQueue } from '../job-queue/job-queue.js';

export const DISPATCH_TOPIC = 'sync_job.dispatch';

/** Asks for waiting jobs to be given to agents soon. Only hints: a lost one is found again by the reconciler. */
@Injectable()
export class DispatchQueue {
  private readonly logger = new Logger(DispatchQueue.name);

  constructor(private readonly queue: JobQueue) {}

  async offer(jobIds: readonly string[]): Promise<void> {
    if (jobIds.length === 0) return;
    try {
      await this.queue.add(DISPATCH_TOPIC, jobIds);
    } catch (error) {
      // Redis is away: Postgres still says that they wait.
      this.logger.warn(
        `${jobIds.length} jobs not queued: ${error instanceof Error ? error.name : 'unknown'}`,
      );
    }
  }
}
