import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ulid } from 'ulid';

import { DeliverySweep } from '../delivery/delivery-sweep.js';
import { bodyOf, type WebhookEvent } from './webhook-event.js';
import { WebhookDeliveryEntity } from '../delivery/webhook-delivery.entity.js';
import { WebhookEventEntity } from './webhook-event.entity.js';

/** Takes events in: each is written with the change that it tells of, as one delivery an endpoint. */
@Injectable()
export class WebhookEventsService {
  constructor(private readonly sweep: DeliverySweep) {}

  /** Inside the caller's transaction; call {@link wake} after its commit. Writes nothing when nobody has asked for it. */
  async record(manager: EntityManager, event: WebhookEvent): Promise<void> {
    const endpoints = await manager.query<{ id: string }[]>(SUBSCRIBED, [event.organizationId, event.type]);
    await this.recordFor(
      manager,
      event,
      endpoints.map(({ id }) => id),
    );
  }

  /** For these endpoints alone, whatever they have asked for. @returns ids of the deliveries */
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
      const planned = { endpointId, eventId: id, subject, createdAt, nextAttemptAt: createdAt };
      return { id: `dlv_${ulid()}`, organizationId, ...planned };
    });
    await manager.insert(WebhookDeliveryEntity, deliveries);
    return deliveries.map(({ id: deliveryId }) => deliveryId);
  }

  /** Deliveries go out soon anyway; now they go at once. */
  wake(): void {
    this.sweep.wake();
  }
}

/** Locked against deletion: an endpoint that goes at this moment must not fail the caller's transaction. */
const SUBSCRIBED = `
  SELECT id FROM webhook_endpoints
  WHERE organization_id = $1 AND $2 = ANY (events) AND disabled_at IS NULL
  FOR KEY SHARE`;
