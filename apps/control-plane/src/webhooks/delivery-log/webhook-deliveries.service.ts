import { Injectable } from '@nestjs/common';
import { DataSource, IsNull, type EntityManager } from 'typeorm';
import { monotonicFactory, ulid } from 'ulid';

import { Configuration } from '../../platform/config/configuration.js';
import { auditRequest } from '../../platform/audit-log/insert-audit-entry.js';
import { ApiError, noSuch, validationError } from '../../platform/http/errors/api-error.js';
import type { CallerRequest } from '../../platform/http/pipeline/caller-request.js';
import type { Paged } from '../../platform/http/dto/page.dto.js';
import {
  toDeliveryResponse,
  toDeliveryWithRequestResponse,
  type DeliveryResponse,
  type DeliveryWithRequestResponse,
  type RecoveryResponse,
} from './delivery-response.js';
import type { ListDeliveriesQuery } from './list-deliveries.query.js';
import { MAX_RECOVERED, type RecoverDeliveriesDto } from './recover-deliveries.dto.js';
import { FAILED_DELIVERIES, RESEND_DELIVERIES } from './recover-deliveries.sql.js';
import { findPage, inTimeRange } from '../../platform/persistence/find-page.js';
import { WebhookDeliveryEntity } from '../delivery/webhook-delivery.entity.js';
import { WebhookEndpointEntity } from '../endpoints/webhook-endpoint.entity.js';
import { TEST_EVENT } from '../events/webhook-event.js';
import { WebhookEventsService } from '../events/webhook-events.service.js';

/** Serves the delivery log, and creates deliveries on request of callers. */
@Injectable()
export class WebhookDeliveriesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly events: WebhookEventsService,
    private readonly configuration: Configuration,
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
    const { status, event: type, created_after: after, created_before: before } = query;
    const createdAt = inTimeRange(after, before);
    const { rows, ...page } = await findPage(manager, WebhookDeliveryEntity, query, {
      where: {
        endpointId,
        ...(status && { status }),
        ...(type && { event: { type } }),
        ...(createdAt && { createdAt }),
      },
      relations: { event: true },
      order: { createdAt: 'DESC', id: 'DESC' },
    });
    return { deliveries: rows.map(toDeliveryResponse), ...page };
  }

  /**
   * Returns a delivery with the body and the headers that were sent.
   * @throws ApiError `not_found`
   */
  async get(organizationId: string, id: string): Promise<DeliveryWithRequestResponse> {
    const delivery = await find(this.dataSource.manager, organizationId, id);
    return toDeliveryWithRequestResponse(delivery, this.configuration.http.publicUrl);
  }

  /**
   * Sends an event again, with the same event id, as a new delivery.
   * @throws ApiError `conflict` while the endpoint is disabled
   */
  async resend(request: CallerRequest, id: string, now = new Date()): Promise<DeliveryResponse> {
    const { organizationId } = request.caller;
    const made = await this.dataSource.transaction(async (manager) => {
      const { endpointId, eventId } = await find(manager, organizationId, id);
      await lockEnabled(manager, organizationId, endpointId, 'for_key_share');
      const again = `dlv_${ulid(now.getTime())}`;
      const planned = { subject: null, createdAt: now, nextAttemptAt: () => 'now()', resendOf: id };
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
   * Sends again the events of failed deliveries, each once and with the same event id, oldest first. It leaves
   * out events that another delivery has delivered to the endpoint, or that are pending. Concurrent calls for
   * one endpoint run one after the other, so none repeats what another one sends. A call that sends anything writes
   * an entry of the audit log.
   * @throws ApiError `conflict` while the endpoint is disabled
   */
  async recover(
    request: CallerRequest,
    endpointId: string,
    { since, until }: RecoverDeliveriesDto,
    now = new Date(),
  ): Promise<RecoveryResponse> {
    const [from, to] = [new Date(since), until === undefined ? null : new Date(until)];
    if (to !== null && to <= from)
      throw validationError([{ field: 'until', message: 'expected a time after `since`' }]);
    const { organizationId } = request.caller;
    const found = await this.dataSource.transaction(async (manager) => {
      await lockEnabled(manager, organizationId, endpointId, 'for_no_key_update');
      const failed = await manager.query<{ id: string; eventId: string }[]>(FAILED_DELIVERIES, [
        endpointId,
        from,
        to,
        MAX_RECOVERED + 1,
      ]);
      const resent = failed.slice(0, MAX_RECOVERED);
      const nextId = monotonicFactory(); // lists show the deliveries in the order of their ids
      await manager.query(RESEND_DELIVERIES, [
        organizationId,
        endpointId,
        now,
        resent.map(() => `dlv_${nextId(now.getTime())}`),
        resent.map(({ eventId }) => eventId),
        resent.map(({ id }) => id),
      ]);
      const result = { resent: resent.length, has_more: failed.length > MAX_RECOVERED };
      const details = { since: from.toISOString(), until: to && to.toISOString(), ...result };
      if (resent.length > 0)
        await auditRequest(manager, request, {
          now,
          action: 'webhook.recovered',
          targetId: endpointId,
          details,
        });
      return result;
    });
    this.events.wake();
    return found;
  }

  /**
   * Sends a test event.
   * @throws ApiError `conflict` while the endpoint is disabled
   */
  async test(request: CallerRequest, endpointId: string, now = new Date()): Promise<DeliveryResponse> {
    const { organizationId } = request.caller;
    const made = await this.dataSource.transaction(async (manager) => {
      await lockEnabled(manager, organizationId, endpointId, 'for_key_share');
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
  const where = { id, organizationId, endpoint: { deletedAt: IsNull() } };
  const delivery = await manager.findOne(WebhookDeliveryEntity, {
    where,
    relations: { event: true, endpoint: true },
  });
  if (!delivery) throw noSuch('delivery');
  return delivery;
}

/** @param mode `for_key_share` keeps the endpoint from being deleted; `for_no_key_update` is also exclusive */
async function lockEnabled(
  manager: EntityManager,
  organizationId: string,
  id: string,
  mode: 'for_key_share' | 'for_no_key_update',
): Promise<void> {
  const where = { id, organizationId };
  const endpoint = await manager.findOne(WebhookEndpointEntity, { where, lock: { mode } });
  if (!endpoint) throw noSuch('webhook');
  if (endpoint.disabledAt !== null)
    throw new ApiError('conflict', 'The webhook is disabled. Enable it first: PATCH with {"enabled": true}.');
}
