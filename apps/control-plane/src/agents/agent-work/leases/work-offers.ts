import { Injectable, Logger } from '@nestjs/common';

import { JobQueue } from '../../../platform/job-queue/job-queue.js';
import { RepeatedWarning } from '../../../platform/repeated-warning.js';

/**
 * The topic of dispatch jobs in the outbox and in the queue. The key of such a job is the id of leased work.
 * The topic mentions sync jobs because they were the first kind of work.
 */
export const DISPATCH_TOPIC = 'sync_job.dispatch';

/**
 * Queues waiting work for dispatch to agents. If a queue entry is lost, the reconciler queues the work again.
 */
@Injectable()
export class WorkOffers {
  private readonly warning = new RepeatedWarning(new Logger(WorkOffers.name));

  constructor(private readonly queue: JobQueue) {}

  async offer(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    try {
      await this.queue.add(DISPATCH_TOPIC, ids);
    } catch (error) {
      // If Redis is unreachable, the reconciler later finds the waiting rows in PostgreSQL.
      this.warning.warn(`could not queue waiting jobs: ${error instanceof Error ? error.name : 'unknown'}`);
    }
  }
}
