import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { Configuration } from '../../platform/config/configuration.js';
import { JobQueue } from '../../platform/job-queue/job-queue.js';
import { RepeatingService } from '../../platform/job-queue/repeating-task.js';
import { DUE_DELIVERIES } from './due-deliveries.sql.js';

export const DELIVER_TOPIC = 'webhook.deliver';

const BATCH = 1_000;

/**
 * Adds due deliveries to the queue, repeatedly until they have been attempted. These include deliveries that
 * Redis lost or that a crashed process had claimed.
 */
@Injectable()
export class DeliverySweep extends RepeatingService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly queue: JobQueue,
    private readonly configuration: Configuration,
  ) {
    super(configuration.webhooks.sweepMs);
  }

  /**
   * Queues the deliveries that are due now.
   * @param endpointId only deliveries of this endpoint; null for all
   * @throws QueueAwayError if Redis is unreachable
   */
  async offer(endpointId: string | null): Promise<void> {
    const { concurrentPerEndpoint } = this.configuration.webhooks;
    const parameters = [concurrentPerEndpoint, endpointId, BATCH];
    const due = await this.dataSource.query<{ id: string; attempts: number }[]>(DUE_DELIVERIES, parameters);
    if (due.length === 0) return;
    await this.queue.add(
      DELIVER_TOPIC,
      due.map(({ id, attempts }) => ({ key: id, attempt: attempts + 1 })),
    );
  }

  protected runTask(): Promise<void> {
    return this.offer(null);
  }
}
