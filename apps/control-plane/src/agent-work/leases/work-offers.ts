import { Injectable, Logger } from '@nestjs/common';

import { JobQueue } from '../../job-queue/job-queue.js';

/** Of the outbox and the queue; its keys are ids of leased work. The text is older than the other kinds of work. */
export const DISPATCH_TOPIC = 'sync_job.dispatch';

/** Asks for waiting work to be given to agents soon. Only hints: a lost one is found again by the reconciler. */
@Injectable()
export class WorkOffers {
  private readonly logger = new Logger(WorkOffers.name);

  constructor(private readonly queue: JobQueue) {}

  async offer(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    try {
      await this.queue.add(DISPATCH_TOPIC, ids);
    } catch (error) {
      // Redis is away: Postgres still says that they wait.
      this.logger.warn(`${ids.length} not queued: ${error instanceof Error ? error.name : 'unknown'}`);
    }
  }
}
