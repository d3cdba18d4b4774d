import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { ulid } from 'ulid';

import { ApiError, noSuch } from '../../http/errors/api-error.js';
import type { CallerRequest } from '../../http/pipeline/caller-request.js';
import type { Paged } from '../../http/dto/page.dto.js';
import type { ListDeliveriesQuery } from './list-deliveries.query.js';
import { findPage } from '../../persistence/find-page.js';
import { WebhookDeliveryEntity } from '../delivery/webhook-delivery.entity.js';
import { WebhookEndpointEntity } from '../endpoints/webhook-endpoint.entity.js';
import { TEST_EVENT } from '../events/webhook-event.js';
import { WebhookEventsService } from '../events/webhook-events.service.js';
import { toDeliveryResponse, type DeliveryResponse } from '../endpoints/webhook-responses.js';

/** Serves the delivery log, and creates deliveries on request of callers. */
@Injectable()
export class WebhookDeliveriesService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly events: WebhookEventsService,
  ) {}

  /**
   * Returns a page of the deliveries of one endpoint, newest first.
   * @throws ApiError `not_found`
   */
  async list(
    organizationId: string,
    endpointId: string,
    query: ListDeliveriesQuery,
  ): Promise<Paged<'deliveries', DeliveryResponse>> {
    const { manager } = this.dataSource;
    if (!(await manager.existsBy(WebhookEndpointEntity, { id: endpointId, organizationId })))
      throw noSuch('webhook');
    const { rows, ...page } = await findPage(manager, WebhookDeliveryEntity, query, {
      where: { endpointId, ...(query.status ? { status: query.status } : {}) },
      relations: { event: true },
      order: { createdAt: 'DESC', id: 'DESC' },
    });
    return { deliveries: rows.map(toDeliveryResponse), ...page };
  }

  /** @throws ApiError `not_found` */
  async get(organizationId: string, id: string): Promise<DeliveryResponse> {
    return toDeliveryResponse(await find(this.dataSource.manager, organizationId, id));
  }

  /**
   * Sends an event again, with the same event id, as a new delivery.
   * @throws ApiError `conflict` while the endpoint is disabled
   */
  async resend(request: CallerRequest, id: string, now = new Date()): Promise<DeliveryResponse> {
    const { organizationId } = request.caller;
    const made = await this.dataSource.transaction(async (manager) => {
      const { endpointId, eventId } = await find(manager, organizationId, id);
      await lockEnabled(manager, organizationId, endpointId);
      const again = `dlv_${ulid(now.getTime())}`;
      const planned = { subject: null, createdAt: now, nextAttemptAt: now, resendOf: id };
      await manager.insert(WebhookDeliveryEntity, {
        id: again,
        organizationId,
        endpointId,
        eventId,
        ...planned,
      });
      return find(manager, organizationId, again);
    });
    this.events.wake();
    return toDeliveryResponse(made);
  }

  /**
   * Sends a test event.
   * @throws ApiError `conflict` while the endpoint is disabled
   */
  async test(request: CallerRequest, endpointId: string, now = new Date()): Promise<DeliveryResponse> {
    const { organizationId } = request.caller;
    const made = await this.dataSource.transaction(async (manager) => {
      await lockEnabled(manager, organizationId, endpointId);
      const data = { webhook_id: endpointId };
      const event = { organizationId, type: TEST_EVENT, subject: null, occurredAt: now, data } as const;
      const [id = ''] = await this.events.recordFor(manager, event, [endpointId]);
      return find(manager, organizationId, id);
    });
    this.events.wake();
    return toDeliveryResponse(made);
  }
}

async function find(
  manager: EntityManager,
  organizationId: string,
  id: string,
): Promise<WebhookDeliveryEntity> {
  const where = { id, organizationId };
  const delivery = await manager.findOne(WebhookDeliveryEntity, { where, relations: { event: true } });
  if (!delivery) throw noSuch('delivery');
  return delivery;
}

async function lockEnabled(manager: EntityManager, organizationId: string, id: string): Promise<void> {
  const endpoint = await manager.findOne(WebhookEndpointEntity, {
    where: { id, organizationId },
    lock: { mode: 'for_key_share' },
  });
  if (!endpoint) throw noSuch('webhook');
  if (endpoint.disabledAt !== null)
    throw new ApiError('conflict', 'The webhook is disabled. Enable it first: PATCH with {"enabled": true}.');
}
