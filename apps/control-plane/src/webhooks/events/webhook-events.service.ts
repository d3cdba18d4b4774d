import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ulid } from 'ulid';

import { DeliverySweep } from '../delivery/delivery-sweep.js';
import { bodyOf, type WebhookEvent } from './webhook-event.js';
import { WebhookDeliveryEntity } from '../delivery/webhook-delivery.entity.js';
import { WebhookEventEntity } from './webhook-event.entity.js';

/** Records events inside the transactions that cause them, with one delivery for each subscribed webhook. */
@Injectable()
export class WebhookEventsService {
  constructor(private readonly sweep: DeliverySweep) {}

  /**
   * Records an event inside the caller's transaction; call {@link wake} after the commit. Without a
   * subscribed webhook, nothing is written.
   */
  async record(manager: EntityManager, event: WebhookEvent): Promise<void> {
    const endpoints = await manager.query<{ id: string }[]>(SUBSCRIBED, [event.organizationId, event.type]);
    await this.recordFor(
      manager,
      event,
      endpoints.map(({ id }) => id),
    );
  }

  /**
   * Records an event for these webhooks only, independently of their subscriptions.
   * @returns the ids of the deliveries
   */
  async recordFor(
    manager: EntityManager,
    event: WebhookEvent,
    endpointIds: readonly string[],
  ): Promise<readonly string[]> {
    if (endpointIds.length === 0) return [];
    const { organizationId, type, subject } = event;
    const id = `evt_${ulid()}`;
    const createdAt = new Date();
    await manager.insert(WebhookEventEntity, {
      id,
      organizationId,
      type,
      body: bodyOf(id, event),
      createdAt,
    });
    const deliveries = endpointIds.map((endpointId) => {
      const planned = { endpointId, eventId: id, subject, createdAt, nextAttemptAt: () => 'now()' };
      return { id: `dlv_${ulid()}`, organizationId, ...planned };
    });
    await manager.insert(WebhookDeliveryEntity, deliveries);
    return deliveries.map(({ id: deliveryId }) => deliveryId);
  }

  /** Starts due deliveries immediately instead of at the next interval. */
  wake(): void {
    this.sweep.wake();
  }
}

/**
 * Selects and locks the subscribed webhooks. The lock prevents the deletion of these webhooks, which would
 * make the caller's transaction fail. $1 = organisation, $2 = event.
 */
const SUBSCRIBED = `
  SELECT id FROM webhook_endpoints
  WHERE organization_id = $1 AND $2 = ANY (events) AND disabled_at IS NULL
  FOR KEY SHARE`;
