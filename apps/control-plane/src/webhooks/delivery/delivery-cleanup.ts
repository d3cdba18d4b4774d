import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

import { Configuration } from '../../platform/config/configuration.js';
import { RepeatingService } from '../../platform/job-queue/repeating-task.js';
import { changedRows } from '../../platform/persistence/statements.js';
import {
  DELETE_DELIVERIES,
  DELETE_ENDPOINTS,
  END_PLANS,
  FAIL_PENDING,
  FORGET_DELIVERIES,
  FORGET_EVENTS,
  PLAN_FAILURE,
} from './delivery-cleanup.sql.js';

/** The maximum number of rows that one statement changes, because a statement has a time limit. */
const BATCH = 1_000;

/**
 * Fails all pending deliveries of an endpoint that the caller's transaction disables: {@link BATCH} of them now, and
 * the others in {@link DeliveryCleanup}.
 */
export async function failPending(manager: EntityManager, endpointId: string): Promise<void> {
  await manager.query(PLAN_FAILURE, [endpointId]);
  await manager.query(FAIL_PENDING, [endpointId, BATCH]);
}

/**
 * Fails the deliveries of disabled webhooks, and deletes deleted webhooks and old events. It does not run in
 * `DeliverySweep`, because a large number of rows would delay the deliveries of others.
 */
@Injectable()
export class DeliveryCleanup extends RepeatingService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly configuration: Configuration,
  ) {
    super(configuration.webhooks.sweepMs);
  }

  protected async runTask(): Promise<void> {
    const { keepMs } = this.configuration.webhooks;
    await this.runInBatches(DELETE_DELIVERIES);
    await this.dataSource.query(DELETE_ENDPOINTS);
    await this.runInBatches(FAIL_PENDING, null);
    await this.dataSource.query(END_PLANS);
    await this.runInBatches(FORGET_DELIVERIES, keepMs);
    await this.runInBatches(FORGET_EVENTS, keepMs);
  }

  private runInBatches(statement: string, ...values: readonly unknown[]): Promise<void> {
    return this.inBatches(BATCH, () => changedRows(this.dataSource, statement, [...values, BATCH]));
  }
}
